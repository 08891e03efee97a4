import { announce } from '../shared/announce.ts'

/** Copies a text when the button is pressed, and says so. */
export function copyOnClick(
  button: HTMLButtonElement,
  words: HTMLElement,
  text: string,
  then = () => {},
): void {
  if (!navigator.clipboard) {
    button.hidden = true
    return
  }
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text)
      announce(words, 'Copied.')
      then()
    } catch {
      announce(words, 'The browser did not allow it: select the text and copy it.')
    }
  })
}

function save(text: string, fileName: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  Object.assign(document.createElement('a'), { href: address, download: fileName }).click()
  // By then the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Lets somebody keep a text that is nowhere else any more, and asks before they leave without. */
export function keepCopy(actions: HTMLElement, text: string, fileName: string): void {
  const [saveButton, copyButton] = actions.querySelectorAll('button')
  const words = actions.querySelector<HTMLElement>('[aria-live]')
  if (!saveButton || !copyButton || !words) return
  const leaving = new AbortController()
  const kept = () => leaving.abort()
  const { signal } = leaving
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
  // Whoever copies some of it by hand has what they need.
  document.addEventListener('copy', kept, { signal })
  saveButton.addEventListener('click', () => {
    save(text, fileName)
    announce(words, `Saved as ${fileName}.`)
    kept()
  })
  copyOnClick(copyButton, words, text, kept)
}
