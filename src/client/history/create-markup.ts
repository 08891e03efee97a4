import type { Markup } from '../../shared/compare/markup.ts'

/** Creates the elements of a page from their description. */
export function createMarkup(markup: Markup): Node | string {
  if (typeof markup === 'string') return markup
  const { tag, class: className, hidden, children } = markup
  const element = document.createElement(tag)
  if (className !== undefined) element.className = className
  if (hidden) element.ariaHidden = 'true'
  element.append(...children.map(createMarkup))
  return element
}
