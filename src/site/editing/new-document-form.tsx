import type { Child } from 'hono/jsx'
import type { Defaults } from '../../accounts/profile/defaults.ts'
import { parseUsernames } from '../../shared/form-values.ts'
import { Problem } from '../layout/problem.tsx'
import { type WritingLimits, writingData } from './code-editor-frame.ts'
import { TextField } from './content-field.tsx'
import { Check, SettingsFields } from './settings-fields.tsx'
import { usesSettings } from './settings-form.ts'

/** What the form is filled in with. */
export interface NewDocumentValues {
  readonly text: string
  /** The account that the document will be of; null: of nobody. */
  readonly accountId: string | null
  /** Null for those who may not use any. */
  readonly settings: Defaults | null
  /** As typed. */
  readonly editors: string
  /** Whether a gist is asked for; null where the account may make none. */
  readonly gist: boolean | null
}

interface NewDocumentSettingsProps {
  readonly settings: Defaults
  readonly editors: string
  /** Null where the account may make none. */
  readonly gist: boolean | null
  /** Whether something went wrong, perhaps among them. */
  readonly open: boolean
}

const NewDocumentSettings = ({ settings, editors, gist, open }: NewDocumentSettingsProps) => (
  // What is not as everyone has it is not hidden.
  <details
    class="settings"
    open={open || gist || usesSettings({ ...settings, editors: parseUsernames(editors) })}
  >
    <summary>Settings</summary>
    <div class="fields">
      <SettingsFields values={settings} />
      <p class="field">
        <label for="password">Password</label>
        {/* A password that is shared is no sign-in: it is seen while it is typed, and nothing offers to keep it. */}
        <input
          id="password"
          name="password"
          maxlength={1024}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="password-hint"
        />
        <span class="hint" id="password-hint">
          For encryption with a password of your own. This server encrypts, whoever chose the password: it
          sees that and the text for that moment, and keeps neither. Nobody can read the document without it.
        </span>
      </p>
      <p class="field">
        <label for="editors">Editors</label>
        <input
          id="editors"
          name="editors"
          value={editors}
          list="usernames"
          data-complete
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="editors-hint"
        />
        <span class="hint" id="editors-hint">
          Usernames of those who may change it too, with spaces between them.
        </span>
        <datalist id="usernames" />
      </p>
      {gist !== null && (
        <Check name="gist" checked={gist}>
          Make a gist of it at GitHub, too
        </Check>
      )}
    </div>
  </details>
)

/** Why there are no settings, for those who have none. */
const NoSettings = ({ accountId }: { accountId: string | null }) =>
  accountId === null ? (
    <p class="hint">
      These need an account: a password, deletion after the first view, another expiration, editors, a public
      listing, the language, the length of the link, a gist. After <a href="/sign-in?return=/">signing in</a>{' '}
      you are back here
      <span id="kept" hidden>
        , with what you have written
      </span>
      .
    </p>
  ) : (
    <p class="hint">
      Settings need a confirmed e-mail address: see <a href="/account">your account</a>.
    </p>
  )

interface NewDocumentFormProps {
  readonly values: NewDocumentValues
  readonly problem?: Child
  readonly limits: WritingLimits
}

/** The form that makes a document. */
export const NewDocumentForm = ({ values, problem, limits }: NewDocumentFormProps) => {
  const { text, accountId, settings, editors, gist } = values
  return (
    <form
      method="post"
      action="/"
      enctype="multipart/form-data"
      class="editor"
      id="editor"
      {...writingData(limits)}
      data-confirmed={settings !== null}
    >
      {problem && <Problem>{problem}</Problem>}
      {accountId !== null && <input type="hidden" name="account" value={accountId} />}
      <TextField text={text} describedBy={problem ? 'problem' : settings ? null : 'lifetime'} autofocus />
      {settings && (
        <NewDocumentSettings settings={settings} editors={editors} gist={gist} open={problem !== undefined} />
      )}
      <div class="actions">
        <button type="submit">Create document</button>
        {!settings && <p id="lifetime">Anyone with the link can read it. It expires after 7 days.</p>}
      </div>
      {!settings && <NoSettings accountId={accountId} />}
    </form>
  )
}
