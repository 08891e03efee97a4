import { announce, COPY_FAILED, copyToClipboard } from '../shared/elements.ts'

function bindCopyButton(button: HTMLButtonElement): void {
  const source = document.getElementById(button.dataset.copy ?? '')
  const status = document.getElementById(button.dataset.copied ?? '')
  if (!source || !status || !navigator.clipboard) return
  // The page hides the button because it needs this script.
  button.hidden = false
  button.addEventListener('click', async () => {
    const copied = await copyToClipboard(source.textContent ?? '')
    announce(status, copied ? 'Copied.' : COPY_FAILED)
  })
}

function bindCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]'))
    bindCopyButton(button)
}

bindCopyButtons()
// A decrypted document brings its own buttons.
document.addEventListener('regent:document', bindCopyButtons)
