import { titleText } from '../../shared/derive-title.ts'
import { withLineBreaks } from '../../shared/lines.ts'
import { buildPasswordLink } from '../../shared/password-link.ts'
import { CHECKBOXES, type CheckboxName, type RequestSettings, SETTINGS } from '../../shared/settings.ts'
import { findToken, keepEditedDocument, tokenHeader } from '../device/device-documents.ts'
import {
  canEncrypt,
  createPasswordForm,
  decryptInWorker,
  deriveClaimTokenInWorker,
  encryptInWorker,
  getPasswordHint,
  takePassword,
} from '../encryption/encryption.ts'
import { announce, requireElement } from '../shared/elements.ts'
import { readExpiration, requireContent, startDocumentForm } from './document-form.ts'
import { type LanguageField, setLanguageValue } from './language-field.ts'
import { requestApi, rethrowForUser, SaveError, saveOnSubmit, showError, toJsonBody } from './save-form.ts'
import { hasUniformLineBreaks, MIXED_LINE_BREAKS } from './text-box.ts'

type FormFlag = 'public' | CheckboxName

const FORM_FLAGS: readonly FormFlag[] = ['public', ...CHECKBOXES]
const NAMES = ['title', 'language', ...FORM_FLAGS] as const

/** What the form can change, by the names in the API. */
export type EditableSettings = Readonly<Record<FormFlag, boolean>> & {
  readonly title: string
  readonly language: string
}

/** The API shows a title only if somebody gave one. */
type ShownSettings = Omit<EditableSettings, 'title'> & { readonly title?: string }

type ChangedSettings = RequestSettings<'title' | 'language' | 'expiration' | FormFlag>

export const pickEditable = (settings: ShownSettings): EditableSettings => ({
  ...toFlags((name) => settings[name]),
  title: settings.title ?? '',
  language: settings.language,
})

const toFlags = (isSet: (name: FormFlag) => boolean) =>
  Object.fromEntries(FORM_FLAGS.map((name) => [name, isSet(name)])) as Readonly<Record<FormFlag, boolean>>

function findControl(form: HTMLFormElement, name: keyof EditableSettings) {
  const control = form.elements.namedItem(name === 'public' ? 'visibility' : name)
  return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control : null
}

const isOn = (control: ReturnType<typeof findControl>): boolean =>
  control instanceof HTMLInputElement ? control.checked : control?.value === 'public'

const read = (form: HTMLFormElement): EditableSettings => ({
  ...toFlags((name) => isOn(findControl(form, name))),
  title: findControl(form, 'title')?.value.trim() ?? '',
  language: findControl(form, 'language')?.value ?? '',
})

function write(form: HTMLFormElement, settings: EditableSettings): void {
  const [title, language] = [findControl(form, 'title'), findControl(form, 'language')]
  if (title) title.value = settings.title
  if (language instanceof HTMLSelectElement) setLanguageValue(language, settings.language)
  language?.dispatchEvent(new Event('input', { bubbles: true }))
  for (const name of FORM_FLAGS) {
    const control = findControl(form, name)
    if (control instanceof HTMLInputElement) control.checked = settings[name]
    else if (control) control.value = settings[name] ? 'public' : 'unlisted'
  }
}

const limitToForm = (form: HTMLFormElement, settings: EditableSettings): EditableSettings => ({
  ...toFlags((name) => findControl(form, name) !== null && settings[name]),
  title: findControl(form, 'title') ? settings.title : '',
  language: findControl(form, 'language') ? settings.language : '',
})

const differences = (one: EditableSettings, other: EditableSettings) =>
  NAMES.filter((name) => one[name] !== other[name])

const pick = (settings: EditableSettings, names: readonly (keyof EditableSettings)[]) =>
  Object.fromEntries(names.map((name) => [name, settings[name]])) as Partial<EditableSettings>

/** Where both changed the same setting, mine stays and is `contested`. */
export function mergeSettings({ base, mine, theirs }: Record<'base' | 'mine' | 'theirs', EditableSettings>) {
  const changed = differences(mine, base)
  return {
    merged: { ...theirs, ...pick(mine, changed) },
    contested: changed.filter((name) => theirs[name] !== base[name] && theirs[name] !== mine[name]),
  }
}

function editSettings(form: HTMLFormElement, language: LanguageField) {
  let present = read(form)
  return {
    changed: async (): Promise<ChangedSettings> => {
      const wanted = pick(read(form), differences(read(form), present))
      const named = wanted.language === undefined ? {} : { language: await language.current() }
      return { ...wanted, ...named, ...readExpiration(form) }
    },
    areChanged: () => differences(read(form), present).length > 0 || 'expiration' in readExpiration(form),
    /** Returns the labels of settings that both changed. */
    merge: (saved: EditableSettings): string[] => {
      const theirs = limitToForm(form, saved)
      const { merged, contested } = mergeSettings({ base: present, mine: read(form), theirs })
      write(form, merged)
      present = theirs
      return contested.map((name) => `“${SETTINGS[name].label}”`)
    },
  }
}

