import type { Child } from 'hono/jsx'
import { EXPIRY_CHOICES } from '../../shared/expiry.ts'
import type { CHOICES, Choice } from '../../shared/form-settings.ts'
import { AUTO, findLanguage, LANGUAGES } from '../../shared/languages.ts'
import { MAX_PASSWORD_CHARACTERS, MAX_TITLE_CHARACTERS, SETTINGS } from '../../shared/settings.ts'
import { Icon, type IconName } from '../components/icons.tsx'
import { type CodeEditorOptions, codeEditorData } from '../editing/code-editor-options.ts'
import { Problem } from '../layout/errors.tsx'
import { useFrame } from '../layout/page.tsx'
import { CheckboxField, ChoiceField, VisibilityField } from '../settings/settings-fields.tsx'
import type { NewDocumentValues } from '../settings/settings-form.ts'

/** The script finds its element by the class `cf-turnstile`. */
const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js'

const HumanCheck = ({ siteKey }: { siteKey: string }) => (
  <>
    <script src={SCRIPT} async defer />
    <div
      class="cf-turnstile"
      data-sitekey={siteKey}
      data-action="create"
      data-appearance="interaction-only"
    />
    <noscript>
      <p class="error">
        To share without an account, turn on JavaScript: this server checks that you’re human. Or{' '}
        <a href="/sign-in?return=/">sign in</a>.
      </p>
    </noscript>
  </>
)

/** Not a sign-in: the password is visible while it's typed, and browsers don't offer to save it. */
const PasswordPanel = ({ encryption }: { encryption: string }) => (
  <div class="fields" data-part="server-encryption">
    <ChoiceField name="encryption" value={encryption} />
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
  </div>
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

const formatAlternatives = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' or ')

const AccountHint = ({ accountId, offer }: Pick<NewDocumentValues, 'accountId' | 'offer'>) => {
  const reasons = [
    'add editors',
    ...(useFrame().explore ? ['make documents public'] : []),
    ...(offer.maxExpiryDays === null
      ? []
      : [useFrame().explore ? 'keep them longer' : 'keep documents longer']),
  ]
  return accountId === null ? (
    <p class="hint">
      <a href="/sign-in?return=/">Sign in</a> to {formatAlternatives(reasons)}
      <span id="draft-notice" hidden>
        . Your text will still be here
      </span>
      .
    </p>
  ) : (
    <p class="hint">
      To use all settings, confirm your email address in <a href="/account">your account</a>.
    </p>
  )
}

const MorePanel = ({ accountId, settings, offer, editors, gist }: NewDocumentValues) => (
  <div class="fields">
    <ChoiceField name="link" value={settings.link} />
    {offer.account && <VisibilityField value={settings.visibility} />}
    {offer.account && <EditorsField value={editors} />}
    {offer.previewImage && (
      <CheckboxField name="image_embed" checked={settings.imageEmbed}>
        {SETTINGS.image_embed.label}
      </CheckboxField>
    )}
    {gist !== null && (
      <CheckboxField name="create_gist" checked={gist}>
        {SETTINGS.create_gist.label}
      </CheckboxField>
    )}
    {!offer.account && <AccountHint accountId={accountId} offer={offer} />}
    <p class="hint" id="keyboard-help">
      In the text, <kbd>Tab</kbd> indents. To move on, press <kbd>Escape</kbd> first.
    </p>
  </div>
)

