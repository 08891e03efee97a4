import { AUTO } from '../../shared/languages.ts'
import { buildPasswordLink } from '../../shared/password-link.ts'
import { rememberDocument } from '../device/device-documents.ts'
import type { LanguageField } from '../document-form/language-field.ts'
import { encryptText } from '../encryption/jwe-client.ts'
import { leavePassword } from '../encryption/link-password.ts'
import type { PendingCopy } from '../share/copy-link.ts'
import { leaveShared, type UnsharedForm } from '../share/shared-document.ts'
import { requireElement } from '../shared/elements.ts'
import { buildForm, createDocument } from './create-request.ts'
import { readFields } from './drafts.ts'
import type { EncryptionField } from './encryption-field.ts'
import { resetHumanCheck } from './human-check.ts'

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

/**
 * Creates the document, encrypted if the user chose that, and copies its link.
 *
 * @returns a function that leaves for the document's page.
 * @throws SaveError, or an Error if encryption fails.
 */
export async function share(options: Options): Promise<() => Promise<never>> {
  const { form, text, language, encryption, pendingCopy, onProgress } = options
  const title = requireElement<HTMLInputElement>('#title', form).value
  // An encrypted document has no title, but Undo restores it.
  const fields = { ...readFields(form), title }
  // If language detection can't be loaded, the server detects the language.
  const languageName = await language.current().catch(() => AUTO)
  const password = encryption.isChosen() ? encryption.requirePassword() : null
  if (password) onProgress('Encrypting…')
  const encrypted = password && (await encryptText({ text, ...password }))
  onProgress('Saving…')
  const sent = buildForm(form, {
    content: encrypted?.jwe ?? text,
    language: languageName,
    encryption: encrypted && { claimHash: encrypted.claimHash },
  })
  const created = await createDocument(sent).catch((error) => {
    resetHumanCheck()
    throw error
  })
  const { id, url, token = null } = created

  if (token !== null) rememberDocument({ ...created, token })
  const link = password ? buildPasswordLink(url, password.password) : url
  const kept: UnsharedForm | null =
    text.length <= MAX_UNDO_CHARACTERS ? { text, fields, password: password?.password ?? null } : null
  const copied = await pendingCopy.copy(link)
  leaveShared({
    id,
    link,
    copied,
    password: password?.password ?? null,
    generated: password?.generated ?? false,
    token,
    form: kept,
  })
  return () => {
    if (password) leavePassword(id, password.password)
    location.assign(`/${id}`)
    // Keeps the form busy until the browser has left the page.
    return new Promise(() => {})
  }
}
