import type { Child } from 'hono/jsx'
import { DEFAULT_EXPIRY, EXPIRY_CHOICES } from '../../shared/expiry.ts'
import { type FormSettings, parseUsernames } from '../../shared/form-settings.ts'
import { MAX_PASSWORD_CHARACTERS, SETTINGS } from '../../shared/settings.ts'
import { Problem } from '../layout/problem.tsx'
import { CheckboxField, SettingsFields } from '../settings/settings-fields.tsx'
import { usesSettings } from '../settings/settings-form.ts'
import { type CodeEditorOptions, codeEditorData } from './code-editor-options.ts'
import { ContentField } from './content-field.tsx'

/** What the form for a new document is filled in with. */
export interface NewDocumentValues {
  readonly text: string
  /** The account that will be the creator; null for an anonymous document. */
  readonly accountId: string | null
  /** Null for viewers who may not use settings. */
  readonly settings: FormSettings | null
  /** As typed. */
  readonly editors: string
  /** Whether to create a gist; null if the account can't. */
  readonly gist: boolean | null
}

/** A document's password isn't a sign-in: it's visible while it's typed, and browsers don't offer to save it. */
const PasswordField = () => (
  <p class="field">
    <label for="password">{SETTINGS.password.label}</label>
    <input
      id="password"
      name="password"
      maxlength={MAX_PASSWORD_CHARACTERS}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      aria-describedby="password-hint"
    />
    <span class="hint" id="password-hint">
      {SETTINGS.password.help}
    </span>
  </p>
)

const EditorsField = ({ value }: { value: string }) => (
  <p class="field">
    <label for="editors">{SETTINGS.editors.label}</label>
    <input
      id="editors"
      name="editors"
      value={value}
      list="usernames"
      data-complete
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      aria-describedby="editors-hint"
    />
    <span class="hint" id="editors-hint">
      {SETTINGS.editors.help}
    </span>
    <datalist id="usernames" />
  </p>
)

interface NewDocumentSettingsProps {
  readonly settings: FormSettings
  readonly editors: string
  /** Null if the account can't create gists. */
  readonly gist: boolean | null
  /** Whether the form has a problem, which may be in a setting. */
  readonly open: boolean
}

const NewDocumentSettings = ({ settings, editors, gist, open }: NewDocumentSettingsProps) => (
  // Open if any setting differs from the service's default, so that nobody overlooks it.
  <details
    class="settings"
    open={open || gist || usesSettings({ ...settings, editors: parseUsernames(editors) })}
  >
    <summary>Settings</summary>
    <div class="fields">
      <SettingsFields values={settings} />
      <PasswordField />
      <EditorsField value={editors} />
      {gist !== null && (
        <CheckboxField name="create_gist" checked={gist}>
          {SETTINGS.create_gist.label}
        </CheckboxField>
      )}
    </div>
  </details>
)

/** Explains why there are no settings. */
const NoSettings = ({ accountId }: { accountId: string | null }) =>
  accountId === null ? (
    <p class="hint">
      <a href="/sign-in?return=/">Sign in</a> to set a language, a password, an expiry date or editors
      <span id="draft-notice" hidden>
        . Your text will still be here
      </span>
      .
    </p>
  ) : (
    <p class="hint">
      To use settings, confirm your email address in <a href="/account">your account</a>.
    </p>
  )

interface NewDocumentFormProps {
  readonly values: NewDocumentValues
  readonly problem?: Child
  readonly codeEditor: CodeEditorOptions
}

/** The form that creates a document. */
export const NewDocumentForm = ({ values, problem, codeEditor }: NewDocumentFormProps) => {
  const { text, accountId, settings, editors, gist } = values
  return (
    <form
      method="post"
      action="/"
      enctype="multipart/form-data"
      class="document-form"
      id="new-document"
      {...codeEditorData(codeEditor)}
      data-confirmed={settings !== null}
    >
      {problem && <Problem>{problem}</Problem>}
      {accountId !== null && <input type="hidden" name="account" value={accountId} />}
      <ContentField
        text={text}
        describedBy={problem ? 'problem' : settings ? null : 'default-expiry'}
        autofocus
      />
      {settings && (
        <NewDocumentSettings settings={settings} editors={editors} gist={gist} open={problem !== undefined} />
      )}
      <div class="actions">
        <button type="submit">Create document</button>
        {!settings && (
          <p id="default-expiry">
            Anyone with the link can read your document. It expires{' '}
            {EXPIRY_CHOICES[DEFAULT_EXPIRY].label.toLowerCase()}.
          </p>
        )}
      </div>
      {!settings && <NoSettings accountId={accountId} />}
    </form>
  )
}
