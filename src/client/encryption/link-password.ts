import { parseFragmentPassword } from '../../shared/password-link.ts'

const STORED_KEY = 'regent.password'

/** Leaves the password of a document that this tab has just encrypted for the document's page. */
export function leavePassword(id: string, password: string): void {
  try {
    sessionStorage.setItem(STORED_KEY, JSON.stringify({ id, password }))
  } catch {
    // The page will ask for it.
  }
}

/** Returns the password that was left for this page, and removes it; null if there is none. */
function takeStoredPassword(): string | null {
  try {
    const stored = sessionStorage.getItem(STORED_KEY)
    if (stored === null) return null
    sessionStorage.removeItem(STORED_KEY)
    const { id, password } = JSON.parse(stored)
    return location.pathname === `/${id}` && typeof password === 'string' ? password : null
  } catch {
    return null
  }
}

/**
 * Removes the password from the address bar, so that nobody reads or copies it there by accident, and returns it. Without
 * one there, returns the one that was left for this page.
 */
export function takePassword(): string | null {
  const password = parseFragmentPassword(location.hash)
  if (password === null) return takeStoredPassword()
  history.replaceState(history.state, '', location.pathname + location.search)
  return password
}
