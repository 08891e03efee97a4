import { requireElement } from '../shared/elements.ts'
import { yieldToPage } from '../shared/yield.ts'
import { readTextFile } from './read-text-file.ts'
import { SaveError } from './save-error.ts'

interface OpenedFile {
  readonly name: string
  /** How many more files were chosen with it, which aren't opened. */
  readonly skipped: number
}

interface Options {
  readonly form: HTMLFormElement
  readonly maxContentBytes: number
  readonly onOpen: (text: string, file: OpenedFile) => void
  readonly onError: (error: SaveError) => void
}

const hasFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false

/** Opens files that are chosen, dropped anywhere on the page, or pasted. */
export function enableOpeningFiles({ form, maxContentBytes, onOpen, onError }: Options): void {
  const open = async (files: FileList | null | undefined) => {
    const [file] = files ?? []
    if (!file) return
    const skipped = (files?.length ?? 0) - 1
    try {
      const text = await readTextFile(file, maxContentBytes)
      // Reading a long text and showing it in one task would block the page.
      await yieldToPage()
      onOpen(text, { name: file.name, skipped })
    } catch (error) {
      if (!(error instanceof SaveError)) throw error
      onError(error)
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
