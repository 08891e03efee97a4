import { PLAIN_TEXT } from '../../shared/languages.ts'
import type { RequestSettings } from '../../shared/settings.ts'
import { MIXED_LINE_BREAKS } from '../code-editor/line-breaks.ts'
import { requireContent } from '../document-form/content-limits.ts'
import { setUpDocumentForm } from '../document-form/document-form.ts'
import { addExpiryDate } from '../document-form/expiry-field.ts'
import { saveOnSubmit } from '../document-form/save-form.ts'
import { encryptText } from '../encryption/jwe-client.ts'
import { announce } from '../shared/announce.ts'
import { requireElement } from '../shared/elements.ts'
import { createDocument, requireSameAccount } from './create-request.ts'
import { readSettings } from './create-settings.ts'
import { showCreatedPanel } from './created-panel.ts'
import { type Drafts, keepDrafts } from './drafts.ts'
import { takeDuplicate } from './duplicate.ts'
import { addEncryptionField } from './encryption-field.ts'

const form = requireElement<HTMLFormElement>('#new-document')
const status = requireElement('#form-status')
const maxContentBytes = Number(form.dataset.maxContentBytes)
/** Whether an account with a confirmed email address is signed in: only those may use settings. */
const confirmed = form.dataset.confirmed === 'true'
const accountId = form.querySelector<HTMLInputElement>('input[name="account"]')?.value ?? null

const textarea = requireElement<HTMLTextAreaElement>('#content', form)
const typedEarly = textarea.value !== ''
const focused = [textarea, document.body, null].includes(document.activeElement as HTMLTextAreaElement | null)
const { codeEditor, language, languageInput } = setUpDocumentForm(form, { status, savesLanguage: confirmed })
if (!confirmed) languageInput.removeAttribute('name')

let drafts: Drafts | null = null
const encryption = confirmed ? addEncryptionField(form, () => drafts?.update()) : null
if (confirmed) addExpiryDate(form)
const duplicate = takeDuplicate()
const hasMixedLineBreaks = duplicate !== null && !codeEditor.replace(duplicate.text)
if (duplicate) {
  languageInput.value = duplicate.language ?? PLAIN_TEXT
  languageInput.dispatchEvent(new Event('input', { bubbles: true }))
}
drafts = keepDrafts({
  form,
  codeEditor,
  accountId,
  isCopy: duplicate !== null,
  mayStore: () => !encryption?.isChosen(),
})
const parkedDraft = drafts.hasParked() && 'We’ll restore your draft the next time you create a document.'
if (duplicate) {
  const messages = [
    'This is a copy. Saving it creates a new document.',
    hasMixedLineBreaks && MIXED_LINE_BREAKS,
    parkedDraft,
  ]
  announce(status, messages.filter(Boolean).join(' '))
} else if (typedEarly && parkedDraft) announce(status, parkedDraft)

/** Creates the document, encrypted if that was chosen. Throws a SaveError, or an Error if encryption fails. */
async function create(text: string, onProgress: (step: string) => void) {
  // If language detection can't be loaded, the server detects the language.
  const name = confirmed ? await language.current().catch(() => 'auto') : PLAIN_TEXT
  const settings: RequestSettings = {
    ...(confirmed && readSettings(form)),
    ...(name !== PLAIN_TEXT && { language: name }),
  }
  if (!encryption?.isChosen()) {
    onProgress('Saving…')
    await requireSameAccount(accountId)
    return { created: await createDocument(text, settings), password: null }
  }
  const password = encryption.requirePassword()
  onProgress('Encrypting…')
  const burnAfterReading = settings.instant_delete === true
  const [encrypted] = await Promise.all([
    encryptText({ text, ...password, burnAfterReading }),
    requireSameAccount(accountId),
  ])
  onProgress('Saving…')
  const created = await createDocument(encrypted.jwe, {
    ...settings,
    encrypted: true,
    client_encrypted: true,
    ...(encrypted.claimHash !== null && { claim_hash: encrypted.claimHash }),
  })
  return { created, password }
}

saveOnSubmit({
  form,
  codeEditor,
  status,
  save: async (onProgress) => {
    const text = await requireContent(codeEditor.text(), maxContentBytes)
    const { created, password } = await create(text, onProgress)
    drafts?.end()
    showCreatedPanel(form, created, password)
  },
})

addEventListener('beforeunload', (event) => {
  if (drafts?.losesText()) event.preventDefault()
})

// On a phone, the keyboard would cover the page as soon as it opens.
if (focused && (typedEarly || matchMedia('(pointer: fine)').matches)) codeEditor.focus()
