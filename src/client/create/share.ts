import type { CreateAnswer } from '../../shared/create-answer.ts'
import { parseUsernames } from '../../shared/form-settings.ts'
import { AUTO } from '../../shared/languages.ts'
import { buildPasswordLink } from '../../shared/password-link.ts'
import { rememberDocument } from '../device/device-documents.ts'
import { requestApi } from '../document-form/api-request.ts'
import { readExpiryDate } from '../document-form/expiry-field.ts'
import type { LanguageField } from '../document-form/language-field.ts'
import { encryptInWorker } from '../encryption/jwe-client.ts'
import { storePassword } from '../encryption/password.ts'
import { storeShared, type UnsharedForm } from '../share/shared-document.ts'
import { copyToClipboard, requireElement } from '../shared/elements.ts'
import { readFormValues } from './drafts.ts'
import type { EncryptionField } from './encryption-field.ts'

const CLIPBOARD_TIMEOUT_MS = 1_500

interface PendingCopy {
  readonly copy: (link: string) => Promise<boolean>
  readonly cancel: () => void
}

/** Asks for the clipboard right after a click or a key press: once the document is created, it may be too late. */
export function startCopy(): PendingCopy {
  const link = Promise.withResolvers<string>()
  const blob = link.promise.then((text) => new Blob([text], { type: 'text/plain' }))
  // Prevents an unhandled rejection if nothing else listens.
  blob.catch(() => {})
  let written: Promise<boolean> = Promise.resolve(false)
  try {
    const item = new ClipboardItem({ 'text/plain': blob })
    written = navigator.clipboard.write([item]).then(
      () => true,
      () => false,
    )
  } catch {
    // This browser takes no promises, or has no clipboard on an insecure page.
  }
  return {
    copy: async (text) => {
      link.resolve(text)
      const timeout = new Promise<boolean>((resolve) =>
        setTimeout(() => resolve(false), CLIPBOARD_TIMEOUT_MS),
      )
      if (await Promise.race([written, timeout])) return true
      return Promise.race([copyToClipboard(text), timeout])
    },
    cancel: () => link.reject(new Error('Nothing was shared.')),
  }
}

interface NewContent {
  readonly content: string
  readonly language: string
  readonly encryption: { readonly claimHash: string } | null
}

/** Forms replace line breaks and NUL in text, so the content is a file. */
function buildForm(form: HTMLFormElement, { content, language, encryption }: NewContent): FormData {
  const fields = new FormData(form)
  fields.set('content', new Blob([content], { type: 'text/plain' }), 'content')
  fields.set('language', language)
  if (fields.get('expires') === 'date') fields.set('expires_at', readExpiryDate(form))
  if (encryption) {
    fields.set('client_encrypted', 'yes')
    fields.set('claim_hash', encryption.claimHash)
    fields.delete('duplicated_from')
  }
  return fields
}

export async function postDocument(fields: FormData): Promise<CreateAnswer> {
  const { data } = await requestApi<CreateAnswer>('/', {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: fields,
    editors: parseUsernames(String(fields.get('editors') ?? '')),
  })
  return data
}

interface Turnstile {
  readonly reset: () => void
}

const isTurnstile = (value: unknown): value is Turnstile =>
  typeof value === 'object' && value !== null && 'reset' in value && typeof value.reset === 'function'

/** Each token of the widget works once. */
function resetHumanCheck(): void {
  const turnstile: unknown = Reflect.get(globalThis, 'turnstile')
  if (isTurnstile(turnstile)) turnstile.reset()
}

/** Longer texts aren't kept to undo sharing: browsers keep about five million characters. */
const MAX_UNDO_CHARACTERS = 2_000_000

interface Options {
  readonly form: HTMLFormElement
  readonly text: string
  readonly language: LanguageField
  readonly encryption: EncryptionField
  readonly pendingCopy: PendingCopy
  readonly onProgress: (step: string) => void
}

/** Returns a function that opens the document's page, and keeps the form busy until then. */
export async function share(options: Options): Promise<() => Promise<never>> {
  const { form, text, language, encryption, pendingCopy, onProgress } = options
  const title = requireElement<HTMLInputElement>('#title', form).value
  // An encrypted document has no title, but Undo restores it.
  const fields = { ...readFormValues(form), title }
  // If language detection can't be loaded, the server detects the language.
  const languageName = await language.current().catch(() => AUTO)
  const password = encryption.isChosen() ? encryption.requirePassword() : null
  if (password) onProgress('Encrypting…')
  const encrypted = password && (await encryptInWorker({ text, ...password }))
  onProgress('Saving…')
  const sent = buildForm(form, {
    content: encrypted?.jwe ?? text,
    language: languageName,
    encryption: encrypted && { claimHash: encrypted.claimHash },
  })
  const created = await postDocument(sent).catch((error) => {
    resetHumanCheck()
    throw error
  })
  const { id, url, token = null } = created

  if (token !== null) rememberDocument({ ...created, token })
  const link = password ? buildPasswordLink(url, password.password) : url
  const kept: UnsharedForm | null =
    text.length <= MAX_UNDO_CHARACTERS ? { text, fields, password: password?.password ?? null } : null
  const copied = await pendingCopy.copy(link)
  storeShared({
    id,
    link,
    copied,
    password: password?.password ?? null,
    generated: password?.generated ?? false,
    token,
    form: kept,
  })
  return () => {
    if (password) storePassword(id, password.password)
    location.assign(`/${id}`)
    return new Promise(() => {})
  }
}
