import type { Markup } from '../../shared/compare/markup.ts'
import { escapeVerbatim } from '../../shared/text/escape-html.ts'

/** Writes elements as HTML. */
export function writeMarkup(markup: Markup): string {
  if (typeof markup === 'string') return escapeVerbatim(markup)
  const { tag, class: className, hidden, children } = markup
  const attributes = `${className === undefined ? '' : ` class="${className}"`}${hidden ? ' aria-hidden="true"' : ''}`
  return `<${tag}${attributes}>${children.map(writeMarkup).join('')}</${tag}>`
}
