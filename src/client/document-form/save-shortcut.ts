type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing'>

const isPrintableAscii = (key: string): boolean => /^[ -~]$/.test(key)

/**
 * Returns true for Ctrl or ⌘ with S or Enter. S counts with caps lock on, and by its place on the keyboard where the
 * letters aren't Latin.
 */
export function isSaveShortcut({ key, code, ctrlKey, metaKey, altKey, shiftKey, isComposing }: Key): boolean {
  if (!(ctrlKey || metaKey) || altKey || shiftKey || isComposing) return false
  return key === 'Enter' || key.toLowerCase() === 's' || (code === 'KeyS' && !isPrintableAscii(key))
}
