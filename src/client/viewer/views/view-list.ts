import { MAX_RENDERED, RENDERED_VIEW } from '../../../shared/display.ts'
import { hasAnsiStyles } from '../../highlight/ansi.ts'
import { supportsHighlights } from '../../shared/elements.ts'
import type { View } from './views.ts'

/** Lines of a log that are parsed. More take too much memory. */
const MAX_LOG_LINES = 1_000_000

/** A document starts in the first one that applies to it. */
export const VIEWS: readonly View[] = [
  {
    ...RENDERED_VIEW,
    appliesTo: ({ language, text }) => language === 'markdown' && text.length <= MAX_RENDERED,
    load: async () => (await import('./markdown-view.ts')).mountMarkdown,
  },
  {
    name: 'log',
    label: 'Log',
    followsLineLinks: true,
    appliesTo: ({ language, text }) => language === 'log' && text.lines <= MAX_LOG_LINES,
    load: async () => (await import('../../logs/log-view.ts')).mountLog,
  },
  {
    name: 'terminal',
    label: 'Colours',
    // The log view shows the colours of terminals, too.
    appliesTo: ({ language, text }) =>
      language !== 'log' && supportsHighlights() && hasAnsiStyles(text.element.textContent ?? ''),
    load: async () => (await import('./terminal-view.ts')).mountTerminal,
  },
]
