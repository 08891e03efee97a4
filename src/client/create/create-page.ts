import { AUTO, findLanguage, PLAIN_TEXT } from '../../shared/languages.ts'
import { MIXED_LINE_BREAKS } from '../code-editor/line-breaks.ts'
import { createUpgradingEditor } from '../code-editor/upgrading-editor.ts'
import { requireContent } from '../document-form/content-limits.ts'
import { addExpiryDate } from '../document-form/expiry-field.ts'
import { bindLanguageField } from '../document-form/language-field.ts'
import { openFilesIntoEditor } from '../document-form/open-files.ts'
import { saveOnSubmit } from '../document-form/save-form.ts'
import { startPreviewButton } from '../markdown/preview-button.ts'
import { takeDuplicate, takeUnshared } from '../share/shared-document.ts'
import { announce, requireElement } from '../shared/elements.ts'
import { type Drafts, fillForm, keepDrafts } from './drafts.ts'
import { addEncryptionField } from './encryption-field.ts'
import { closeMenusElsewhere, markMoreMenu, showShareKey } from './form-bar.ts'
import { share, startCopy } from './share.ts'

const form = requireElement<HTMLFormElement>('#new-document')
const status = requireElement('#form-status')
const textarea = requireElement<HTMLTextAreaElement>('#content', form)
const titleInput = requireElement<HTMLInputElement>('#title', form)
const originalInput = requireElement<HTMLInputElement>('input[name="duplicated_from"]', form)
const languageSelect = requireElement<HTMLSelectElement>('#language', form)
const maxContentBytes = Number(form.dataset.maxContentBytes)
const accountId = form.querySelector<HTMLInputElement>('input[name="account"]')?.value ?? null

const typedEarly = textarea.value !== ''
// On a phone, the keyboard would cover the page as soon as it opens.
const opensKeyboard = !matchMedia('(pointer: fine)').matches
if (opensKeyboard && !typedEarly && !navigator.userActivation?.hasBeenActive) textarea.blur()
const focused = [textarea, document.body, null].includes(document.activeElement as HTMLTextAreaElement | null)

const codeEditor = createUpgradingEditor(textarea, {
  label: requireElement<HTMLLabelElement>('label[for="content"]', form),
  describedBy: 'keyboard-help',
  styleNonce: form.dataset.styleNonce ?? '',
})

const autoOption = requireElement<HTMLOptionElement>('option[value="auto"]', languageSelect)
const language = bindLanguageField(codeEditor, languageSelect, {
  titleInput,
  onShow: ({ name, detected, problem }) => {
    const label = findLanguage(name)?.label ?? name
    autoOption.textContent = detected && name !== PLAIN_TEXT ? `Auto: ${label}` : 'Auto'
    if (problem) announce(status, problem)
  },
})

const previewButton = requireElement<HTMLButtonElement>('[data-part="preview"]', form)
startPreviewButton({ form, codeEditor, getLanguage: language.current, button: previewButton, status })

openFilesIntoEditor({
  form,
  codeEditor,
  language,
  status,
  onOpen: (name) => {
    titleInput.value = name
  },
})

let drafts: Drafts | null = null
const encryption = addEncryptionField(form, () => drafts?.update())
addExpiryDate(form)
closeMenusElsewhere(form)

const unshared = takeUnshared()
const duplicate = unshared ? null : takeDuplicate()
const given = unshared?.text ?? duplicate?.text ?? null
const hasMixedLineBreaks = given !== null && !codeEditor.replace(given)
if (duplicate) {
  language.choose(duplicate.language ?? PLAIN_TEXT)
  originalInput.value = duplicate.id ?? ''
}
codeEditor.onChange(() => {
  if (codeEditor.isEmpty()) originalInput.value = ''
})
if (unshared) {
  fillForm(form, unshared.fields)
  language.choose(unshared.fields.language ?? AUTO)
  if (unshared.password !== null) encryption.choose(unshared.password)
}
drafts = keepDrafts({
  form,
  codeEditor,
  accountId,
  isCopy: duplicate !== null,
  mayStore: () => !encryption.isChosen(),
})
markMoreMenu(form)

const parkedDraft = drafts.hasParked() && 'We’ll restore your draft the next time you create a document.'
const messages = [
  duplicate && 'This is a copy. Saving it creates a new document.',
  unshared && 'Deleted. Your text is back.',
  hasMixedLineBreaks && MIXED_LINE_BREAKS,
  (given !== null || typedEarly) && parkedDraft,
].filter(Boolean)
if (messages.length > 0) announce(status, messages.join(' '))

let navigating = false

showShareKey(requireElement<HTMLButtonElement>('button[type="submit"]', form))
saveOnSubmit({
  form,
  codeEditor,
  status,
  save: async (onProgress) => {
    // First of all: browsers allow it only right after a click or a key press.
    const pendingCopy = startCopy()
    try {
      const text = await requireContent(codeEditor.text(), maxContentBytes)
      const openDocument = await share({ form, text, language, encryption, pendingCopy, onProgress })
      drafts?.end()
      navigating = true
      await openDocument()
    } catch (error) {
      pendingCopy.cancel()
      throw error
    }
  },
})

addEventListener('beforeunload', (event) => {
  if (drafts?.losesText()) event.preventDefault()
})
// A page restored from the back/forward cache shows what has been shared already.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && navigating) location.reload()
})

if (focused && (typedEarly || !opensKeyboard)) codeEditor.focus()
