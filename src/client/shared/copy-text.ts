import { announce } from './announce.ts'
import { requireElement } from './elements.ts'

/**
 * Copies the value of a field and says so. If the browser refuses, selects the value instead.
 *
 * @returns true if the value was copied.
 */
export async function copyText(field: HTMLInputElement): Promise<boolean> {
  const status = requireElement('#form-status')
  const copied = await navigator.clipboard?.writeText(field.value).then(
    () => true,
    () => false,
  )
  if (!copied) {
    field.focus()
    field.select()
  }
  // Screen readers don't repeat a message that stays the same.
  announce(status, '')
  requestAnimationFrame(() =>
    announce(status, copied ? 'Copied.' : 'Couldn’t copy. The text is selected: press Ctrl+C or ⌘C.'),
  )
  return copied === true
}
