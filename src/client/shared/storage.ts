/** One is for all tabs, the other for this one. Even accessing it can throw. */
type Place = 'localStorage' | 'sessionStorage'

/** Returns null if nothing is stored, or if the browser denies access to its storage. */
export function findStored(place: Place, key: string): string | null {
  try {
    return globalThis[place].getItem(key)
  } catch {
    return null
  }
}

export function parseStored(place: Place, key: string): unknown {
  try {
    return JSON.parse(findStored(place, key) ?? 'null')
  } catch {
    return null
  }
}

/** Returns a value and removes it from the storage. */
export function takeStored(key: string): unknown {
  const value = parseStored('sessionStorage', key)
  removeStored('sessionStorage', key)
  return value
}

/** Returns false if storage is full, or the browser denies access to it. */
export function store(place: Place, key: string, value: string): boolean {
  try {
    globalThis[place].setItem(key, value)
    return true
  } catch {
    return false
  }
}

export function removeStored(place: Place, key: string): void {
  try {
    globalThis[place].removeItem(key)
  } catch {
    // Without access to storage, nothing is stored.
  }
}
