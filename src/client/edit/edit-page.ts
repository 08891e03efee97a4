import { deriveTitle } from '../../shared/derive-title.ts'
import { buildPasswordLink } from '../../shared/password-link.ts'
import { hasUniformLineBreaks, MIXED_LINE_BREAKS } from '../code-editor/line-breaks.ts'
import { findToken, keepEditedDocument } from '../device/device-documents.ts'
import { requireContent } from '../document-form/content-limits.ts'
import { setUpDocumentForm } from '../document-form/document-form.ts'
import { addExpiryDate } from '../document-form/expiry-field.ts'
import { SaveError } from '../document-form/save-errors.ts'
import { saveOnSubmit } from '../document-form/save-form.ts'
import {
  canEncrypt,
  decryptInWorker,
  deriveClaimTokenInWorker,
  encryptInWorker,
} from '../encryption/jwe-client.ts'
import { createPasswordForm, getPasswordHint, takePassword } from '../encryption/password.ts'
import { announce, requireElement } from '../shared/elements.ts'
import { mergeConflict } from './conflict.ts'
import { type DocumentChange, fetchVersion, findAuthor, saveVersion } from './edit-request.ts'
import { editSettings } from './edit-settings.ts'

interface Decrypted {
  readonly password: string
  /** The text with its own line breaks, which a form can't hold. */
  readonly text: string
  readonly jwe: string
}

const PASSWORD_CHANGED =
  'Someone changed this document’s password after you opened it, so we can’t compare it with your text. Copy ' +
  'your text, then open the document again.'

const WATCH_AFTER_MS = 2_000

const SETTINGS_LIST = new Intl.ListFormat('en-GB')

interface EditOptions {
  readonly decrypted: Decrypted | null
  readonly token: string | null
}

/** Saves only if nobody else has saved since the document was opened. */
function startEditForm(form: HTMLFormElement, { decrypted, token }: EditOptions): void {
  const { document: id = '', lineBreaks, anyDate } = form.dataset
  const maxContentBytes = Number(form.dataset.maxContentBytes)
  const status = requireElement('#form-status')
  const { value, defaultValue } = requireElement<HTMLTextAreaElement>('#content', form)
  const withStoredLineBreaks = (text: string) =>
    lineBreaks === 'crlf' ? text.replaceAll('\n', '\r\n') : text
  const { codeEditor, language } = setUpDocumentForm(form, {
    status,
    text: decrypted?.text ?? withStoredLineBreaks(value),
  })
  if (anyDate === 'true') addExpiryDate(form)
  const settings = editSettings(form, language)
  let etag = requireElement<HTMLInputElement>('[name="version"]', form).value
  // The user may have typed into the textarea before this script ran.
  let base = !decrypted && value !== defaultValue ? withStoredLineBreaks(defaultValue) : codeEditor.text()
  if (decrypted && !hasUniformLineBreaks(decrypted.text)) announce(status, MIXED_LINE_BREAKS)
  let latest = decrypted
  let navigating = false

  const isTextChanged = () => codeEditor.text() !== base
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
    const encrypted = await encryptInWorker({
      text: content ?? latest.text,
      password: latest.password,
      generated: { asIn: latest.jwe },
    })
    const [header = ''] = latest.jwe.split('.', 1)
    const claimToken = await deriveClaimTokenInWorker(header, latest.password)
    onProgress('Saving…')
    return {
      content: encrypted.jwe,
      claimToken,
      settings: { ...changed, client_encrypted: true, claim_hash: encrypted.claimHash },
    }
  }

  async function mergeSavedVersion(): Promise<string> {
    const version = await fetchVersion(id, token)
    const theirs = latest ? await decryptInWorker(version.content, latest.password) : version.content
    if (theirs === null) throw new SaveError(PASSWORD_CHANGED, 'content')
    const contested = settings.merge(version.settings)
    const merged = await mergeConflict(codeEditor, { base, theirs })
    etag = version.etag
    if (latest) latest = { ...latest, text: theirs, jwe: version.content }
    base = merged.saved
    const both =
      contested.length > 0
        ? ` You both changed ${SETTINGS_LIST.format(contested)}, and your choice is selected.`
        : ''
    return merged.message + both
  }

  async function resolveConflict(): Promise<never> {
    const message = await mergeSavedVersion()
    if (!isTextChanged() && !settings.areChanged()) return openDocument()
    throw new SaveError(message, 'content')
  }

  const watchChanges = async () => {
    const { watchEditedDocument } = await import('../together/edit-changes.ts')
    watchEditedDocument({
      id,
      etag: () => etag,
      hasChanges: () => isTextChanged() || settings.areChanged(),
      findAuthor: () => findAuthor(id, token),
      mergeSavedVersion,
    })
  }
  // Without it, saving still finds out.
  setTimeout(() => void watchChanges().catch(console.error), WATCH_AFTER_MS)

  saveOnSubmit({
    form,
    codeEditor,
    status,
    save: async (onProgress) => {
      if (!isTextChanged() && !settings.areChanged()) return openDocument()
      try {
        const saved = await saveVersion(id, { etag, token }, await buildChange(onProgress))
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
  codeEditor.focus()
}

interface Locked {
  readonly locked: HTMLElement
  readonly decrypted: HTMLTemplateElement
  readonly jwe: string
  readonly token: string | null
}

function decryptToEdit({ locked, decrypted, jwe, token }: Locked): void {
  const form = createPasswordForm(requireElement<HTMLFormElement>('form', locked))
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
