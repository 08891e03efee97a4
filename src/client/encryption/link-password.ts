import { parseFragmentPassword } from '../../shared/password-link.ts'
import { store, takeStored } from '../shared/storage.ts'

const STORED_KEY = 'regent.password'

/** For the page of a document that this tab has just encrypted. */
export function storePassword(id: string, password: string): void {
  // If the browser refuses, the page will ask for it.
  store(() => sessionStorage, STORED_KEY, JSON.stringify({ id, password }))
}

function takeStoredPassword(): string | null {
  const { id, password } = (takeStored(STORED_KEY) ?? {}) as { id?: unknown; password?: unknown }
  return location.pathname === `/${id}` && typeof password === 'string' ? password : null
}

/** Nobody reads or copies it in the address bar by accident. Otherwise the one that was stored for this page. */
export function takePassword(): string | null {
  const password = parseFragmentPassword(location.hash)
  if (password === null) return takeStoredPassword()
  history.replaceState(history.state, '', location.pathname + location.search)
  return password
}
