import { announce, requireElement } from '../shared/elements.ts'
import { yieldToPage } from '../shared/yield.ts'
import type { LanguageField } from './language-field.ts'
import { clearError, SaveError, showError } from './save-form.ts'
import { type CodeEditor, MIXED_LINE_BREAKS } from './text-box.ts'

const MIB = 1024 * 1024

/** Not `isWellFormed()`, which the oldest supported browsers may lack. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** @example "10 MiB", "1.5 MiB", "65,536 bytes" */
export const formatLimit = (bytes: number): string =>
  bytes >= MIB ? `${Math.floor((bytes / MIB) * 10) / 10} MiB` : `${bytes.toLocaleString('en')} bytes`

export async function requireContent(text: string, maxContentBytes: number): Promise<string> {
  if (text === '') throw new SaveError('Write something first.', 'content')
  if (LONE_SURROGATE.test(text)) {
    throw new SaveError('The text contains an invalid character. Remove it, then try again.', 'content')
  }
  await yieldToPage()
  // A UTF-16 code unit takes at least one byte of UTF-8, so most oversized texts needn't be encoded.
  const tooLarge =
    text.length > maxContentBytes || new TextEncoder().encode(text).byteLength > maxContentBytes
  if (tooLarge) {
    throw new SaveError(`The text is too large. The limit is ${formatLimit(maxContentBytes)}.`, 'content')
  }
  return text
}

/** Keeps a byte order mark. */
export async function readTextFile(file: File, maxContentBytes: number): Promise<string> {
  const refuse = (reason: string) => new SaveError(`Can’t open “${file.name}”: ${reason}`, 'content')
  if (file.size > maxContentBytes) throw refuse(`it’s larger than ${formatLimit(maxContentBytes)}.`)
  if (file.type.startsWith('image/') && file.type !== 'image/svg+xml')
    throw refuse('it’s an image, and Regent stores text only.')
  const bytes = await file.arrayBuffer().catch(() => {
    throw refuse('your browser couldn’t read it.')
  })
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Not UTF-8: refused below, as is a file with NUL bytes.
  }
  throw refuse('it isn’t a text file (UTF-8).')
}

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
