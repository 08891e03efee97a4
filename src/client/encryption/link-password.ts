import { parseFragmentPassword } from '../../shared/password-link.ts'
import { store, takeStored } from '../shared/storage.ts'

const STORED_KEY = 'regent.password'

/** Stores the password of a document that this tab has just encrypted, for the document's page. */
export function storePassword(id: string, password: string): void {
  // If the browser refuses, the page will ask for it.
  store(() => sessionStorage, STORED_KEY, JSON.stringify({ id, password }))
}

function takeStoredPassword(): string | null {
  const { id, password } = (takeStored(STORED_KEY) ?? {}) as { id?: unknown; password?: unknown }
  return location.pathname === `/${id}` && typeof password === 'string' ? password : null
}

/**
 * Removes the password from the address bar, so that nobody reads or copies it there by accident. Without one there,
 * returns the one that was stored for this page.
 */
export function takePassword(): string | null {
  const password = parseFragmentPassword(location.hash)
  if (password === null) return takeStoredPassword()
  history.replaceState(history.state, '', location.pathname + location.search)
  return password
}
