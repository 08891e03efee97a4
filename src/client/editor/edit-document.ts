import { deriveTitle } from '../../shared/derive-title.ts'
import { buildPasswordLink } from '../../shared/password-link.ts'
import type { RequestSettings } from '../../shared/settings.ts'
import { findToken, keepEditedDocument } from '../device/device-documents.ts'
import {
  canEncrypt,
  decryptInWorker,
  deriveClaimTokenInWorker,
  encryptInWorker,
} from '../encryption/jwe-client.ts'
import { createPasswordForm, getPasswordHint, takePassword } from '../encryption/password.ts'
import { announce, requireElement, yieldToPage } from '../shared/elements.ts'
import type { EditedDocument } from '../together/edit-changes.ts'
import { requireContent, startDocumentForm } from './document-form.ts'
import {
  type ChangedSettings,
  type EditableSettings,
  editSettings,
  pickEditable,
  type ShownSettings,
} from './edit-settings.ts'
import { requestApi, rethrowForUser, SaveError, saveOnSubmit, showError } from './save-form.ts'
import { hasUniformLineBreaks, MIXED_LINE_BREAKS } from './text-box.ts'

/** Many more, encoded in one go, would block the page. */
const SLICE_CHARACTERS = 512 * 1024

export async function toJsonBody(members: object, content?: string): Promise<string | Blob> {
  if (content === undefined || content.length <= SLICE_CHARACTERS)
    return JSON.stringify({ content, ...members })
  const slices: Blob[] = []
  for (let at = 0; at < content.length; at += SLICE_CHARACTERS) {
    await yieldToPage()
    // A slice may end inside a surrogate pair: JSON escapes each half, and the parser joins them again.
    slices.push(new Blob([JSON.stringify(content.slice(at, at + SLICE_CHARACTERS)).slice(1, -1)]))
  }
  return new Blob(['{"content":"', ...slices, `",${JSON.stringify(members).slice(1)}`])
}

interface DocumentVersion {
  readonly content: string
  readonly settings: EditableSettings
  readonly etag: string
}

interface ApiDocument {
  readonly content: string
  readonly timestamps: { readonly expiration: string }
  readonly settings: ShownSettings
}

/** The cookie goes to the document's pages only. */
const tokenHeader = (token: string | null): Record<string, string> =>
  token === null ? {} : { 'X-Document-Token': token }

async function fetchVersion(id: string, token: string | null): Promise<DocumentVersion> {
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

const loadComparison = () =>
  import('./conflict.ts').catch(() => {
    throw new SaveError(NOT_COMPARED)
  })

interface EditOptions {
  readonly decrypted: Decrypted | null
  readonly token: string | null
}

function readStoredText(form: HTMLFormElement, decrypted: Decrypted | null): string {
  const textarea = requireElement<HTMLTextAreaElement>('#content', form)
  if (!decrypted)
    return form.dataset.lineBreaks === 'crlf'
      ? textarea.defaultValue.replaceAll('\n', '\r\n')
      : textarea.defaultValue
  textarea.defaultValue = decrypted.text
  return decrypted.text
}

/** Saves only if nobody else has saved since the document was opened. */
function startEditForm(form: HTMLFormElement, { decrypted, token }: EditOptions): void {
  const { document: id = '' } = form.dataset
  const version = requireElement<HTMLInputElement>('[name="version"]', form)
  const text = readStoredText(form, decrypted)
  // An earlier version differs from the stored text.
  let base = form.dataset.changed === 'true' ? null : text
  const { codeEditor, language, status, maxContentBytes } = startDocumentForm(form, { text })
  const settings = editSettings(form, language)
  if (decrypted && !hasUniformLineBreaks(decrypted.text)) announce(status, MIXED_LINE_BREAKS)
  let latest = decrypted
  let navigating = false
  let watched: EditedDocument | null = null

  const isTextChanged = () => codeEditor.text() !== base
  const hasChanges = () => isTextChanged() || settings.areChanged()
  const openDocument = () => {
    navigating = true
    location.assign(decrypted ? buildPasswordLink(`/${id}`, decrypted.password) : `/${id}`)
    // Keeps the form busy until the browser has left the page.
    return new Promise<never>(() => {})
  }

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
    const [saved, { mergeConflict }] = await Promise.all([fetchVersion(id, token), loadComparison()])
    const theirs = latest
      ? await decryptInWorker(saved.content, latest.password).catch(rethrowForUser)
      : saved.content
    if (theirs === null) throw new SaveError(PASSWORD_CHANGED, 'content')
    const contested = settings.merge(saved.settings)
    const merged = mergeConflict(codeEditor, { base: base ?? '', theirs })
    version.value = saved.etag
    if (latest) latest = { ...latest, text: theirs, jwe: saved.content }
    base = merged.saved
    watched?.onMerged()
    return contested.length === 0
      ? merged.message
      : `${merged.message} You both changed ${SETTINGS_LIST.format(contested)}, and your choice is selected.`
  }

  async function resolveConflict(): Promise<never> {
    const message = await mergeSavedVersion()
    if (!hasChanges()) return openDocument()
    throw new SaveError(message, 'content')
  }

  const watchChanges = async () => {
    const { watchEditedDocument } = await import('../together/edit-changes.ts')
    watched = watchEditedDocument({
      id,
      etag: () => version.value,
      hasChanges,
      findAuthor: () => findAuthor(id, token),
      mergeSavedVersion,
      onConflict: (message) => showError(form, codeEditor, new SaveError(message, 'content')),
    })
  }
  // Without it, saving still finds out.
  setTimeout(() => void watchChanges().catch(console.error), WATCH_AFTER_MS)

  saveOnSubmit({
    form,
    codeEditor,
    status,
    maySendPlain: () => decrypted === null,
    beforePlain: () => {
      navigating = true
    },
    save: async (onProgress) => {
      if (!hasChanges()) return openDocument()
      try {
        const saved = await saveVersion(id, { etag: version.value, token }, await buildChange(onProgress))
        if (token !== null) {
          const expiresAt = Date.parse(saved.timestamps.expiration)
          const title = saved.settings.title ?? (latest ? null : deriveTitle(saved.content))
          await keepEditedDocument({ id, token, title, expiresAt })
        }
      } catch (error) {
        if (error instanceof SaveError && error.code === 'precondition_failed') return resolveConflict()
        throw error
      }
      return openDocument()
    },
  })
  addEventListener('beforeunload', (event) => {
    if (!navigating && form.isConnected && isTextChanged()) event.preventDefault()
  })
  // A page restored from the back/forward cache shows the version from before saving.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && navigating) location.reload()
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
    startEditForm(requireElement<HTMLFormElement>('form#edit'), { decrypted: { password, text, jwe }, token })
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
  else if (!isPlain && form) startEditForm(form, { decrypted: null, token })
}
