import { announce } from '../shared/announce.ts'

/** Copies a text when the button is clicked. Hides the button if the browser has no clipboard. */
export function copyOnClick(
  button: HTMLButtonElement,
  status: HTMLElement,
  text: string,
  onCopied = () => {},
): void {
  if (!navigator.clipboard) {
    button.hidden = true
    return
  }
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text)
      announce(status, 'Copied.')
      onCopied()
    } catch {
      announce(status, 'Couldn’t copy. Select the text and copy it.')
    }
  })
}

function save(text: string, fileName: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  Object.assign(document.createElement('a'), { href: address, download: fileName }).click()
  // The browser has started to read the blob by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Starts the buttons that save or copy a burned document. Until then, the browser asks before the page is closed. */
export function startSaveCopy(actions: HTMLElement, text: string, fileName: string): void {
  const [saveButton, copyButton] = actions.querySelectorAll('button')
  const status = actions.querySelector<HTMLElement>('[aria-live]')
  if (!saveButton || !copyButton || !status) return
  const guard = new AbortController()
  const onSaved = () => guard.abort()
  const { signal } = guard
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
  // Copying a part of the text by hand counts, too.
  document.addEventListener('copy', onSaved, { signal })
  saveButton.addEventListener('click', () => {
    save(text, fileName)
    announce(status, `Saved as ${fileName}.`)
    onSaved()
  })
  copyOnClick(copyButton, status, text, onSaved)
}
