import { type CodeEditor, replaceTextarea } from '../code-editor/code-editor.ts'
import { announce } from '../shared/announce.ts'
import { cloneTemplate, requireElement } from '../shared/elements.ts'
import { clearError, showError } from './form-errors.ts'
import { bindLanguageField, type LanguageField } from './language-field.ts'
import { openFiles } from './open-file.ts'

export const MIXED_LINE_BREAKS = 'Its line breaks are of several kinds: they become alike when you change it.'

export interface DocumentForm {
  readonly editor: CodeEditor
  readonly language: LanguageField
  readonly languageField: HTMLInputElement
}

interface Options {
  /** The live region that says what goes on. */
  readonly state: HTMLElement
  /** Whether the language that is chosen is kept with the document. */
  readonly keepsLanguage: boolean
  /** The text as it is stored, where the textarea does not have it, or has it with other line breaks. */
  readonly text?: string | undefined
}

/** Puts the editor and its tools in the place of the form's textarea. */
export function setUpDocumentForm(
  form: HTMLFormElement,
  { state, keepsLanguage, text }: Options,
): DocumentForm {
  const textarea = requireElement<HTMLTextAreaElement>('#content', form)
  const label = requireElement<HTMLLabelElement>('label[for="content"]', form)
  label.id = 'content-label'
  label.removeAttribute('for')
  const keys = cloneTemplate('editor-hints')
  const editor = replaceTextarea(textarea, {
    text: text ?? textarea.value,
    labelledBy: label.id,
    describedBy: keys.id,
    styleNonce: form.dataset.styleNonce ?? '',
  })
  requireElement('.cm-editor', form).after(keys)
  label.addEventListener('click', () => editor.focus())

  const toolbar = cloneTemplate('editor-toolbar')
  label.before(toolbar)
  const languageField = requireElement<HTMLInputElement>('#language', form)
  if (!toolbar.contains(languageField)) toolbar.prepend(languageField.closest('.field') ?? languageField)
  const language = bindLanguageField(editor, languageField, { kept: keepsLanguage })
  openFiles({
    form,
    mostBytes: Number(form.dataset.maxContentBytes),
    opened: (opened, { name, others }) => {
      clearError(form, editor)
      const kept = editor.replace(opened)
      language.chooseFor(name)
      const alone = others === 0 ? '' : ' A document has one text: the other files were not opened.'
      announce(state, `“${name}” is opened.${kept ? '' : ` ${MIXED_LINE_BREAKS}`}${alone}`)
      editor.focus()
    },
    refused: (problem) => showError(form, editor, problem),
  })
  return { editor, language, languageField }
}
