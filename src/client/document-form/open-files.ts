import type { CodeEditor } from '../code-editor/code-editor.ts'
import { MIXED_LINE_BREAKS } from '../code-editor/line-breaks.ts'
import { announce, requireElement } from '../shared/elements.ts'
import { yieldToPage } from '../shared/yield.ts'
import { readTextFile } from './content-limits.ts'
import type { LanguageField } from './language-field.ts'
import { clearError, SaveError, showError } from './save-errors.ts'

interface Options {
  readonly form: HTMLFormElement
  readonly codeEditor: CodeEditor
  readonly language: Pick<LanguageField, 'chooseForFile'>
  readonly status: HTMLElement
  readonly onOpen?: (name: string) => void
}

const hasFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false

export function openFilesIntoEditor({ form, codeEditor, language, status, onOpen }: Options): void {
  const maxContentBytes = Number(form.dataset.maxContentBytes)
  const open = async (files: FileList | null | undefined) => {
    const [file, ...others] = files ?? []
    if (!file) return
    try {
      const text = await readTextFile(file, maxContentBytes)
      // Reading a long text and showing it in one task would block the page.
      await yieldToPage()
      clearError(form, codeEditor)
      const keepsLineBreaks = codeEditor.replace(text)
      onOpen?.(file.name)
      language.chooseForFile(file.name)
      const messages = [
        `Opened “${file.name}”.`,
        !keepsLineBreaks && MIXED_LINE_BREAKS,
        others.length > 0 && 'You can open one file at a time, so the other files were skipped.',
      ]
      announce(status, messages.filter(Boolean).join(' '))
      codeEditor.focus()
    } catch (error) {
      if (!(error instanceof SaveError)) throw error
      showError(form, codeEditor, error)
    }
  }
  const input = requireElement<HTMLInputElement>('[data-part="file"]', form)
  requireElement('[data-part="open"]', form).addEventListener('click', () => input.click())
  input.addEventListener('change', () => {
    void open(input.files)
    // Otherwise choosing the same file again would be no change.
    input.value = ''
  })

  // These listeners are on the whole page: a file dropped beside the code editor would replace the page, text included.
  const capture = { capture: true }
  addEventListener(
    'dragover',
    (event) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      form.classList.add('dropping')
    },
    capture,
  )
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) form.classList.remove('dropping')
  })
  addEventListener(
    'drop',
    (event) => {
      form.classList.remove('dropping')
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      event.stopPropagation()
      void open(event.dataTransfer?.files)
    },
    capture,
  )
  form.addEventListener(
    'paste',
    (event) => {
      const { clipboardData } = event
      // Office programs copy text together with an image of it.
      if (!hasFiles(clipboardData) || clipboardData?.types.includes('text/plain')) return
      event.preventDefault()
      event.stopPropagation()
      void open(clipboardData?.files)
    },
    capture,
  )
}
