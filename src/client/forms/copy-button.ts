import { announce } from '../shared/announce.ts'

/** Lets a button copy the text of the element that it names by `data-copy`, and say so in `data-copied`'s. */
function bind(button: HTMLButtonElement): void {
  const source = document.getElementById(button.dataset.copy ?? '')
  const words = document.getElementById(button.dataset.copied ?? '')
  if (!source || !words || !navigator.clipboard) return
  // It does nothing without this script, so nobody sees it without.
  button.hidden = false
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(source.textContent ?? '').then(
      () => true,
      () => false,
    )
    announce(words, copied ? 'Copied.' : 'The browser did not allow it: select the text and copy it.')
  })
}

function bindAll(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) bind(button)
}

bindAll()
// What was encrypted gets its buttons with its text.
document.addEventListener('regent:document', bindAll)
