import { findHiddenCharacters } from '../../shared/hidden-characters.ts'
import { planChunks } from '../../shared/lines.ts'
import type { MarkdownPart } from '../markdown/parse/render-markdown.ts'
import type * as ScanModule from '../scan/scan-tasks.ts'
import { serve } from '../shared/workers.ts'
import { parseAnsi } from './ansi.ts'
import { loadLanguage } from './language-file.ts'
import type { HighlightCode } from './tokens.ts'

type ScanTasks = typeof ScanModule

/** UTF-16 units that are highlighted first, so that the beginning of a long text gets its colours soon. */
const FIRST_PART = 32 * 1024

const highlight: HighlightCode = async ({ language, text }, onTokens) => {
  try {
    if (language === 'diff') {
      const { getDiffTokens } = await import('./diff.ts')
      return { tokens: getDiffTokens(text), end: text.length, last: true }
    }
    const file = await loadLanguage(language)
    if (!file) return null
    if (text.length > FIRST_PART) onTokens({ ...file.getTokens(text.slice(0, FIRST_PART)), last: false })
    return { ...file.getTokens(text), last: true }
  } catch (error) {
    console.error(error)
    return { tokens: new Uint32Array(), end: 0, last: true }
  }
}

const TASKS = {
  highlight,
  /** The file name may be any title; empty if there is none. */
  detect: async ({ text, fileName }: { readonly text: string; readonly fileName: string }) => {
    const [{ detectLanguage }, { findLanguage }] = await Promise.all([
      import('../../shared/detection/detect-language.lazy.ts'),
      import('../../shared/languages.ts'),
    ])
    const { language, confident } = detectLanguage(text, { fileName })
    return { language, confident, label: findLanguage(language)?.label ?? language }
  },
  /** Scans a file of the editor for secrets. A worker of its own does it, which keeps the text. */
  scan: async (changed: Parameters<ScanTasks['scanChange']>[0]) =>
    (await import('../scan/scan-tasks.ts')).scanChange(changed),
  redact: async (wanted: Parameters<ScanTasks['redactValues']>[0]) =>
    (await import('../scan/scan-tasks.ts')).redactValues(wanted),
  /** Hands over a part at once: an answer will come, however long the text is. */
  parseAnsi: (text: string, onPart: (part: null) => void) => {
    onPart(null)
    const parsed = parseAnsi(text)
    return { ...parsed, chunks: planChunks(parsed.plainText) }
  },
  findHiddenCharacters,
  /** Hands over the HTML in parts, which aren't sanitized. */
  renderMarkdown: async (
    { text, partLength }: { readonly text: string; readonly partLength: number | undefined },
    onPart: (part: MarkdownPart) => void,
  ): Promise<void> => {
    const { renderMarkdownParts } = await import('../markdown/parse/render-markdown.ts')
    for await (const part of renderMarkdownParts(text, partLength)) onPart(part)
  },
}

export type HighlightTasks = typeof TASKS

serve(TASKS)
