import type { Child } from 'hono/jsx'
import type { Document } from '../../documents/model/document.ts'
import { languageName } from '../components/facts.tsx'
import { Time } from '../components/time.tsx'

/** Who changed a document between its opening and its saving. */
export const SavedInBetween = ({
  document: { lastEditedBy: savedBy, updatedAt },
}: {
  document: Document
}) => (
  <>
    Somebody changed this document after you opened it, so yours is not saved yet.
    {savedBy && (
      <>
        {' '}
        It was saved last by {savedBy.username}, <Time at={updatedAt} />.
      </>
    )}{' '}
    What stands there now is shown too: take over from it what you need, since saving replaces it.
  </>
)

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no')

export const PresentText = ({ text }: { text: string }) => (
  <>
    <label for="present">Text as it is saved</label>
    <textarea id="present" rows={18} readonly spellcheck={false}>
      {`\n${text}`}
    </textarea>
  </>
)

/** What stands there now, beside what somebody is about to save over it. */
export const Present = ({ document, children }: { document: Document; children: Child }) => (
  <section aria-labelledby="present-title">
    <h2 id="present-title">What stands there now</h2>
    {children}
    <dl class="facts">
      <div>
        <dt>Language</dt>
        <dd>{languageName(document)}</dd>
      </div>
      <div>
        <dt>Listed</dt>
        <dd>{yesOrNo(document.public)}</dd>
      </div>
      <div>
        <dt>Deleted by its first reader</dt>
        <dd>{yesOrNo(document.burnAfterReading)}</dd>
      </div>
      <div>
        <dt>Picture</dt>
        <dd>{yesOrNo(document.imageEmbed)}</dd>
      </div>
    </dl>
  </section>
)
