import type { Child } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'
import { nanoid } from 'nanoid'
import type { AppContext } from '../../env.ts'
import type { AnswerOptions } from '../../http/answers.ts'
import { contentSecurityPolicy } from '../../platform/security-headers.ts'
import { ALPHABET, MAX_NAME_CHARACTERS } from '../../shared/document-ids.ts'
import { TEXT_CHARACTERS } from '../../shared/escape.ts'
import { AUTO, findLanguage, LANGUAGES, TXTAR } from '../../shared/languages.ts'
import { isLongField } from '../../shared/lines.ts'
import { MAX_PASSWORD_CHARACTERS, MAX_TITLE_CHARACTERS, SETTINGS } from '../../shared/settings.ts'
import type { TextFile } from '../../shared/txtar.ts'
import {
  CODE_EDITOR_FILES,
  EDIT_FILES,
  EDITING_STYLES,
  MARKDOWN_STYLES,
  SCRIPTS,
} from '../../ui/assets.generated.ts'
import { Checkbox, Field } from '../../ui/fields.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { AboutLinks, Layout } from '../../ui/layout.tsx'
import type { LinkPreview } from '../../ui/link-preview.tsx'
import { JweWorker, page, SlicedText, usePage, withHeaders } from '../../ui/page.tsx'
import { AddFileButton, FileBoxes } from './file-fields.tsx'

// New documents, copies, edits and conflicts are written on one page: a bar with the settings above the text.

export function answerEditor(
  c: AppContext,
  content: JSX.Element,
  { turnstile = false, ...options }: AnswerOptions & { readonly turnstile?: boolean },
): Promise<Response> {
  const styleNonce = nanoid()
  // The preview draws diagrams in frames.
  const policy = contentSecurityPolicy({ styleNonce, turnstile, frames: true })
  const headers = { 'Content-Security-Policy': policy }
  return page(c, content, withHeaders({ ...options, styleNonce }, headers))
}

type SelectOption = readonly [value: string, label: string]

interface BarSelectProps {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly value: string
  readonly options: readonly SelectOption[]
}

const BarSelect = ({ id, label, icon, value, options }: BarSelectProps) => (
  <div class={`icon-field bar-field bar-${id}`} title={label}>
    <Icon name={icon} />
    <label for={id} class="visually-hidden">
      {label}
    </label>
    <select id={id} name={id}>
      {options.map(([option, name]) => (
        <option value={option} selected={option === value}>
          {name}
        </option>
      ))}
    </select>
    <Icon name="chevron-down" />
  </div>
)

const KNOWN_LANGUAGES: readonly SelectOption[] = [
  [AUTO, 'Auto'],
  ...LANGUAGES.map(({ name, label }) => [name, label] as const),
]

/** A script makes it searchable. Documents can have languages that the site doesn't know. */
const LanguageSelect = ({ value }: { value: string }) => {
  const known = value === AUTO ? AUTO : findLanguage(value)?.name
  const options: readonly SelectOption[] = known ? KNOWN_LANGUAGES : [[value, value], ...KNOWN_LANGUAGES]
  return (
    <BarSelect
      id="language"
      label={SETTINGS.language.label}
      icon="code"
      value={known ?? value}
      options={options}
    />
  )
}

const BurnToggle = ({ checked, describedBy }: { checked: boolean; describedBy?: string | undefined }) => (
  <label class="tool bar-burn" title={SETTINGS.instant_delete.label}>
    <input
      type="checkbox"
      id="instant_delete"
      name="instant_delete"
      value="yes"
      checked={checked}
      aria-label={SETTINGS.instant_delete.label}
      aria-describedby={describedBy}
    />
    <Icon name="flame" />
    <span class="bar-text">{SETTINGS.instant_delete.label}</span>
  </label>
)

export const NameField = ({ value }: { value: string }) => (
  <Field
    label={SETTINGS.name.label}
    name="name"
    value={value}
    required={false}
    maxlength={MAX_NAME_CHARACTERS}
    hint={SETTINGS.name.help}
  />
)

export const PreviewImageChoice = ({ checked }: { checked: boolean }) => (
  <Checkbox name="image_embed" checked={checked}>
    {SETTINGS.image_embed.label}
  </Checkbox>
)

interface BarMenuProps {
  readonly id: 'password-menu' | 'more-menu'
  readonly label: string
  readonly icon: IconName
  readonly open: boolean
  readonly labelled?: boolean
  readonly onPhonesOnly?: boolean
  readonly children: Child
}

