import type { CodeEditor } from '../code-editor/code-editor.ts'
import { announce, requireElement } from '../shared/elements.ts'
import { clearError, SaveError, showError } from './save-errors.ts'

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing'>

/** S counts with caps lock on, and by its place on the keyboard where the letters aren't Latin. */
export function isSaveShortcut({ key, code, ctrlKey, metaKey, altKey, shiftKey, isComposing }: Key): boolean {
  if (!(ctrlKey || metaKey) || altKey || shiftKey || isComposing) return false
  return key === 'Enter' || key.toLowerCase() === 's' || (code === 'KeyS' && !/^[ -~]$/.test(key))
}

/** Only longer work is announced: otherwise the message would just flicker. */
const SLOW_MS = 150

interface Options {
  readonly form: HTMLFormElement
  readonly codeEditor: CodeEditor
  readonly status: HTMLElement
  readonly save: (onProgress: (step: string) => void) => Promise<void>
}

export function saveOnSubmit({ form, codeEditor, status, save }: Options): void {
  const button = requireElement<HTMLButtonElement>('button[type="submit"]', form)
  let saving = false

  /** A double click or a key held down saves once. */
  const start = async () => {
    if (saving || !form.isConnected) return
    saving = true
    clearError(form, codeEditor)
    announce(status, '')
    button.setAttribute('aria-disabled', 'true')
    codeEditor.setReadOnly(true)
    let step = 'Saving…'
    let slow = false
    const timer = setTimeout(() => {
      slow = true
      announce(status, step)
    }, SLOW_MS)
    const onProgress = (next: string) => {
      step = next
      if (slow) announce(status, step)
    }
    try {
      await save(onProgress)
      clearTimeout(timer)
    } catch (thrown) {
      clearTimeout(timer)
      announce(status, '')
      const error =
        thrown instanceof SaveError
          ? thrown
          : new SaveError(
              thrown instanceof Error ? thrown.message : 'Something went wrong in your browser. Try again.',
            )
      showError(form, codeEditor, error)
    } finally {
      saving = false
      button.removeAttribute('aria-disabled')
      codeEditor.setReadOnly(false)
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void start()
  })
  // Captured, so that neither the code editor nor the browser handles the shortcut first.
  addEventListener(
    'keydown',
    (event) => {
      if (!isSaveShortcut(event)) return
      // Once the form is gone, only swallow the repeats of a key that is still held down.
      if (!form.isConnected && !event.repeat) return
      event.preventDefault()
      event.stopPropagation()
      void start()
    },
    { capture: true },
  )
}