interface ApiDocument {
  readonly content: string
  readonly timestamps: { readonly expiration: string }
  readonly settings: ShownSettings
}

async function fetchVersion(id: string, token: string | null) {
  const { data, etag } = await requestApi<ApiDocument>(`/v1/document/${id}`, { headers: tokenHeader(token) })
  return { content: data.content, settings: pickEditable(data.settings), etag }
}

async function findAuthor(id: string, token: string | null): Promise<string | null> {
  const { data } = await requestApi<{ revisions: readonly { author: string | null }[] }>(
    `/v1/document/${id}/revisions`,
    { headers: tokenHeader(token) },
  )
  return data.revisions[0]?.author ?? null
}

interface DocumentChange {
  readonly content: string | undefined
  /** Proves the password of an encrypted document to the server, which lets only those replace it who can read it. */
  readonly claimToken?: string
  readonly settings: ChangedSettings & RequestSettings<'client_encrypted' | 'claim_hash'>
}

async function saveVersion(
  id: string,
  { etag, token }: { etag: string; token: string | null },
  { content, claimToken, settings }: DocumentChange,
): Promise<ApiDocument> {
  const { data } = await requestApi<ApiDocument>('/v1/document', {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', 'If-Match': etag, ...tokenHeader(token) },
    body: await toJsonBody(
      { id, ...(claimToken !== undefined && { claim_token: claimToken }), settings },
      content,
    ),
  })
  return data
}

interface Decrypted {
  readonly password: string
  /** The text with its own line breaks, which a form can't hold. */
  readonly text: string
  readonly jwe: string
}

const PASSWORD_CHANGED =
  'Someone changed this document’s password after you opened it, so we can’t compare it with your text. Copy ' +
  'your text, then open the document again.'

const NOT_COMPARED =
  'Someone else saved first, and the tool that compares both versions couldn’t be loaded. Your text is still here. Save ' +
  'again when you’re online.'

const WATCH_AFTER_MS = 2_000

const SETTINGS_LIST = new Intl.ListFormat('en-GB')

const mergedFirst = (message: string) => new SaveError(message, 'content', 'precondition_failed')

const loadComparison = () =>
  import('./conflict.ts').catch(() => {
    throw new SaveError(NOT_COMPARED)
  })

function readStoredText(form: HTMLFormElement, decrypted: Decrypted | null): string {
  const textarea = requireElement<HTMLTextAreaElement>('#content', form)
  if (!decrypted) return withLineBreaks(textarea.defaultValue, form.dataset.lineBreaks)
  textarea.defaultValue = decrypted.text
  return decrypted.text
}

