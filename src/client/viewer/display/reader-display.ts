import {
  type Display,
  formatDisplayCookie,
  getDisplayClasses,
  parseDisplayCookie,
} from '../../../shared/display.ts'
import { DAY_SECONDS } from '../../../shared/instant.ts'

const YEAR_SECONDS = 365 * DAY_SECONDS

/** Returns how the reader wants texts displayed. */
export const readDisplay = (): Display => parseDisplayCookie(document.cookie)

/** Remembers how the reader wants texts displayed, in a cookie, so that the server can render pages this way. */
export function storeDisplay(display: Display): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const value = formatDisplayCookie(display)
  const maxAge = value === '' ? 0 : YEAR_SECONDS
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and only exists on HTTPS.
  document.cookie = `display=${value}; Max-Age=${maxAge}; Path=/; SameSite=Lax${secure}`
}

/** Changes how the text is displayed. */
export function applyDisplay(section: HTMLElement, display: Display): void {
  for (const name of [...section.classList]) {
    if (name === 'wrapped' || name.startsWith('size-')) section.classList.remove(name)
  }
  section.classList.add(...getDisplayClasses(display))
}
