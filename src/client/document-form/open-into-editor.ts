import type { CodeEditor } from '../code-editor/code-editor.ts'
import { MIXED_LINE_BREAKS } from '../code-editor/line-breaks.ts'
import { announce } from '../shared/announce.ts'
import { clearError, showError } from './form-errors.ts'
import type { LanguageField } from './language-field.ts'
import { enableOpeningFiles } from './open-file.ts'

interface Options {
  readonly form: HTMLFormElement
  readonly codeEditor: CodeEditor
  readonly language: Pick<LanguageField, 'chooseForFile'>
  /** The live region that reports what happens. */
  readonly status: HTMLElement
  /** Called with the name of each file that was opened. */
  readonly onOpen?: (name: string) => void
}

/** Opens files in the code editor, and chooses their language. */
export function openFilesIntoEditor({ form, codeEditor, language, status, onOpen }: Options): void {
  enableOpeningFiles({
    form,
    maxContentBytes: Number(form.dataset.maxContentBytes),
    onOpen: (opened, { name, skipped }) => {
      clearError(form, codeEditor)
      const keepsLineBreaks = codeEditor.replace(opened)
      onOpen?.(name)
      language.chooseForFile(name)
      const messages = [
        `Opened “${name}”.`,
        !keepsLineBreaks && MIXED_LINE_BREAKS,
        skipped > 0 && 'You can open one file at a time, so the other files were skipped.',
      ]
      announce(status, messages.filter(Boolean).join(' '))
      codeEditor.focus()
    },
    onError: (error) => showError(form, codeEditor, error),
  })
}
