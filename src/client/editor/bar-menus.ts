import { requireElement } from '../shared/elements.ts'

export function markMenu(menu: HTMLElement, changed: boolean): void {
  menu.classList.toggle('changed', changed)
  requireElement('[data-part="state"]', menu).textContent = changed ? ' (on)' : ''
}

/** Closes a menu on Escape, and on a click or focus elsewhere. */
export function closeMenusElsewhere(menus: readonly HTMLDetailsElement[]): void {
  // A label in a panel moves the focus to its field in the bar.
  const isInside = (menu: HTMLElement, target: EventTarget | null) =>
    target instanceof Element &&
    (menu.contains(target) || menu.querySelector(`label[for="${target.id}"]`) !== null)
  const closeOthers = ({ target }: Event) => {
    for (const menu of menus) if (!isInside(menu, target)) menu.open = false
  }
  document.addEventListener('pointerdown', closeOthers)
  document.addEventListener('focusin', closeOthers)
  for (const menu of menus) {
    menu.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return
      event.stopPropagation()
      menu.open = false
      menu.querySelector('summary')?.focus()
    })
  }
}
