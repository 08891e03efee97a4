import type { CodeEditor } from '../code-editor/code-editor.ts'
import { announce } from '../shared/announce.ts'
import { requireElement } from '../shared/elements.ts'
import { yieldToPage } from '../shared/yield.ts'
import { clearError, SaveError, showError } from './form-errors.ts'

/** What takes longer is told; what does not would only flicker, in milliseconds. */
const BLINK_MS = 150

const MiB = 1024 * 1024

/** How large a text may be, for people. */
export const formatLimit = (bytes: number): string =>
  bytes >= MiB ? `${Math.floor((bytes / MiB) * 10) / 10} MiB` : `${bytes.toLocaleString('en')} bytes`

/** The text as it can be stored. Throws a SaveProblem. */
export async function requireContent(editor: CodeEditor, mostBytes: number): Promise<string> {
  const text = editor.text()
  if (text === '') throw new SaveError('Write something first.', 'content')
  if (!text.isWellFormed())
    throw new SaveError('The text has half a character in it, which can not be stored.', 'content')
  await yieldToPage()
  const over = text.length > mostBytes || new TextEncoder().encode(text).byteLength > mostBytes
  if (over) throw new SaveError(`The text is larger than ${formatLimit(mostBytes)}.`, 'content')
  return text
}

/** As browsers take it: with caps lock too, and by the place of the S where letters are not Latin. */
const isSaveKey = ({ key, code }: KeyboardEvent): boolean =>
  key === 'Enter' || key.toLowerCase() === 's' || (code === 'KeyS' && !/^[ -~]$/.test(key))

interface Saving {
  readonly form: HTMLFormElement
  readonly editor: CodeEditor
  /** The live region that says what goes on. */
  readonly state: HTMLElement
  /** Saves, and calls `progress` with words for what it is at. */
  readonly save: (progress: (words: string) => void) => Promise<void>
}

/** Saves by the form's button and by keyboard, and says beside the field what keeps it from being saved. */
export function saveOnSubmit({ form, editor, state, save }: Saving): void {
  const submit = requireElement<HTMLButtonElement>('button[type="submit"]', form)
  let busy = false

  /** One at a time: a second press, or a key held down, saves nothing twice. */
  const start = async () => {
    if (busy || !form.isConnected) return
    busy = true
    clearError(form, editor)
    announce(state, '')
    submit.setAttribute('aria-disabled', 'true')
    editor.setReadOnly(true)
    let words = 'Saving…'
    let slow = false
    const timer = setTimeout(() => {
      slow = true
      announce(state, words)
    }, BLINK_MS)
    const progress = (next: string) => {
      words = next
      if (slow) announce(state, words)
    }
    try {
      await save(progress)
      clearTimeout(timer)
    } catch (error) {
      clearTimeout(timer)
      announce(state, '')
      const problem =
        error instanceof SaveError
          ? error
          : new SaveError(error instanceof Error ? error.message : 'This could not be done in the browser.')
      showError(form, editor, problem)
    } finally {
      busy = false
      submit.removeAttribute('aria-disabled')
      editor.setReadOnly(false)
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void start()
  })
  // Before the editor and the browser have their own idea of these keys.
  addEventListener(
    'keydown',
    (event) => {
      const { ctrlKey, metaKey, altKey, shiftKey, repeat } = event
      if (!(ctrlKey || metaKey) || altKey || shiftKey || event.isComposing || !isSaveKey(event)) return
      // A key that is still held once the document is saved asks for nothing more, of the browser neither.
      if (!form.isConnected && !repeat) return
      event.preventDefault()
      event.stopPropagation()
      void start()
    },
    { capture: true },
  )
}
