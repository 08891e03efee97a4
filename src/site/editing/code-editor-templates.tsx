import { ALPHABET } from '../../documents/model/ids.ts'
import { LanguageField } from '../settings/settings-fields.tsx'

/** Shown above the text. */
const Toolbar = ({ language }: { language: boolean }) => (
  <div class="toolbar">
    {language && <LanguageField value="auto" />}
    <p class="detected-language">
      <span id="detected-language" /> <button type="button" class="link" id="use-detected-language" hidden />
    </p>
    <button type="button" class="quiet" data-part="open">
      Open file
    </button>
    <input type="file" hidden aria-label="File to open" data-part="file" />
  </div>
)

/** Shown below the text. */
const KeyboardShortcuts = () => (
  <p class="hint" id="keyboard-shortcuts">
    To save, press <kbd>Ctrl</kbd>+<kbd>S</kbd> or <kbd>Ctrl</kbd>+<kbd>Enter</kbd> (<kbd>⌘</kbd> on a Mac).{' '}
    <kbd>Tab</kbd> indents; to move to the next field, press <kbd>Escape</kbd> first. You can drop a file here
    to open it.
  </p>
)

const DraftBanner = () => (
  <p class="banner draft" role="status">
    <span>Draft restored.</span>{' '}
    <button type="button" class="link">
      Discard draft
    </button>
  </p>
)

/** Replaces the form's choice of encryption: with scripts, the browser encrypts. */
const EncryptionField = () => (
  <fieldset class="encryption" data-alphabet={ALPHABET}>
    <legend class="visually-hidden">Encryption</legend>
    <label class="choice">
      <input type="checkbox" id="encrypt" aria-describedby="encrypt-hint" /> Encrypt with a password
    </label>
    <p class="hint" id="encrypt-hint">
      Your browser encrypts the text. We never see the text or the password, so we can’t recover a lost
      password.
    </p>
    <div id="encrypt-fields" hidden>
      <label for="encrypt-password">Password</label>
      <div class="input-with-buttons">
        <input
          id="encrypt-password"
          maxlength={1024}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="encrypt-password-hint"
        />
        <button type="button" class="quiet" aria-pressed="true" data-part="show" aria-label="Show password">
          Show
        </button>
        <button type="button" class="quiet" data-part="copy" aria-label="Copy password">
          Copy
        </button>
        <button type="button" class="quiet" data-part="generate" aria-label="Generate password">
          Generate
        </button>
      </div>
      <p class="hint" id="encrypt-password-hint" />
    </div>
  </fieldset>
)

const ExpiryDateField = () => (
  <p class="field" hidden>
    <label for="expires-at">Date and time</label>
    <input type="datetime-local" id="expires-at" name="expires_at" aria-describedby="expires-at-hint" />
    <span class="hint" id="expires-at-hint">
      In your time zone, between 1 minute and 10 years from now.
    </span>
  </p>
)

interface CopyFieldProps {
  readonly id: string
  readonly label: string
  readonly button: string
  readonly hint?: string
  /** Whether this is what most people copy. */
  readonly primary?: boolean
}

const CopyField = ({ id, label, button, hint, primary = false }: CopyFieldProps) => (
  <>
    <label for={id}>{label}</label>
    <div class="input-with-buttons">
      {/* With autocomplete on, browsers write the value to disk to restore it later. */}
      <input
        id={id}
        readonly
        autocomplete="off"
        spellcheck={false}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <button type="button" class={primary ? undefined : 'quiet'} aria-label={button} data-copies={id}>
        Copy
      </button>
    </div>
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
  </>
)

/** Replaces the form once the document is created. */
const CreatedPanel = () => (
  <section class="created" aria-labelledby="page-heading">
    <div>
      <p data-part="description" />
      <CopyField id="created-link" label="Link" button="Copy link" primary />
      <div data-part="password">
        <CopyField
          id="created-password"
          label="Password"
          button="Copy password"
          hint="You won’t see it again, and nobody can recover it. Send it separately from the link."
        />
        <CopyField
          id="created-link-with-password"
          label="Link with password"
          button="Copy link with password"
          hint="Anyone with this link can read the document. The part after # is never sent to us."
        />
      </div>
      <p class="actions">
        <a class="button quiet" href="/" data-part="open">
          Open
        </a>
        <a href="/">New document</a>
      </p>
    </div>
    <div class="qr-code" data-part="qr-code" />
  </section>
)

interface TemplatesProps {
  /** Whether the toolbar needs a language field because the form has none. */
  readonly language: boolean
}

/** What the scripts of the pages with a code editor add to them. */
export const CodeEditorTemplates = ({ language }: TemplatesProps) => (
  <>
    <p id="form-status" role="status" />
    <template id="toolbar-template">
      <Toolbar language={language} />
    </template>
    <template id="keyboard-shortcuts-template">
      <KeyboardShortcuts />
    </template>
    <template id="expiry-date-template">
      <ExpiryDateField />
    </template>
  </>
)

/** What the script of the page for new documents adds to it. */
export const NewDocumentTemplates = ({ language }: TemplatesProps) => (
  <>
    <CodeEditorTemplates language={language} />
    <template id="draft-template">
      <DraftBanner />
    </template>
    <template id="encryption-template">
      <EncryptionField />
    </template>
    <template id="created-template">
      <CreatedPanel />
    </template>
  </>
)
