import { findStored } from './storage.ts'

export const SHORTCUTS_KEY = 'shortcuts'

/** Single keys must be possible to turn off, since speech input may press them by mistake (WCAG 2.2, 2.1.4). */
export const areShortcutsOn = (): boolean => findStored('localStorage', SHORTCUTS_KEY) !== 'off'

/** Single keys take nothing from the browser: no modifiers, and not while somebody types. */
export const isShortcut = ({
  altKey,
  ctrlKey,
  metaKey,
  target,
  isComposing,
  defaultPrevented,
}: KeyboardEvent): boolean =>
  !(altKey || ctrlKey || metaKey || isComposing || defaultPrevented) &&
  !(
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type="checkbox"]), select, textarea, [popover] *'))
  ) &&
  !document.querySelector('dialog:modal') &&
  areShortcutsOn()

export function startShortcuts(actions: Readonly<Record<string, (event: KeyboardEvent) => unknown>>): void {
  addEventListener('keydown', (event) => {
    const action = actions[event.key.toLowerCase()]
    if (!action || !isShortcut(event)) return
    event.preventDefault()
    action(event)
  })
}
