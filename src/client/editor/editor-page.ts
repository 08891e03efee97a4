import type { CreateAnswer } from '../../shared/form-settings.ts'
import { AUTO, PLAIN_TEXT, TXTAR } from '../../shared/languages.ts'
import { MIXED_LINE_BREAKS } from '../../shared/lines.ts'
import { buildPasswordLink } from '../../shared/password-link.ts'
import { rememberDocument } from '../device/device-documents.ts'
import { encryptInWorker, storeLinkPassword } from '../encryption/encryption.ts'
import { preloadLanguage } from '../highlight/language-file.ts'
import { type GivenForm, storeShared, takeGiven } from '../share/shared-document.ts'
import { copyToClipboard, requireElement } from '../shared/elements.ts'
import { markMenu } from './bar-menus.ts'
import { readExpiryDate, requireContent, startDocumentForm } from './document-form.ts'
import { type Drafts, fillForm, keepDrafts, readFormValues } from './drafts.ts'
import { addEncryptionField, type EncryptionField, restoreServerFields } from './encryption-field.ts'
import {
  announceInForm,
  createDocumentSender,
  rethrowForUser,
  type Saving,
  saveOnSubmit,
} from './save-form.ts'

const CLIPBOARD_TIMEOUT_MS = 1_500

/** Asks for the clipboard right after a click or a key press: once the document is created, it may be too late. */
function startCopy() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const blob = promise.then((text) => new Blob([text], { type: 'text/plain' }))
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
    copy: async (text: string): Promise<boolean> => {
      resolve(text)
      const timeout = new Promise<boolean>((resolve) =>
        setTimeout(() => resolve(false), CLIPBOARD_TIMEOUT_MS),
      )
      if (await Promise.race([written, timeout])) return true
      return Promise.race([copyToClipboard(text), timeout])
    },
    cancel: () => reject(new Error('Nothing was shared.')),
  }
}

declare global {
  /** Cloudflare's script, on pages that need its check. */
  var turnstile: { reset(): void } | undefined
}

/**
 * The length of the longest text that is kept so that sharing can be undone: browsers keep about five million
 * characters.
 */
const MAX_UNDO_CHARACTERS = 2_000_000

interface ShareOptions extends Saving {
  readonly form: HTMLFormElement
  readonly text: string
  readonly findLanguage: () => Promise<string>
  readonly encryption: EncryptionField
  readonly pendingCopy: ReturnType<typeof startCopy>
  readonly send: ReturnType<typeof createDocumentSender>
}

/** Returns the address of the document's page. */
async function share(options: ShareOptions): Promise<string> {
  const { form, text, findLanguage, encryption, pendingCopy, send, onProgress, onSend } = options
  const title = requireElement<HTMLInputElement>('#title', form).value
  // An encrypted document has no title, but Undo restores it.
  const fields = { ...readFormValues(form), title }
  // If language detection can't be loaded, the server detects the language.
  const languageName = await findLanguage().catch(() => AUTO)
  const password = encryption.isChosen() ? encryption.requirePassword() : null
  const wanted = new FormData(form)
  // Of a new text, the server detects it again.
  if (wanted.get('language') === AUTO && languageName !== AUTO) wanted.set('language_detected', 'yes')
  wanted.set('language', languageName)
  if (wanted.get('expires') === 'date') wanted.set('expires_at', readExpiryDate(form))
  const prepare = async (sent: FormData) => {
    if (password) onProgress('Encrypting…')
    const encrypted = password && (await encryptInWorker({ text, ...password }).catch(rethrowForUser))
    // Forms replace line breaks and NUL in text, so the content is a file.
    sent.set('content', new Blob([encrypted?.jwe ?? text], { type: 'text/plain' }), 'content')
    if (encrypted) {
      sent.set('client_encrypted', 'yes')
      sent.set('claim_hash', encrypted.claimHash)
      sent.delete('duplicated_from')
    }
    onProgress('Saving…')
    return sent
  }
  if (languageName !== AUTO && languageName !== PLAIN_TEXT) preloadLanguage(languageName)
  const request = { text, form: wanted, password: password?.password ?? null, prepare }
  const created = await send(request, onSend).catch((error) => {
    // Each token of the widget works once.
    globalThis.turnstile?.reset()
    throw error
  })
  // The document is there: whatever fails from now on, its page opens.
  const isKept = await keepForPage({ created, text, fields, password, pendingCopy }).catch((error) => {
    console.error(error)
    return false
  })
  const address = `/${created.id}`
  // Nobody else knows a password that was generated.
  return isKept || !password?.generated ? address : buildPasswordLink(address, password.password)
}

interface Shared {
  readonly created: CreateAnswer
  readonly text: string
  readonly fields: GivenForm['fields']
  readonly password: ReturnType<EncryptionField['requirePassword']> | null
  readonly pendingCopy: ReturnType<typeof startCopy>
}

