/** Shows the keyboard shortcut on the Share button, as this platform writes it. Phones have none. */
export function showShareKey(button: HTMLButtonElement): void {
  const isApple = /mac|iphone|ipad/i.test(navigator.platform)
  button.setAttribute('aria-keyshortcuts', isApple ? 'Meta+S Meta+Enter' : 'Control+S Control+Enter')
  if (!matchMedia('(any-pointer: fine) and (hover: hover)').matches) return
  const key = document.createElement('kbd')
  key.textContent = isApple ? '⌘S' : 'Ctrl+S'
  key.setAttribute('aria-hidden', 'true')
  button.append(key)
}
