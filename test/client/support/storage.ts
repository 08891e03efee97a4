import { vi } from 'vitest'

/** Gives the tests of a file a working Storage under a global name, and returns its entries. */
export function stubStorage(name: 'localStorage' | 'sessionStorage'): Map<string, string> {
  const entries = new Map<string, string>()
  vi.stubGlobal(name, {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => entries.set(key, value),
    removeItem: (key: string) => entries.delete(key),
  })
  return entries
}

/** Makes every access to a Storage fail, as browsers do that deny it. */
export function denyStorage(name: 'localStorage' | 'sessionStorage'): void {
  const deny = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal(name, { getItem: deny, setItem: deny, removeItem: deny })
}
