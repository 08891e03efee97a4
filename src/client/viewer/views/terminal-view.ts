import { getTextClasses, splitText } from '../../../shared/lines.ts'
import type { HighlightTasks } from '../../highlight/highlight-worker.ts'
import { ANSI_STYLES } from '../../highlight/tokens.ts'
import { createElement } from '../../shared/elements.ts'
import { createWorkerClient } from '../../shared/workers.ts'
import { appendChunks } from '../../text/chunks.ts'
import { DisplayedText } from '../../text/displayed-text.ts'
import { createPainter } from '../highlighting/highlighting.ts'
import { loadExtraStyles } from '../toolbar.ts'
import type { OpenView } from './views.ts'

/** The source is displayed after this time if the worker ends without an answer. */
const LONGEST_WAIT = '30s'

export const openTerminal: OpenView = async ({ section, text: { element: code } }) => {
  const source = code.parentElement
  void loadExtraStyles()
  const { ask, stop } = createWorkerClient<HighlightTasks>(section.dataset.highlightWorker ?? '')
  // The styles display a source that has waited for too long. Laying out its escape sequences takes longer than the view.
  const keepWaiting = () => {
    const isWaiting = !section.checkVisibility({ visibilityProperty: true })
    if (isWaiting) section.style.animationDuration = LONGEST_WAIT
  }
  const { plainText, tokens, hasSourceLines, chunks } = await ask(
    'parseAnsi',
    code.textContent ?? '',
    keepWaiting,
  ).finally(stop)
  const content = createElement('span', { className: 'terminal-text' })
  await appendChunks(content, splitText(plainText, chunks), chunks)
  const pre = createElement('pre', {}, content)
  const text = new DisplayedText(content)
  pre.classList.add('terminal', ...(hasSourceLines ? [] : ['redrawn']), ...getTextClasses(chunks))
  const painter = createPainter(text, tokens, ANSI_STYLES)
  return () => {
    source?.after(pre)
    if (source) source.hidden = true
    return {
      text,
      hasSourceLines,
      colours: { tokens, styles: ANSI_STYLES },
      paint: painter.paint,
      unmount: () => {
        painter.clear()
        pre.remove()
        if (source) source.hidden = false
      },
    }
  }
}