/** Saves only if nobody else has saved since the document was opened. */
function startEditForm(form: HTMLFormElement, decrypted: Decrypted | null, token: string | null): void {
  const { document: id = '' } = form.dataset
  const version = requireElement<HTMLInputElement>('[name="version"]', form)
  const text = readStoredText(form, decrypted)
  // An earlier version differs from the stored text.
  let base = form.dataset.changed === 'true' ? null : text
  const { codeEditor, language, status, maxContentBytes } = startDocumentForm(form, { text })
  const settings = editSettings(form, language)
  if (decrypted && !hasUniformLineBreaks(decrypted.text)) announce(status, MIXED_LINE_BREAKS)
  let latest = decrypted
  let onMerged = () => {}

  const isTextChanged = () => codeEditor.text() !== base
  const hasChanges = () => isTextChanged() || settings.areChanged()
  const address = decrypted ? buildPasswordLink(`/${id}`, decrypted.password) : `/${id}`

  async function buildChange(onProgress: (step: string) => void): Promise<DocumentChange> {
    const content = isTextChanged() ? await requireContent(codeEditor.text(), maxContentBytes) : undefined
    const changed = await settings.changed()
    // Burn after reading needs a claim hash, which comes with a new JWE.
    if (!latest || (content === undefined && !changed.instant_delete)) return { content, settings: changed }
    onProgress('Encrypting…')
    const { text, password, jwe } = latest
    const encrypted = await encryptInWorker({
      text: content ?? text,
      password,
      generated: { asIn: jwe },
    }).catch(rethrowForUser)
    const [header = ''] = jwe.split('.', 1)
    const claimToken = await deriveClaimTokenInWorker(header, password).catch(rethrowForUser)
    onProgress('Saving…')
    return {
      content: encrypted.jwe,
      claimToken,
      settings: { ...changed, client_encrypted: true, claim_hash: encrypted.claimHash },
    }
  }

  async function mergeSavedVersion(): Promise<string> {
    const [saved, author, { mergeConflict }] = await Promise.all([
      fetchVersion(id, token),
      findAuthor(id, token).catch(() => null),
      loadComparison(),
    ])
    const theirs = latest
      ? await decryptInWorker(saved.content, latest.password).catch(rethrowForUser)
      : saved.content
    if (theirs === null) throw new SaveError(PASSWORD_CHANGED, 'content')
    const contested = settings.merge(saved.settings)
    const merged = mergeConflict(codeEditor, { base: base ?? '', theirs })
    version.value = saved.etag
    if (latest) latest = { ...latest, text: theirs, jwe: saved.content }
    base = merged.saved
    onMerged()
    const message = `${author ?? 'Someone else'} ${merged.message}`
    return contested.length === 0
      ? message
      : `${message} You both changed ${SETTINGS_LIST.format(contested)}, and your choice is selected.`
  }

  async function resolveConflict(): Promise<string> {
    const message = await mergeSavedVersion()
    if (!hasChanges()) return address
    throw mergedFirst(message)
  }

  const watchChanges = async () => {
    const { watchEditedDocument } = await import('../together/newer-versions.ts')
    onMerged = watchEditedDocument({
      id,
      etag: () => version.value,
      hasChanges,
      findAuthor: () => findAuthor(id, token),
      mergeSavedVersion,
      onConflict: (message) => showError(form, codeEditor, mergedFirst(message)),
    })
  }
  // Without it, saving still finds out.
  setTimeout(() => void watchChanges().catch(console.error), WATCH_AFTER_MS)

  saveOnSubmit({
    form,
    codeEditor,
    status,
    maySendPlain: () => decrypted === null,
    losesText: isTextChanged,
    save: async (onProgress) => {
      if (!hasChanges()) return address
      try {
        const saved = await saveVersion(id, { etag: version.value, token }, await buildChange(onProgress))
        if (token !== null) {
          const expiresAt = Date.parse(saved.timestamps.expiration)
          const { title: given, language } = saved.settings
          const title = given ?? (latest ? null : titleText(saved.content, language))
          await keepEditedDocument({ id, token, title, expiresAt })
        }
      } catch (error) {
        if (error instanceof SaveError && error.code === 'precondition_failed') return resolveConflict()
        throw error
      }
      return address
    },
  })
  if (matchMedia('(pointer: fine)').matches) codeEditor.focus()
}

interface Locked {
  readonly locked: HTMLElement
  readonly decrypted: HTMLTemplateElement
  readonly jwe: string
  readonly token: string | null
}

function decryptToEdit({ locked, decrypted, jwe, token }: Locked): void {
  const form = createPasswordForm(requireElement<HTMLFormElement>('.unlock form', locked))
  const linkPassword = takePassword()
  form.setHint(getPasswordHint(canEncrypt()))
  if (linkPassword !== null) form.fill(linkPassword)
  if (!canEncrypt()) return
  form.onSubmit(async (password) => {
    const text = await decryptInWorker(jwe, password)
    if (text === null) return form.fail('Wrong password. Try again.', { passwordWrong: true })
    locked.replaceWith(decrypted.content.cloneNode(true))
    startEditForm(requireElement<HTMLFormElement>('form#edit'), { password, text, jwe }, token)
  })
  if (linkPassword !== null) form.submit(linkPassword)
}

export function startEditing(): void {
  const locked = document.querySelector<HTMLElement>('#locked')
  const decrypted = document.querySelector<HTMLTemplateElement>('template#decrypted-form')
  const jwe = document.querySelector<HTMLTemplateElement>('template#jwe')?.content.textContent
  // A form that holds a password was decrypted on the server, which saves it too.
  const form = document.querySelector<HTMLFormElement>(
    'form#edit[data-line-breaks]:not(:has([name="password"]))',
  )
  const dataset = (form ?? decrypted?.content.querySelector<HTMLFormElement>('form#edit'))?.dataset
  const token = dataset?.byToken === 'true' ? findToken(dataset.document ?? '') : null
  // After a management link, only the cookie has the token: scripts can't read it, and the plain form needs no more.
  const isPlain = dataset?.byToken === 'true' && token === null
  if (!isPlain && locked && decrypted && jwe) decryptToEdit({ locked, decrypted, jwe: jwe.trim(), token })
  else if (!isPlain && form) startEditForm(form, null, token)
}
