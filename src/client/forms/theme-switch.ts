import { parseThemeCookie } from './theme-cookie.ts'

/** Switches the theme without leaving the page, so that nothing typed into it is lost. */
const form = document.querySelector<HTMLFormElement>('form.theme')
const buttons = [...(form?.querySelectorAll<HTMLButtonElement>('button[name="theme"]') ?? [])]

function showTheme(theme: string): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  for (const button of buttons) button.ariaPressed = String(button.value === theme)
}

/** Sets the cookie right away: the response to the form may be too late for the next page. */
function storeTheme(theme: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const value = theme === 'system' ? '; Max-Age=0' : theme
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and only exists on HTTPS.
  document.cookie = `theme=${value}; Path=/; SameSite=Lax${secure}`
}

if (form) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    const { value } = event.submitter as HTMLButtonElement
    event.preventDefault()
    showTheme(value)
    storeTheme(value)
    // Some browsers keep a script's cookie for a week at most; the server's own lasts a year.
    const body = new URLSearchParams({ theme: value })
    fetch(form.action, { method: 'POST', body, redirect: 'manual', keepalive: true }).catch(() => {})
  })
  // A page restored from the back/forward cache may show an older choice.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) showTheme(parseThemeCookie(document.cookie))
  })
}
