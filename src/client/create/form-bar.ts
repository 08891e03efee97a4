import { requireElement } from '../shared/elements.ts'

export function markMenu(menu: HTMLElement, changed: boolean): void {
  menu.classList.toggle('changed', changed)
  requireElement('[data-part="state"]', menu).textContent = changed ? ' (on)' : ''
}

/** On Escape, and on a click or focus elsewhere. */
export function closeMenusElsewhere(form: HTMLFormElement): void {
  const menus = [...form.querySelectorAll<HTMLDetailsElement>('details.bar-menu')]
  const closeOthers = ({ target }: Event) => {
    for (const menu of menus) if (!(target instanceof Node && menu.contains(target))) menu.open = false
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

export function markMoreMenu(form: HTMLFormElement): void {
  const menu = requireElement('#more-menu', form)
  const update = () => {
    const fields = new FormData(form)
    const isAt = (name: string, value: string) => (fields.get(name) ?? value) === value
    const changed =
      !(isAt('link', 'standard') && isAt('visibility', 'unlisted') && isAt('editors', '')) ||
      fields.has('image_embed') ||
      fields.has('create_gist')
    markMenu(menu, changed)
  }
  for (const event of ['input', 'change']) menu.addEventListener(event, update)
  update()
}

/** The page has the shortcut as most platforms write it. */
export function showShareKey(button: HTMLButtonElement): void {
  const isApple = /mac|iphone|ipad/i.test(navigator.platform)
  button.setAttribute('aria-keyshortcuts', isApple ? 'Meta+S Meta+Enter' : 'Control+S Control+Enter')
  if (isApple) requireElement('kbd', button).textContent = '⌘S'
}
