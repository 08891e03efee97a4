import { requireElement } from '../shared/elements.ts'

/** Writes the keyboard shortcut on the Share button as this platform does. The page has it as most others do. */
export function showShareKey(button: HTMLButtonElement): void {
  const isApple = /mac|iphone|ipad/i.test(navigator.platform)
  button.setAttribute('aria-keyshortcuts', isApple ? 'Meta+S Meta+Enter' : 'Control+S Control+Enter')
  if (isApple) requireElement('kbd', button).textContent = '⌘S'
}
