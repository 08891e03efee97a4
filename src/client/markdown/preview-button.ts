import type { CodeEditor } from '../editor/text-box.ts'
import { announce } from '../shared/elements.ts'
import type { Preview } from './preview.ts'

const DEBOUNCE_MS = 400

interface PreviewButtonOptions {
  readonly form: HTMLFormElement
  readonly codeEditor: CodeEditor
  readonly getLanguage: () => Promise<string>
  readonly button: HTMLButtonElement
  readonly status: HTMLElement
}

/** While the text is Markdown. Its code is loaded when it is first displayed. */
export function startPreviewButton({
  form,
  codeEditor,
  getLanguage,
  button,
  status,
}: PreviewButtonOptions): void {
  let preview: Preview | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const { highlightWorker = '', markdownStyles = '' } = form.dataset

  const set = (shown: boolean) => {
    button.ariaPressed = String(shown)
    if (shown) preview?.show()
    else preview?.hide()
  }
  const load = async () => {
    try {
      const { createPreview } = await import('./preview.ts')
      preview ??= await createPreview({
        form,
        codeEditor,
        workerAddress: highlightWorker,
        stylesAddress: markdownStyles,
      })
      set(true)
    } catch {
      announce(status, 'The preview couldn’t be loaded. Check your connection and try again.')
    }
  }
  const update = async () => {
    const isMarkdown = (await getLanguage().catch(() => '')) === 'markdown'
    button.hidden = !isMarkdown
    if (!isMarkdown) set(false)
  }
  button.addEventListener('click', () => {
    if (button.ariaPressed === 'true') set(false)
    else if (preview) set(true)
    else void load()
  })
  const updateSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(update, DEBOUNCE_MS)
  }
  codeEditor.onChange(updateSoon)
  for (const event of ['input', 'change']) form.addEventListener(event, updateSoon)
  void update()
}
