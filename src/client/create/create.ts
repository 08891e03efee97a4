import { PLAIN_TEXT } from '../../shared/languages.ts'
import { seal } from '../decrypt/jwe-client.ts'
import { MIXED_LINE_BREAKS, setUpDocumentForm } from '../document-form/document-form.ts'
import { requireContent, saveOnSubmit } from '../document-form/save-form.ts'
import { announce } from '../shared/announce.ts'
import { requireElement } from '../shared/elements.ts'
import { createDocument, requireSameAccount } from './create-request.ts'
import { type ApiSettings, offerDate, settingsOf } from './create-settings.ts'
import { showCreatedPanel } from './created-panel.ts'
import { type Drafts, keepDrafts } from './drafts.ts'
import { takeDuplicate } from './duplicate.ts'
import { addEncryptionField } from './encryption-field.ts'

const form = requireElement<HTMLFormElement>('#editor')
const state = requireElement('#editor-state')
const mostBytes = Number(form.dataset.maxContentBytes)
/** Whether whoever writes may use settings. */
const confirmed = form.dataset.confirmed === 'true'
const account = form.querySelector<HTMLInputElement>('input[name="account"]')?.value ?? null

const textarea = requireElement<HTMLTextAreaElement>('#content', form)
const typed = textarea.value !== ''
const focused = [textarea, document.body, null].includes(document.activeElement as HTMLTextAreaElement | null)
const { editor, language, languageField } = setUpDocumentForm(form, { state, keepsLanguage: confirmed })
if (!confirmed) languageField.removeAttribute('name')

let drafts: Drafts | null = null
const protection = confirmed ? addEncryptionField(form, () => drafts?.update()) : null
if (confirmed) offerDate(form)
const duplicate = takeDuplicate()
const mixed = duplicate && !editor.replace(duplicate.text)
if (duplicate) {
  languageField.value = duplicate.language ?? PLAIN_TEXT
  languageField.dispatchEvent(new Event('input', { bubbles: true }))
}
drafts = keepDrafts({
  form,
  editor,
  account,
  handed: duplicate !== null,
  mayKeep: () => !protection?.isChosen(),
})
const draft = drafts.hasAside() ? 'The draft that was here comes back with the next new document.' : ''
if (duplicate) {
  const here = 'The text of the document is here, to be saved as another one.'
  announce(state, [here, mixed && MIXED_LINE_BREAKS, draft].filter(Boolean).join(' '))
} else if (typed && draft) announce(state, draft)

/** Encrypts, if that was chosen, and sends. Throws a SaveProblem, or what the encryption could not do. */
async function send(text: string, progress: (words: string) => void) {
  const settings: ApiSettings = confirmed ? settingsOf(form) : {}
  // Where what detects it can not be loaded, the service does it.
  const name = confirmed ? await language.current().catch(() => 'auto') : PLAIN_TEXT
  if (name !== PLAIN_TEXT) settings.language = name
  if (!protection?.isChosen()) {
    progress('Saving…')
    await requireSameAccount(account)
    return { created: await createDocument(text, settings), key: null }
  }
  const key = protection.requirePassword()
  progress('Encrypting…')
  const once = settings.instant_delete === true
  const [sealed] = await Promise.all([seal({ text, ...key, once }), requireSameAccount(account)])
  progress('Saving…')
  const created = await createDocument(sealed.envelope, {
    ...settings,
    encrypted: true,
    client_encrypted: true,
    ...(sealed.claimHash !== null && { claim_hash: sealed.claimHash }),
  })
  return { created, key }
}

saveOnSubmit({
  form,
  editor,
  state,
  save: async (progress) => {
    const { created, key } = await send(await requireContent(editor, mostBytes), progress)
    drafts?.end()
    showCreatedPanel(form, created, key)
  },
})

addEventListener('beforeunload', (event) => {
  if (drafts?.losesText()) event.preventDefault()
})

// On a phone the keyboard would cover the page that was just opened.
if (focused && (typed || matchMedia('(pointer: fine)').matches)) editor.focus()
