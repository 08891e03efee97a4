import { getThemeColors, isNamedTheme, parseThemeCookie, type ThemeName } from '../../shared/themes.ts'

function loadStyles(address: string): void {
  if (document.querySelector(`link[href="${address}"]`)) return
  document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address }))
}

/** Colours what the browser draws around the page, such as a phone's address bar. */
function showThemeColor(theme: ThemeName): void {
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.remove()
  const metas = getThemeColors(theme).map((attributes) =>
    Object.assign(document.createElement('meta'), attributes),
  )
  document.head.append(...metas)
}

function showTheme(theme: ThemeName): void {
  const styles = document.querySelector<HTMLElement>('form.theme')?.dataset.styles
  if (isNamedTheme(theme) && styles) loadStyles(styles)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  showThemeColor(theme)
  for (const button of document.querySelectorAll<HTMLButtonElement>('.theme button[name="theme"]'))
    button.ariaPressed = String(button.value === theme)
}

/** Sets the cookie right away: the response to the form may be too late for the next page. */
function storeTheme(theme: ThemeName): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const value = theme === 'system' ? '; Max-Age=0' : theme
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and only exists on HTTPS.
  document.cookie = `theme=${value}; Path=/; SameSite=Lax${secure}`
}

export const showChosenTheme = (): void => showTheme(parseThemeCookie(document.cookie))

/** Without leaving the page: nothing typed into it is lost. */
export function switchTheme(form: HTMLFormElement, name: string): void {
  const theme = parseThemeCookie(`theme=${name}`)
  showTheme(theme)
  storeTheme(theme)
  // Some browsers keep a script's cookie for a week at most; the server's own lasts a year.
  const body = new URLSearchParams({ theme })
  fetch(form.action, { method: 'POST', body, redirect: 'manual', keepalive: true }).catch(() => {})
}
