import type { Markup } from '../../shared/compare/markup.ts'
import { escapeText } from '../components/verbatim.tsx'

/** Writes elements as HTML. */
export function writeMarkup(markup: Markup): string {
  if (typeof markup === 'string') return escapeText(markup)
  const { tag, class: className, hidden, children } = markup
  const attributes = `${className === undefined ? '' : ` class="${className}"`}${hidden ? ' aria-hidden="true"' : ''}`
  return `<${tag}${attributes}>${children.map(writeMarkup).join('')}</${tag}>`
}
