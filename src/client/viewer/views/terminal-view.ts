import { getTextClasses, planChunks, splitText } from '../../../shared/lines.ts'
import { parseTerminalOutput } from '../../highlight/highlight-client.ts'
import { ANSI_STYLES } from '../../highlight/tokens.ts'
import { createElement } from '../../shared/elements.ts'
import { appendChunks } from '../../text/chunks.ts'
import { DisplayedText } from '../../text/displayed-text.ts'
import { Painter } from '../highlighting/highlighting.ts'
import { loadExtraStyles } from '../toolbar.ts'
import type { MountView } from './views.ts'

interface TerminalText {
  readonly pre: HTMLElement
  readonly text: DisplayedText
  readonly painter: Painter
}

async function createTerminalText(text: string): Promise<{ pre: HTMLElement; content: HTMLElement }> {
  const cut = planChunks(text)
  const content = createElement('span', { className: 'terminal-text' })
  await appendChunks(content, splitText(text, cut), cut)
  const pre = createElement('pre', {}, content)
  pre.classList.add('terminal', ...getTextClasses(cut))
  return { pre, content }
}

async function parse(workerAddress: string, source: HTMLElement): Promise<TerminalText> {
  const { plainText, tokens } = await parseTerminalOutput(workerAddress, source.textContent ?? '')
  const { pre, content } = await createTerminalText(plainText)
  const text = new DisplayedText(content)
  return { pre, text, painter: new Painter(text, tokens, ANSI_STYLES) }
}

let parsed: Promise<TerminalText> | null = null

export const mountTerminal: MountView = async ({ code, workerAddress }) => {
  const source = code.parentElement
  void loadExtraStyles()
  parsed ??= parse(workerAddress, code)
  const { pre, text, painter } = await parsed.catch(() => {
    parsed = null
    throw new Error('The terminal output couldn’t be displayed.')
  })
  if (!pre.isConnected) source?.after(pre)
  if (source) source.hidden = true
  pre.hidden = false
  return {
    text,
    hasSourceLines: true,
    paint: () => painter.paint(),
    unmount: () => {
      painter.clear()
      pre.hidden = true
      if (source) source.hidden = false
    },
  }
}
