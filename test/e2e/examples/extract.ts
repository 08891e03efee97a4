import MarkdownIt from 'markdown-it'

/** A fenced block of a Markdown file. */
export interface Example {
  readonly file: string
  /** The line of its first fence, from 1. */
  readonly line: number
  readonly language: string
  /** The reason why the tests don't run it, or undefined if they do. */
  readonly notTested: string | undefined
  readonly text: string
}

/** Languages of blocks that can't be run. */
const FIGURES = ['', 'text', 'mermaid', 'html', 'toml', 'ini', 'diff', 'yaml', 'sql']

const NOT_TESTED = /^not-tested: (\S.*)$/

/**
 * Returns the examples in a Markdown file: commands, code and JSON.
 *
 * After its language, a block may have `not-tested: REASON`, which GitHub doesn't show.
 */
export function extractExamples(file: string, markdown: string): Example[] {
  return new MarkdownIt()
    .parse(markdown, {})
    .filter(({ type }) => type === 'fence')
    .map(({ info, map, content }) => {
      const [language = '', ...rest] = info.trim().split(/\s+/)
      const note = rest.join(' ')
      const line = (map?.[0] ?? 0) + 1
      const notTested = NOT_TESTED.exec(note)?.[1]
      if (note !== '' && notTested === undefined) {
        throw new Error(`${file}:${line}: "${note}" should be "not-tested: REASON"`)
      }
      return { file, line, language, notTested, text: content }
    })
    .filter(({ language }) => !FIGURES.includes(language))
}
