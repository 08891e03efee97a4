import { announce } from './announce.ts'
import { requireElement } from './elements.ts'

/**
 * Copies what stands in a field, and says so; where the browser does not allow it, only selects it.
 *
 * @returns whether it was copied.
 */
export async function copyText(field: HTMLInputElement): Promise<boolean> {
  const state = requireElement('#editor-state')
  const copied = await navigator.clipboard?.writeText(field.value).then(
    () => true,
    () => false,
  )
  if (!copied) {
    field.focus()
    field.select()
  }
  // The same words once more would not be read out.
  announce(state, '')
  requestAnimationFrame(() => announce(state, copied ? 'Copied.' : 'It is selected: copy it by keyboard.'))
  return copied === true
}
