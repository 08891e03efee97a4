import type { Child } from 'hono/jsx'
import type { Document } from '../../documents/model/document.ts'
import { CHOICES } from '../../shared/form-settings.ts'
import { CHECKBOXES, SETTINGS } from '../../shared/settings.ts'
import { getLanguageLabel } from '../components/facts.tsx'
import { Time } from '../components/time.tsx'

/** Tells the user that somebody else saved the document after they opened it. */
export const ConflictMessage = ({ document: { lastEditedBy, updatedAt } }: { document: Document }) => (
  <>
    Someone else saved this document after you opened it, so your changes aren’t saved yet.
    {lastEditedBy && (
      <>
        {' '}
        It was last edited by {lastEditedBy.username} on <Time at={updatedAt} />.
      </>
    )}{' '}
    Saving replaces the saved version, so copy what you need from it first.
  </>
)

const formatFlag = (value: boolean): string => (value ? 'Yes' : 'No')

export const SavedText = ({ text }: { text: string }) => (
  <>
    <label for="saved-text">Saved text</label>
    <textarea id="saved-text" rows={18} readonly spellcheck={false}>
      {`\n${text}`}
    </textarea>
  </>
)

/** The saved version, beside the version that would replace it. */
export const SavedVersion = ({ document, children }: { document: Document; children: Child }) => (
  <section aria-labelledby="saved-version">
    <h2 id="saved-version">Saved version</h2>
    {children}
    <dl class="facts">
      {!document.encrypted && (
        <div>
          <dt>{SETTINGS.title.label}</dt>
          <dd>{document.givenTitle ?? 'None'}</dd>
        </div>
      )}
      <div>
        <dt>{SETTINGS.language.label}</dt>
        <dd>{getLanguageLabel(document)}</dd>
      </div>
      <div>
        <dt>{CHOICES.visibility.label}</dt>
        <dd>{CHOICES.visibility.options[document.public ? 'public' : 'unlisted']}</dd>
      </div>
      {CHECKBOXES.map((name) => (
        <div>
          <dt>{SETTINGS[name].label}</dt>
          <dd>{formatFlag(document[SETTINGS[name].property])}</dd>
        </div>
      ))}
    </dl>
  </section>
)