/** Panels with the same name close each other. */
export const BarMenu = ({
  id,
  label,
  icon,
  open,
  labelled = false,
  onPhonesOnly = false,
  children,
}: BarMenuProps) => (
  <details class={onPhonesOnly ? 'bar-menu for-phones' : 'bar-menu'} name="bar-menu" id={id} open={open}>
    <summary class="tool" title={label}>
      <Icon name={icon} />
      <span class={labelled ? 'bar-text' : 'visually-hidden'}>{label}</span>
      {/* A script says here whether the settings differ from the defaults. */}
      <span class="visually-hidden" data-part="state" />
    </summary>
    <div class="bar-panel">
      {id === 'more-menu' && (
        <button type="button" class="quiet scripted add-file-in-menu" data-part="add-file">
          + File
        </button>
      )}
      {children}
    </div>
  </details>
)

export interface BarSettings {
  /** Is null for an encrypted document: a title isn't encrypted. */
  readonly title: string | null
  readonly language: string
  readonly expires: string
  readonly expiries: readonly SelectOption[]
  /** Is null if it isn't offered. */
  readonly burn: boolean | null
  readonly burnDescribedBy?: string
  readonly menus: Child
}

interface BarProps {
  /** Is null for an account that may not use settings. */
  readonly settings: BarSettings | null
  readonly button: string
  /** The document's page, unless the document is new. */
  readonly back?: string
  /** Is false while the text is encrypted: only the settings can be saved then. */
  readonly hasText: boolean
}

const TitleInput = ({ value }: { value: string | null }) => (
  <input
    class="bar-title"
    name={value === null ? undefined : 'title'}
    id="title"
    value={value ?? ''}
    disabled={value === null}
    maxlength={MAX_TITLE_CHARACTERS}
    placeholder={value === null ? 'No title (encrypted)' : 'Title or file name'}
    aria-label="Title or file name"
    autocomplete="off"
    autocapitalize="off"
    spellcheck={false}
    enterkeyhint="done"
  />
)

const Bar = ({ settings, button, back, hasText }: BarProps) => (
  <div class="bar">
    {settings ? (
      <>
        <TitleInput value={settings.title} />
        {hasText && (
          <button type="button" class="tool scripted add-file" data-part="add-file">
            + File
          </button>
        )}
        <div class="bar-settings">
          <LanguageSelect value={settings.language} />
          <BarSelect
            id="expires"
            label={SETTINGS.expiration.label}
            icon="clock"
            value={settings.expires}
            options={settings.expiries}
          />
          {settings.burn !== null && (
            <BurnToggle checked={settings.burn} describedBy={settings.burnDescribedBy} />
          )}
          {settings.menus}
        </div>
      </>
    ) : (
      <p class="bar-title hint">
        To change settings, confirm your email address in <a href="/account">your account</a>.
      </p>
    )}
    <div class="bar-actions">
      {hasText && (
        <>
          <button type="button" class="tool" data-part="preview" title="Preview" aria-pressed="false" hidden>
            <Icon name="eye" />
            <span class="visually-hidden">Preview</span>
          </button>
          <button
            type="button"
            class="tool scripted"
            data-part="open"
            title="Open files (with Shift: a folder), or drop them on the text"
          >
            <Icon name="open" />
            <span class="visually-hidden">Open files</span>
          </button>
          <input type="file" multiple hidden aria-label="Files to open" data-part="file" />
        </>
      )}
      {back !== undefined && (
        <a class="tool" href={back} title="Back to the document">
          <Icon name="close" />
          <span class="visually-hidden">Back to the document</span>
        </a>
      )}
      {/* Without the text, this isn't the page's main action: opening the text is. */}
      <button type="submit" class={hasText ? 'share' : 'share quiet'}>
        {button}
        {/* A script makes it work. It's here from the start, so that nothing moves then. */}
        {hasText && (
          <span class="scripted for-keyboard" aria-hidden="true">
            <kbd>Ctrl+S</kbd>
          </span>
        )}
      </button>
    </div>
  </div>
)

interface EditorFormProps extends Omit<BarProps, 'hasText'> {
  readonly id: 'new-document' | 'edit'
  readonly action: string
  readonly data?: Readonly<Record<string, string | boolean | undefined>>
  /** Fields that aren't displayed. */
  readonly hidden: Child
  /** Messages that stand between the bar and the text. */
  readonly messages?: Child
  readonly text: string | null
  /** The files, each of which has a box in place of the text. Only pages without scripts have them. */
  readonly files?: readonly TextFile[] | null | undefined
  readonly describedBy?: string | undefined
  readonly placeholder?: string
  /** The part of the form that stands beside the text. */
  readonly aside?: Child
}

