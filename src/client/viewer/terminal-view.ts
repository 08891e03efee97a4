import { getTextClasses, planChunks, splitText } from '../../shared/lines.ts'
import { parseTerminalOutput } from '../highlight/highlight-client.ts'
import { Painter } from '../highlight/painter.ts'
import { ANSI_STYLES } from '../highlight/tokens.ts'
import { appendChunks } from '../text/chunks.ts'
import { DisplayedText } from '../text/displayed-text.ts'
import { startToggle } from './toolbar.ts'

export interface TerminalView {
  readonly text: DisplayedText
  readonly painter: Painter
}

/** Creates an element with a text in chunks, of which the browser lays out only the visible ones. */
async function createTerminalText(text: string): Promise<{ pre: HTMLElement; content: HTMLElement }> {
  const pre = document.createElement('pre')
  const content = document.createElement('span')
  const cut = planChunks(text)
  pre.classList.add('terminal', ...getTextClasses(cut))
  content.className = 'terminal-text'
  await appendChunks(content, splitText(text, cut), cut)
  pre.append(content)
  return { pre, content }
}

/**
 * Shows terminal output in its colours, with a button that switches to the source.
 *
 * @param onSwitch called with the coloured view, or with null when the source is shown.
 */
export function startTerminalView(
  workerAddress: string,
  code: HTMLElement,
  onSwitch: (view: TerminalView | null) => void,
): void {
  const source = code.parentElement
  parseTerminalOutput(workerAddress, code.textContent ?? '', async ({ plainText, tokens }) => {
    const { pre, content } = await createTerminalText(plainText)
    if (!source) return
    pre.hidden = true
    source.after(pre)
    const text = new DisplayedText(content)
    const view = { text, painter: new Painter(text, tokens, ANSI_STYLES) }
    startToggle('#colours', true, (coloured) => {
      source.hidden = coloured
      pre.hidden = !coloured
      onSwitch(coloured ? view : null)
    })
  })
}
