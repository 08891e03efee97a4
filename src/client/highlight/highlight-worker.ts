import { parseAnsi } from './ansi.ts'
import type { HighlightAnswer, HighlightTask } from './highlight-client.ts'
import { loadLanguage } from './language-file.ts'

/** UTF-16 units that are highlighted first, so that the beginning of a long text gets its colours soon. */
const FIRST_PART = 32 * 1024

const answer = (message: HighlightAnswer) => postMessage(message)

async function run(task: HighlightTask): Promise<void> {
  switch (task.do) {
    case 'parse-ansi':
      return answer(parseAnsi(task.text))
    case 'detect': {
      const [{ detectLanguage }, { findLanguage }] = await Promise.all([
        import('../../shared/detection/detect-language.lazy.ts'),
        import('../../shared/languages.ts'),
      ])
      const { language, confident } = detectLanguage(task.text, { fileName: task.fileName })
      return answer({ language, confident, label: findLanguage(language)?.label ?? language })
    }
    case 'highlight': {
      const { language, text } = task
      if (language === 'diff') {
        const { getDiffTokens } = await import('./diff.ts')
        return answer({ tokens: getDiffTokens(text), end: text.length, last: true })
      }
      const file = await loadLanguage(language)
      if (!file) return answer({ unknownLanguage: true })
      if (text.length > FIRST_PART) {
        answer({ ...file.getTokens(text.slice(0, FIRST_PART)), last: false })
      }
      return answer({ ...file.getTokens(text), last: true })
    }
    case 'render-markdown': {
      const { renderMarkdownParts } = await import('../markdown/parse/render-markdown.ts')
      for await (const part of renderMarkdownParts(task.text, task.partLength)) {
        answer({ ...part, last: false })
      }
      return answer({ html: '', line: 0, nodes: 0, last: true })
    }
    case 'data': {
      const { number, call } = task
      try {
        const { runDataCall } = await import('../data/data-task.ts')
        return answer({ number, result: await runDataCall(call) })
      } catch (error) {
        return answer({ number, problem: error instanceof Error ? error.message : String(error) })
      }
    }
    default:
      throw new TypeError(`Unknown task: ${JSON.stringify(task satisfies never)}`)
  }
}

addEventListener('message', async ({ data }: MessageEvent<HighlightTask>) => {
  try {
    await run(data)
  } catch (error) {
    // A text that is nested too deeply overflows the stack. That isn't a fault of this code.
    if (!(error instanceof RangeError)) console.error(error)
    answer({ failed: true })
  }
})