export const EditorForm = ({
  id,
  action,
  data = {},
  hidden,
  messages,
  text,
  files = null,
  describedBy,
  placeholder,
  aside,
  ...bar
}: EditorFormProps) => (
  <form
    method="post"
    action={action}
    enctype="multipart/form-data"
    autocomplete="off"
    class="document-form"
    id={id}
    data-style-nonce={usePage().styleNonce}
    data-max-content-bytes={usePage().maxContentBytes}
    data-code-editor-files={CODE_EDITOR_FILES.join(' ')}
    // For the preview of Markdown.
    data-highlight-worker={SCRIPTS.highlightWorker}
    data-markdown-styles={MARKDOWN_STYLES}
    {...data}
  >
    {hidden}
    <Bar {...bar} hasText={text !== null} />
    <div class="bar-strip" data-part="strip">
      {messages}
    </div>
    {text !== null && files && <FileBoxes files={files} problemId={describedBy} />}
    {text !== null && !files && (
      <>
        <label for="content" class={aside ? 'own-version' : 'visually-hidden'}>
          {aside ? 'Your version' : 'Text'}
        </label>
        <textarea
          id="content"
          name="content"
          required
          autofocus={!isLongField(text)}
          spellcheck={false}
          autocapitalize="off"
          data-long={isLongField(text) ? '' : undefined}
          placeholder={placeholder}
          aria-describedby={describedBy}
        >
          {/* The HTML parser drops a line break at the start. */}
          {'\n'}
          <SlicedText text={text} characters={TEXT_CHARACTERS} />
        </textarea>
        {/* It describes the code editor to screen readers. Everyone finds it in the list of keys, too. */}
        <p id="keyboard-help" hidden>
          Tab indents. To move on, press Escape first.
        </p>
        {bar.settings && (
          <noscript>
            <p class="file-box">
              <AddFileButton isArchive={bar.settings.language === TXTAR} />
            </p>
          </noscript>
        )}
        {/* On touch screens, a script shows it while there is no text. */}
        <button type="button" class="paste" data-part="paste" hidden>
          <Icon name="paste" />
          Paste
        </button>
      </>
    )}
    {aside}
  </form>
)

const DraftBanner = () => (
  <div class="strip row apart quiet-text" role="status">
    <span>Draft restored</span>
    <button type="button" class="quiet small">
      Discard draft
    </button>
  </div>
)

/** Replaces the form's choice of encryption: with scripts, the browser encrypts. */
const EncryptionField = () => (
  <fieldset class="encryption stack" data-alphabet={ALPHABET}>
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
      <input
        id="encrypt-password"
        maxlength={MAX_PASSWORD_CHARACTERS}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-describedby="encrypt-password-hint"
      />
      <p class="row">
        {['Hide', 'Copy', 'Generate'].map((name) => (
          <button type="button" class="quiet" data-part={name.toLowerCase()} aria-label={`${name} password`}>
            {name}
          </button>
        ))}
      </p>
      <p class="hint" id="encrypt-password-hint" />
    </div>
  </fieldset>
)

const ExpiryDateField = () => (
  <div class="strip row" hidden>
    <label for="expires-at">Date and time</label>
    <input type="datetime-local" id="expires-at" name="expires_at" aria-describedby="expires-at-hint" />
    <span class="hint" id="expires-at-hint">
      In your time zone, between 1 minute and 10 years from now.
    </span>
  </div>
)

interface EditorPageProps {
  readonly title: string
  readonly signedIn: boolean
  readonly edits: boolean
  readonly scripts: readonly string[]
  readonly preview?: LinkPreview
  readonly note?: Child
  readonly children: Child
}

export const EditorPage = ({ title, edits, scripts, note, children, ...layout }: EditorPageProps) => (
  <Layout
    {...layout}
    title={title}
    fillWindow
    styles={[EDITING_STYLES]}
    scripts={[SCRIPTS.editor, ...scripts]}
    // Otherwise a browser would find out about each only once the one before it has arrived.
    head={
      <>
        <JweWorker />
        {edits && EDIT_FILES.map((file) => <link rel="modulepreload" href={file} />)}
      </>
    }
  >
    <h1 id="page-heading" class="visually-hidden">
      {title}
    </h1>
    {children}
    <p class="home-notes row quiet-text">
      <span class="tagline">{note}</span>
      <AboutLinks isBrief={layout.signedIn} />
    </p>
    <p id="form-status" class="toast" role="status" />
    <template id="expiry-date-template">
      <ExpiryDateField />
    </template>
    {!edits && (
      <>
        <template id="draft-template">
          <DraftBanner />
        </template>
        <template id="encryption-template">
          <EncryptionField />
        </template>
      </>
    )}
  </Layout>
)
