import { hasAnsiStyles } from '../highlight/ansi.ts'
import { supportsHighlights } from '../highlight/painter.ts'
import type { View } from './views.ts'

/** UTF-16 units of Markdown that can be rendered. More would make the page slow. */
const MAX_RENDERED = 1024 * 1024

/** The views. A document starts in the first one that applies to it. */
export const VIEWS: readonly View[] = [
  {
    name: 'rendered',
    label: 'Rendered',
    appliesTo: ({ language, text }) => language === 'markdown' && text.length <= MAX_RENDERED,
    load: async () => (await import('./markdown-view.ts')).mountMarkdown,
  },
  {
    name: 'terminal',
    label: 'Colours',
    appliesTo: ({ text }) => supportsHighlights() && hasAnsiStyles(text.element.textContent ?? ''),
    load: async () => (await import('./terminal-view.ts')).mountTerminal,
  },
]
