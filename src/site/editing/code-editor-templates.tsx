import { ALPHABET } from '../../documents/model/ids.ts'
import { LanguageField } from './settings-fields.tsx'

/** Above the text: what it is, and where else it may come from. */
const Toolbar = ({ language }: { language: boolean }) => (
  <div class="toolbar">
    {language && <LanguageField value="auto" />}
    <p class="detected">
      <span id="detected" /> <button type="button" class="link" id="use-detected" hidden />
    </p>
    <button type="button" class="quiet" data-part="open">
      Open a file
    </button>
    <input type="file" hidden aria-label="File to open" data-part="file" />
  </div>
)

/** Below the text: how it is written by keyboard alone. */
const Keys = () => (
  <p class="hint" id="editor-keys">
    <kbd>Ctrl</kbd> or <kbd>⌘</kbd> with <kbd>S</kbd> or <kbd>Enter</kbd> saves. <kbd>Tab</kbd> indents:{' '}
    <kbd>Escape</kbd>, then <kbd>Tab</kbd>, leaves the text. A file can be dropped here.
  </p>
)

const DraftNote = () => (
  <p class="banner draft" role="status">
    <span>Draft restored: this is what you wrote here before.</span>{' '}
    <button type="button" class="link">
      Discard draft
    </button>
  </p>
)

/** Stands where the form has its choice of encryptions: with scripts it happens in the browser. */
const Protection = () => (
  <fieldset class="protection" data-alphabet={ALPHABET}>
    <legend class="unseen">Encryption</legend>
    <label class="choice">
      <input type="checkbox" id="protect" aria-describedby="protect-hint" /> Protect with a password
    </label>
    <p class="hint" id="protect-hint">
      The text is encrypted in this browser. Neither it nor the password is sent to the server, so nobody
      there can read it, or find out a lost password.
    </p>
    <div id="protect-fields" hidden>
      <label for="protect-password">Password</label>
      <div class="with-buttons">
        <input
          id="protect-password"
          maxlength={1024}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="protect-kind"
        />
        <button type="button" class="quiet" aria-pressed="true" data-part="show">
          Show
        </button>
        <button type="button" class="quiet" data-part="copy" aria-label="Copy password">
          Copy
        </button>
        <button type="button" class="quiet" data-part="generate" aria-label="Generate password">
          Generate
        </button>
      </div>
      <p class="hint" id="protect-kind" />
    </div>
  </fieldset>
)

const DateField = () => (
  <p class="field" hidden>
    <label for="expires-at">Date and time</label>
    <input type="datetime-local" id="expires-at" name="expires_at" aria-describedby="expires-at-hint" />
    <span class="hint" id="expires-at-hint">
      In the time of this device: at least a minute and at most ten years ahead.
    </span>
  </p>
)

interface CopiedFieldProps {
  readonly id: string
  readonly label: string
  readonly button: string
  readonly hint?: string
  /** What most people copy. */
  readonly first?: boolean
}

const CopiedField = ({ id, label, button, hint, first = false }: CopiedFieldProps) => (
  <>
    <label for={id}>{label}</label>
    <div class="with-buttons">
      {/* Browsers write what stands in fields to the disk, to bring it back. */}
      <input
        id={id}
        readonly
        autocomplete="off"
        spellcheck={false}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <button type="button" class={first ? undefined : 'quiet'} aria-label={button} data-copies={id}>
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

const Saved = () => (
  <section class="saved" aria-labelledby="editor-title">
    <div>
      <p data-part="facts" />
      <CopiedField id="saved-link" label="Link" button="Copy the link" first />
      <div data-part="secret">
        <CopiedField
          id="saved-password"
          label="Password"
          button="Copy the password"
          hint="It is shown this once, and nobody can find it out again. Send it another way than the link."
        />
        <CopiedField
          id="saved-whole"
          label="Link with the password in it"
          button="Copy the link with the password"
          hint="Whoever gets this link can read the document, with nothing else to know. What stands after # is not sent to the server."
        />
      </div>
      <p class="actions">
        <a class="button quiet" href="/" data-part="open">
          Open
        </a>
        <a href="/">New document</a>
      </p>
    </div>
    <div class="qr" data-part="code" />
  </section>
)

/**
 * The parts of a page to write on that only its script can bring to life, so nobody sees them without.
 *
 * @param props.language whether the form around the text has no field for its language.
 */
export const WritingTemplates = ({ language }: { language: boolean }) => (
  <>
    <p id="editor-state" role="status" />
    <template id="editor-toolbar">
      <Toolbar language={language} />
    </template>
    <template id="editor-hints">
      <Keys />
    </template>
    <template id="editor-date">
      <DateField />
    </template>
  </>
)

/** The same of the page that makes a document, and what it alone has. */
export const EditorTemplates = ({ language }: { language: boolean }) => (
  <>
    <WritingTemplates language={language} />
    <template id="editor-draft">
      <DraftNote />
    </template>
    <template id="editor-protection">
      <Protection />
    </template>
    <template id="editor-saved">
      <Saved />
    </template>
  </>
)