/** Hands over to the document's page what only this one knows. Returns false if the browser has no room for it. */
async function keepForPage({ created, text, fields, password, pendingCopy }: Shared): Promise<boolean> {
  const { id, url, token, expiresAt } = created
  if (token !== null) rememberDocument({ ...created, token })
  const wasTyped = password !== null && !password.generated
  const generated = password?.generated ? password.password : null
  // A password that somebody chose may open more than this document, and nobody expects it in a link.
  const copied = await pendingCopy.copy(generated === null ? url : buildPasswordLink(url, generated))
  // Browsers write what they keep for a tab to disk, so neither is kept, nor the text that it encrypts.
  if (generated !== null) storeLinkPassword(id, generated)
  return storeShared({
    id,
    url,
    copied,
    password: generated,
    wasTyped,
    burns: fields.instant_delete === 'yes',
    isPublic: fields.visibility === 'public',
    expiresAt,
    token,
    form: wasTyped || text.length > MAX_UNDO_CHARACTERS ? null : { text, fields, password: generated },
  })
}

function markMoreMenu(form: HTMLFormElement): void {
  const menu = form.querySelector<HTMLElement>('#more-menu')
  if (!menu) return
  const update = () => {
    const fields = new FormData(form)
    const isAt = (name: string, value: string) => (fields.get(name) ?? value) === value
    const changed =
      !(
        isAt('link', 'standard') &&
        isAt('visibility', 'unlisted') &&
        isAt('name', '') &&
        isAt('editors', '')
      ) ||
      fields.has('image_embed') ||
      fields.has('create_gist')
    markMenu(menu, changed)
  }
  for (const event of ['input', 'change']) menu.addEventListener(event, update)
  update()
}

function startNewDocument(form: HTMLFormElement): void {
  const textarea = requireElement<HTMLTextAreaElement>('#content', form)
  const titleInput = requireElement<HTMLInputElement>('#title', form)
  const originalInput = requireElement<HTMLInputElement>('input[name="duplicated_from"]', form)

  const typedEarly = textarea.value !== ''
  // On a phone, the keyboard would cover the page as soon as it opens.
  const opensKeyboard = !matchMedia('(pointer: fine)').matches
  if (opensKeyboard && !typedEarly && !navigator.userActivation?.hasBeenActive) textarea.blur()
  const focused = [textarea, document.body, null].includes(
    document.activeElement as HTMLTextAreaElement | null,
  )

  const { codeEditor, confirmPublic, files, language, maxContentBytes } = startDocumentForm(form, {
    onOpenFile: (name) => {
      titleInput.value = name
    },
  })
  let drafts: Drafts | null = null
  const encryption = addEncryptionField(form, () => drafts?.update())

  const given = takeGiven()
  const isCopy = given?.copyOf !== undefined
  const hasMixedLineBreaks = given !== null && !codeEditor.replace(given.text)
  if (given) {
    fillForm(form, given.fields)
    if (given.copyOf !== undefined) originalInput.value = given.copyOf
    if (given.password !== null) encryption.choose(given.password)
  }
  codeEditor.onChange(() => {
    if (codeEditor.isEmpty()) originalInput.value = ''
  })
  drafts = keepDrafts({ form, codeEditor, isCopy, mayStore: () => !encryption.isChosen() })
  markMoreMenu(form)
  // A draft or a copy of several files.
  void files.openArchive(codeEditor.text()).then((text) => text !== null && drafts?.setFirst(text))
  const findLanguage = async () => (files.isOpen() ? TXTAR : language.current())

  const isDraft = given === null && !typedEarly
  const messages = [
    given && (isCopy ? 'This is a copy. Saving it creates a new document.' : 'Deleted. Your text is back.'),
    hasMixedLineBreaks && MIXED_LINE_BREAKS,
    drafts.hasOther() &&
      `We’ll restore your ${isDraft ? 'other ' : ''}draft the next time you create a document.`,
  ].filter(Boolean)
  if (messages.length > 0) announceInForm(messages.join(' '))

  const send = createDocumentSender()
  saveOnSubmit({
    form,
    codeEditor,
    maySendPlain: () => !encryption.isChosen(),
    losesText: () => drafts?.losesText() ?? false,
    save: async (saving) => {
      // First of all: browsers allow it only right after a click or a key press.
      const pendingCopy = startCopy()
      try {
        const text = await requireContent(codeEditor.text(), maxContentBytes)
        await confirmPublic()
        const address = await share({ ...saving, form, text, findLanguage, encryption, pendingCopy, send })
        drafts?.end()
        return address
      } catch (error) {
        pendingCopy.cancel()
        throw error
      }
    },
  })

  if (focused && (typedEarly || !opensKeyboard)) codeEditor.focus()
}

/** The form works without scripts, too: the server has all of it. */
function keepPlainForm(): void {
  restoreServerFields()
  document.querySelector('#content')?.removeAttribute('data-long')
  announceInForm('Part of this page couldn’t be loaded. You can still write and save.')
}

async function start(): Promise<void> {
  const form = document.querySelector<HTMLFormElement>('#new-document')
  if (form) return startNewDocument(form)
  const { startEditing } = await import('./edit-document.ts')
  startEditing()
}

start().catch(keepPlainForm)
