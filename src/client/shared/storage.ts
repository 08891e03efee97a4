/** A function, because even accessing `localStorage` can throw. */
type GetStorage = () => Storage

/** Null, too, if the browser denies access to its storage. */
export function findStored(getStorage: GetStorage, key: string): string | null {
  try {
    return getStorage().getItem(key)
  } catch {
    return null
  }
}

export function parseStored(getStorage: GetStorage, key: string): unknown {
  try {
    return JSON.parse(findStored(getStorage, key) ?? 'null')
  } catch {
    return null
  }
}

/** Only once. */
export function takeStored(key: string): unknown {
  const value = parseStored(() => sessionStorage, key)
  removeStored(() => sessionStorage, key)
  return value
}

/** Returns false if storage is full, or the browser denies access to it. */
export function store(getStorage: GetStorage, key: string, value: string): boolean {
  try {
    getStorage().setItem(key, value)
    return true
  } catch {
    return false
  }
}

export function removeStored(getStorage: GetStorage, key: string): void {
  try {
    getStorage().removeItem(key)
  } catch {
    // Without access to storage, nothing is stored.
  }
}
