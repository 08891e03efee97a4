import { announce } from './announce.ts'

/** Buttons `data-copy` copy the text of the element that they name, and say so in `data-copied`'s. */
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const source = document.getElementById(button.dataset.copy ?? '')
  const words = document.getElementById(button.dataset.copied ?? '')
  if (!source || !words || !navigator.clipboard) continue
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
