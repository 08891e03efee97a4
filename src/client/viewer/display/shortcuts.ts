import { readStored, store } from './stored.ts'

const KEY = 'shortcuts'

/** Single keys must be possible to turn off, since speech input may press them by mistake (WCAG 2.2, 2.1.4). */
export const areShortcutsOn = (): boolean => readStored(KEY) !== 'off'

export function setShortcuts(on: boolean): void {
  store(() => localStorage, KEY, on ? 'on' : 'off')
}

/** Whether a key press is meant for what is focused, such as a field. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, select, textarea, [popover] *'))

/** Starts shortcuts of single keys. They take nothing from the browser: no modifiers, and not while somebody types. */
export function startShortcuts(actions: Readonly<Record<string, () => unknown>>): void {
  addEventListener('keydown', (event) => {
    const { key, altKey, ctrlKey, metaKey, target, isComposing } = event
    const action = actions[key.toLowerCase()]
    if (!action || altKey || ctrlKey || metaKey || isComposing || event.defaultPrevented) return
    if (isTyping(target) || document.querySelector('dialog:modal') || !areShortcutsOn()) return
    event.preventDefault()
    action()
  })
}
