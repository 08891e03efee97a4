import { createElement, loadStyles } from '../shared/elements.ts'
import { NOT_LOADED } from '../shared/workers.ts'
import type { OpenView } from '../viewer/views/views.ts'
import { drawWhenSeen } from './diagrams.ts'

/** A document that is one diagram. It looks like a block of Markdown, and Find switches to the source. */
export const openDiagram: OpenView = async ({ section, text }) => {
  if (!(await loadStyles(section.dataset.markdownStyles ?? ''))) throw new Error(NOT_LOADED)
  const code = createElement('code', { textContent: text.element.textContent })
  const source = createElement('pre', { className: 'md-mermaid', tabIndex: 0 }, code)
  const block = createElement('div', { className: 'md-code' }, source)
  const article = createElement('article', { className: 'rendered' }, block)
  return () => {
    section.hidden = true
    article.hidden = false
    if (!article.isConnected) {
      section.after(article)
      drawWhenSeen(article)
    }
    return {
      hasSourceLines: false,
      unmount: () => {
        article.hidden = true
        section.hidden = false
      },
    }
  }
}
