import { PLAIN_TEXT } from '../../shared/languages.ts'
import { seal } from '../decrypt/jwe-client.ts'
import { MIXED_LINE_BREAKS, startWriting } from '../editor/code-editor-form.ts'
import { requireText, startSaving } from '../editor/save-form.ts'
import { announce } from '../shared/announce.ts'
import { part } from '../shared/elements.ts'
import { checkAccount, createDocument } from './create-request.ts'
import { type ApiSettings, offerDate, settingsOf } from './create-settings.ts'
import { showSaved } from './created-panel.ts'
import { type Drafts, keepDrafts } from './draft.ts'
import { takeDuplicate } from './duplicate.ts'
import { offerProtection } from './protection.ts'

const form = part<HTMLFormElement>('#editor')
const state = part('#editor-state')
const mostBytes = Number(form.dataset.maxContentBytes)
/** Whether whoever writes may use settings. */
const confirmed = form.dataset.confirmed === 'true'
const account = form.querySelector<HTMLInputElement>('input[name="account"]')?.value ?? null

const textarea = part<HTMLTextAreaElement>('#content', form)
const typed = textarea.value !== ''
const focused = [textarea, document.body, null].includes(document.activeElement as HTMLTextAreaElement | null)
const { editor, language, languageField } = startWriting(form, { state, keepsLanguage: confirmed })
if (!confirmed) languageField.removeAttribute('name')

let drafts: Drafts | null = null
const protection = confirmed ? offerProtection(form, () => drafts?.update()) : null
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
  mayKeep: () => !protection?.chosen(),
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
  if (!protection?.chosen()) {
    progress('Saving…')
    await checkAccount(account)
    return { created: await createDocument(text, settings), key: null }
  }
  const key = protection.require()
  progress('Encrypting…')
  const once = settings.instant_delete === true
  const [sealed] = await Promise.all([seal({ text, ...key, once }), checkAccount(account)])
  progress('Saving…')
  const created = await createDocument(sealed.envelope, {
    ...settings,
    encrypted: true,
    client_encrypted: true,
    ...(sealed.claimHash !== null && { claim_hash: sealed.claimHash }),
  })
  return { created, key }
}

startSaving({
  form,
  editor,
  state,
  save: async (progress) => {
    const { created, key } = await send(await requireText(editor, mostBytes), progress)
    drafts?.end()
    showSaved(form, created, key)
  },
})

addEventListener('beforeunload', (event) => {
  if (drafts?.losesText()) event.preventDefault()
})

// On a phone the keyboard would cover the page that was just opened.
if (focused && (typed || matchMedia('(pointer: fine)').matches)) editor.focus()
