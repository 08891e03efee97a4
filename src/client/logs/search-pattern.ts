import { escapePattern } from './escape-pattern.ts'

/** A search of a line, or why there is none. */
export type LineSearch = { readonly matches: (line: string) => boolean } | { readonly problem: string }

/** Says in plain words what is wrong with a pattern. */
function describeProblem(pattern: string, message: string): string {
  if (/\(\?<?[=!]/.test(pattern))
    return 'Look-ahead and look-behind aren’t supported, because they can take forever.'
  if (/\\[1-9]|\\k</.test(pattern))
    return 'Back-references such as \\1 aren’t supported, because they can take forever.'
  return `This isn’t a valid regular expression: ${message.replace(/^error parsing regexp: /, '')}`
}

/** Returns a search for a text in any case. The browser's engine matches plain characters in linear time. */
function searchText(text: string): LineSearch {
  const pattern = new RegExp(escapePattern(text), 'iu')
  return { matches: (line) => pattern.test(line) }
}

/**
 * Returns a search for a text or a regular expression, in any case. Regular expressions run in RE2, which takes
 * linear time for every pattern.
 */
export async function createSearch(query: string, isPattern: boolean): Promise<LineSearch> {
  if (!isPattern) return searchText(query)
  const { RE2JS, RE2JSException } = await import('re2js')
  try {
    const pattern = RE2JS.compile(query, RE2JS.CASE_INSENSITIVE)
    return { matches: (line) => pattern.test(line) }
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return { problem: describeProblem(query, error.message) }
  }
}
