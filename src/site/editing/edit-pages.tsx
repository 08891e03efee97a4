import type { Child } from 'hono/jsx'
import type { Document } from '../../documents/model/document.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { Verbatim } from '../components/verbatim.tsx'
import { PasswordForm } from '../documents/unlock-forms.tsx'
import { Layout } from '../layout/layout.tsx'
import { Problem } from '../layout/problem.tsx'
import type { WritingLimits } from './code-editor-frame.ts'
import { WritingTemplates } from './code-editor-templates.tsx'
import { Present, PresentText, SavedInBetween } from './conflict.tsx'
import { EditForm } from './edit-form.tsx'
import type { EditValues } from './edit-values.ts'

interface FrameProps {
  readonly id: string
  readonly signedIn: boolean
  readonly children: Child
}

const Frame = ({ id, signedIn, children }: FrameProps) => (
  <Layout title={`Edit ${id}`} signedIn={signedIn} scripts={[SCRIPTS.edit, SCRIPTS.submitOnce]}>
    {/* It goes into the head. */}
    <meta name="envelope-worker" content={SCRIPTS.jweWorker} />
    <h1>Edit {id}</h1>
    {children}
    <WritingTemplates language={false} />
  </Layout>
)

interface EditPageProps {
  readonly document: Pick<Document, 'id' | 'burnAfterReading' | 'language'>
  readonly signedIn: boolean
  readonly values: EditValues
  readonly limits: WritingLimits
  readonly problem?: Child
  readonly wrongPassword?: boolean
  /** The text as it is stored; null where the form has what somebody made of it. */
  readonly stored: string | null
}

/** The text and the settings of a document, to be changed. */
export const EditPage = ({ signedIn, problem, ...form }: EditPageProps) => (
  <Frame id={form.document.id} signedIn={signedIn}>
    {problem && <Problem>{problem}</Problem>}
    <EditForm {...form} button="Save" hasProblem={Boolean(problem)} />
  </Frame>
)

interface LockedPageProps {
  readonly document: Document
  readonly values: EditValues
  readonly limits: WritingLimits
  readonly wrong: boolean
  /** For the script that opens it in the browser; null: the server has just failed to. */
  readonly envelope: string | null
}

/** Asks for the password of an encrypted document, whose settings can be changed without. */
export const LockedPage = ({ document, values, limits, wrong, envelope }: LockedPageProps) => (
  <Frame id={document.id} signedIn>
    <div id="locked">
      <p>This document is encrypted. Its text can be changed by those who know the password.</p>
      <PasswordForm action={`/${document.id}/edit`} button="Open the text" wrong={wrong} />
      {values.settings && (
        <EditForm document={document} values={values} button="Save the settings" limits={limits} />
      )}
    </div>
    {envelope !== null && (
      <>
        <template id="opened">
          <EditForm document={document} values={{ ...values, text: '' }} button="Save" limits={limits} />
        </template>
        <template id="envelope">
          <Verbatim text={envelope} />
        </template>
      </>
    )}
  </Frame>
)

interface ConflictPageProps {
  readonly document: Document
  readonly values: EditValues
  readonly limits: WritingLimits
  /** The present text; null where it is not edited, or not opened by the password that was sent. */
  readonly present: string | null
}

/** What was sent, beside what somebody else saved in between. */
export const ConflictPage = ({ document, values, limits, present }: ConflictPageProps) => {
  const unopened = values.text !== null && present === null
  return (
    <Frame id={document.id} signedIn>
      <Problem>
        <SavedInBetween document={document} />
      </Problem>
      <div class="beside">
        <section aria-labelledby="mine-title">
          <h2 id="mine-title">Your version</h2>
          <EditForm
            document={document}
            values={values}
            button="Save over it"
            limits={limits}
            hasProblem
            wrongPassword={unopened}
          />
        </section>
        <Present document={document}>
          {present !== null && <PresentText text={present} />}
          {unopened && (
            <p>Its text is not shown: the password that you opened it with is not its password any more.</p>
          )}
        </Present>
      </div>
    </Frame>
  )
}
