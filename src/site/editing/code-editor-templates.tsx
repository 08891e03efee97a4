import { ALPHABET } from '../../documents/document.ts'

const Toolbar = () => (
  <div class="toolbar">
    <p class="detected-language">
      <span id="detected-language" /> <button type="button" class="link" id="use-detected-language" hidden />
    </p>
    <button type="button" class="quiet" data-part="preview" aria-pressed="false" hidden>
      Preview
    </button>
    <button type="button" class="quiet" data-part="open">
      Open file
    </button>
    <input type="file" hidden aria-label="File to open" data-part="file" />
  </div>
)

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

const SharedTemplates = () => (
  <>
    <p id="form-status" role="status" />
    <template id="expiry-date-template">
      <ExpiryDateField />
    </template>
  </>
)

export const CodeEditorTemplates = () => (
  <>
    <SharedTemplates />
    <template id="toolbar-template">
      <Toolbar />
    </template>
    <template id="keyboard-shortcuts-template">
      <KeyboardShortcuts />
    </template>
  </>
)

export const NewDocumentTemplates = () => (
  <>
    <SharedTemplates />
    <template id="draft-template">
      <DraftBanner />
    </template>
    <template id="encryption-template">
      <EncryptionField />
    </template>
  </>
)
