import { requireElement } from '../shared/elements.ts'
import { yieldToPage } from '../shared/yield.ts'
import { SaveError } from './form-errors.ts'
import { formatLimit } from './save-form.ts'

interface Options {
  readonly form: HTMLFormElement
  readonly mostBytes: number
  /** `others` that came with it are not opened. */
  readonly opened: (text: string, file: { readonly name: string; readonly others: number }) => void
  readonly refused: (problem: SaveError) => void
}

/** The text of a file. Throws a SaveProblem for what is too large, and for what is no text. */
async function readText(file: File, mostBytes: number): Promise<string> {
  const refuse = (why: string) => new SaveError(`“${file.name}” was not opened: ${why}`, 'content')
  if (file.size > mostBytes) throw refuse(`it is larger than ${formatLimit(mostBytes)}.`)
  const bytes = await file.arrayBuffer().catch(() => {
    throw refuse('it can not be read.')
  })
  try {
    // A byte order mark is kept: a document comes back as it was.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    throw refuse('it is no text in UTF-8.')
  }
  throw refuse('it is no text.')
}

const filesOf = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false

/** Opens files: chosen, dropped anywhere on the page, or pasted. */
export function openFiles({ form, mostBytes, opened, refused }: Options): void {
  const take = async (files: FileList | null | undefined) => {
    const [file] = files ?? []
    if (!file) return
    const others = (files?.length ?? 0) - 1
    try {
      const text = await readText(file, mostBytes)
      // Reading a long one and showing it, one right after the other, would hold up the page.
      await yieldToPage()
      opened(text, { name: file.name, others })
    } catch (problem) {
      if (!(problem instanceof SaveError)) throw problem
      refused(problem)
    }
  }
  const input = requireElement<HTMLInputElement>('[data-part="file"]', form)
  requireElement('[data-part="open"]', form).addEventListener('click', () => input.click())
  input.addEventListener('change', () => {
    void take(input.files)
    // The same file may be chosen once more.
    input.value = ''
  })

  // A file that misses the editor would replace the page, and with it what was written.
  const capture = { capture: true }
  addEventListener(
    'dragover',
    (event) => {
      if (!filesOf(event.dataTransfer)) return
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
      if (!filesOf(event.dataTransfer)) return
      event.preventDefault()
      event.stopPropagation()
      void take(event.dataTransfer?.files)
    },
    capture,
  )
  form.addEventListener(
    'paste',
    (event) => {
      const { clipboardData } = event
      if (!filesOf(clipboardData) || clipboardData?.types.includes('text/plain')) return
      event.preventDefault()
      event.stopPropagation()
      void take(clipboardData?.files)
    },
    capture,
  )
}