const PANEL_FIELDS = {
  password: ['password', 'encryption'],
  more: ['link', 'visibility', 'editors', 'image_embed', 'create_gist'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof CHOICES | keyof typeof SETTINGS)[]>>

interface BarSelectProps {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly children: Child
}

const BarSelect = ({ id, label, icon, children }: BarSelectProps) => (
  <div class="bar-field" title={label}>
    <Icon name={icon} />
    <label for={id} class="visually-hidden">
      {label}
    </label>
    <select id={id} name={id}>
      {children}
    </select>
  </div>
)

const LanguageSelect = ({ value }: { value: string }) => {
  const known = value === AUTO ? AUTO : findLanguage(value)?.name
  return (
    <BarSelect id="language" label={SETTINGS.language.label} icon="code">
      <option value={AUTO} selected={known === AUTO}>
        Auto
      </option>
      {known === undefined && (
        <option value={value} selected>
          {value}
        </option>
      )}
      {LANGUAGES.map(({ name, label }) => (
        <option value={name} selected={name === known}>
          {label}
        </option>
      ))}
    </BarSelect>
  )
}

interface ExpirySelectProps {
  readonly value: Choice<'expires'>
  readonly offered: readonly Choice<'expires'>[]
}

/** Leaves out “After”, because the clock icon says it. */
const ExpirySelect = ({ value, offered }: ExpirySelectProps) => (
  <BarSelect id="expires" label={SETTINGS.expiration.label} icon="clock">
    {offered.map((choice) => (
      <option value={choice} selected={choice === value}>
        {EXPIRY_CHOICES[choice].label.replace(/^After /, '')}
      </option>
    ))}
  </BarSelect>
)

const BurnToggle = ({ checked }: { checked: boolean }) => (
  <label class="bar-toggle" title={SETTINGS.instant_delete.label}>
    <input type="checkbox" name="instant_delete" value="yes" checked={checked} />
    <Icon name="flame" />
    <span class="bar-text">{SETTINGS.instant_delete.label}</span>
  </label>
)

interface BarMenuProps {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly open: boolean
  readonly labelled?: boolean
  readonly children: Child
}

/** Panels with the same name close each other. */
const BarMenu = ({ id, label, icon, open, labelled = false, children }: BarMenuProps) => (
  <details class="bar-menu" name="bar-menu" id={id} open={open}>
    <summary class="bar-toggle" title={label}>
      <Icon name={icon} />
      <span class={labelled ? 'bar-text' : 'visually-hidden'}>{label}</span>
      {/* A script says here whether the settings differ from the defaults. */}
      <span class="visually-hidden" data-part="state" />
    </summary>
    <div class="bar-panel">{children}</div>
  </details>
)

export interface FormProblem {
  readonly message: Child
  readonly field: string | null
}

const PLACEHOLDER = 'Paste or type. Drop a file to open it.'

const VISITOR_PLACEHOLDER = `Paste code, logs or notes, then share the link.
No account needed. Documents expire, and a password encrypts them in your browser.`

interface NewDocumentFormProps {
  readonly values: NewDocumentValues
  readonly problem: FormProblem | null
  readonly codeEditor: CodeEditorOptions
}

const isIn = (fields: readonly string[], problem: FormProblem | null): boolean =>
  problem?.field != null && fields.includes(problem.field)

const Bar = ({ values, problem }: Omit<NewDocumentFormProps, 'codeEditor'>) => {
  const { title, settings, offer } = values
  return (
    <div class="bar">
      <input
        class="bar-title"
        name="title"
        id="title"
        value={title}
        maxlength={MAX_TITLE_CHARACTERS}
        placeholder="Title or file name"
        aria-label="Title or file name"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="done"
      />
      <div class="bar-settings">
        <LanguageSelect value={settings.language} />
        <ExpirySelect value={settings.expires} offered={offer.expires} />
        <BurnToggle checked={settings.burnAfterReading} />
        <BarMenu
          id="password-menu"
          label="Password"
          icon="lock"
          labelled
          open={isIn(PANEL_FIELDS.password, problem)}
        >
          <PasswordPanel encryption={settings.encryption} />
        </BarMenu>
        <BarMenu id="more-menu" label="More settings" icon="settings" open={isIn(PANEL_FIELDS.more, problem)}>
          <MorePanel {...values} />
        </BarMenu>
      </div>
      <div class="bar-actions">
        <button
          type="button"
          class="bar-toggle"
          data-part="preview"
          title="Preview"
          aria-pressed="false"
          hidden
        >
          <Icon name="eye" />
          <span class="visually-hidden">Preview</span>
        </button>
        <button type="button" class="bar-toggle scripted" data-part="open" title="Open file">
          <Icon name="open" />
          <span class="visually-hidden">Open file</span>
        </button>
        <input type="file" hidden aria-label="File to open" data-part="file" />
        <button type="submit" class="share">
          Share
          {/* A script makes it work. It's here from the start, so that nothing moves then. */}
          <span class="scripted" aria-hidden="true">
            <kbd>Ctrl+S</kbd>
          </span>
        </button>
      </div>
    </div>
  )
}

export const NewDocumentForm = ({ values, problem, codeEditor }: NewDocumentFormProps) => {
  const { text, accountId, duplicatedFrom, turnstileSiteKey } = values
  return (
    <form
      method="post"
      action="/"
      enctype="multipart/form-data"
      autocomplete="off"
      class="document-form"
      id="new-document"
      {...codeEditorData(codeEditor)}
    >
      {accountId !== null && <input type="hidden" name="account" value={accountId} />}
      <input type="hidden" name="duplicated_from" value={duplicatedFrom} />
      <Bar values={values} problem={problem} />
      <div class="bar-strip" data-part="strip">
        {problem && <Problem>{problem.message}</Problem>}
        {turnstileSiteKey !== null && <HumanCheck siteKey={turnstileSiteKey} />}
      </div>
      <label for="content" class="visually-hidden">
        Text
      </label>
      <textarea
        id="content"
        name="content"
        required
        autofocus
        spellcheck={false}
        autocapitalize="off"
        placeholder={accountId === null ? VISITOR_PLACEHOLDER : PLACEHOLDER}
        aria-describedby={problem ? 'problem' : undefined}
      >
        {/* The HTML parser drops a line break at the start. */}
        {`\n${text}`}
      </textarea>
    </form>
  )
}
