import { type CodeEditor, replaceTextarea } from '../code-editor/code-editor.ts'
import { startPreviewButton } from '../markdown/preview-button.ts'
import { cloneTemplate, requireElement } from '../shared/elements.ts'
import type { LanguageField } from './language-field.ts'
import { bindLanguageToolbar } from './language-message.ts'
import { openFilesIntoEditor } from './open-into-editor.ts'

export interface DocumentForm {
  readonly codeEditor: CodeEditor
  readonly language: LanguageField
}

interface Options {
  /** The live region that reports what happens. */
  readonly status: HTMLElement
  /** The stored text, if the textarea doesn't have it, or has it with other line breaks. */
  readonly text?: string | undefined
}

/** Replaces the form's textarea with a code editor and its toolbar. */
export function setUpDocumentForm(form: HTMLFormElement, options: Options): DocumentForm {
  const { status, text } = options
  const textarea = requireElement<HTMLTextAreaElement>('#content', form)
  const label = requireElement<HTMLLabelElement>('label[for="content"]', form)
  label.id = 'content-label'
  label.removeAttribute('for')
  const shortcuts = cloneTemplate('keyboard-shortcuts-template')
  const codeEditor = replaceTextarea(textarea, {
    text: text ?? textarea.value,
    labelledBy: label.id,
    describedBy: shortcuts.id,
    styleNonce: form.dataset.styleNonce ?? '',
  })
  requireElement('.cm-editor', form).after(shortcuts)
  label.addEventListener('click', () => codeEditor.focus())

  const toolbar = cloneTemplate('toolbar-template')
  label.before(toolbar)
  const languageInput = requireElement<HTMLInputElement>('#language', form)
  if (!toolbar.contains(languageInput)) toolbar.prepend(languageInput.closest('.field') ?? languageInput)
  const language = bindLanguageToolbar(codeEditor, languageInput)
  const previewButton = requireElement<HTMLButtonElement>('[data-part="preview"]', toolbar)
  startPreviewButton({ form, codeEditor, getLanguage: language.current, button: previewButton, status })
  openFilesIntoEditor({ form, codeEditor, language, status })
  return { codeEditor, language }
}
