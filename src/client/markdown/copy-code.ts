import { createIcon } from './markdown-part.ts'

const CONFIRMATION_MS = 2_000

async function copyCode(button: Element, announce: (message: string) => void): Promise<void> {
  const code = button.parentElement?.querySelector('pre')?.textContent ?? ''
  const copied = await navigator.clipboard?.writeText(code).then(
    () => true,
    () => false,
  )
  announce(copied ? 'Copied.' : 'Couldn’t copy. Select the code and copy it.')
  if (!copied) return
  button.replaceChildren(createIcon('check'))
  setTimeout(() => button.replaceChildren(createIcon('copy')), CONFIRMATION_MS)
}

export function startCopyingCode(article: HTMLElement, announce: (message: string) => void): void {
  article.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('.md-copy')
    if (button) void copyCode(button, announce)
  })
}
