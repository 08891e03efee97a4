/**
 * Stores a value. Returns false if storage is full or forbidden.
 *
 * @param getStorage a function, because even accessing `localStorage` can throw.
 */
export function store(getStorage: () => Storage, key: string, value: string): boolean {
  try {
    getStorage().setItem(key, value)
    return true
  } catch {
    return false
  }
}

/** Returns a value of `localStorage`; null if there is none, or the browser forbids reading it. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
