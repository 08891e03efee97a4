/** The most matches that are kept. */
export const MAX_MATCHES = 10_000
/** UTF-16 units that are searched between two checks of the time. */
const WINDOW = 256 * 1024
/** How long the search runs before the page gets a turn, in milliseconds. */
const MAX_WORK_MS = 30

/** A match. Offsets are UTF-16 units from the start of the text. */
export interface Match {
  readonly from: number
  readonly to: number
}

interface FindOptions {
  /** Called from time to time to let the page respond. */
  readonly yieldToPage: () => Promise<void>
  /** Returns true once the result is no longer needed. */
  readonly isCancelled: () => boolean
}

/**
 * Finds all matches of a query in a text, ignoring case.
 *
 * @returns the first `MAX_MATCHES` matches, or null if the search was cancelled.
 */
export async function findMatches(
  text: string,
  query: string,
  { yieldToPage, isCancelled }: FindOptions,
): Promise<Match[] | null> {
  const pattern = new RegExp(query.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu')
  const matches: Match[] = []
  let started = performance.now()
  for (let from = 0; from < text.length && matches.length < MAX_MATCHES; ) {
    let next = Math.min(text.length, from + WINDOW)
    // A match that starts in this window may end in the next one.
    for (const found of text.slice(from, next + query.length - 1).matchAll(pattern)) {
      const match = { from: from + found.index, to: from + found.index + found[0].length }
      if (match.from >= next || matches.length === MAX_MATCHES) break
      matches.push(match)
      next = Math.max(next, match.to)
    }
    from = next
    if (performance.now() - started < MAX_WORK_MS) continue
    await yieldToPage()
    if (isCancelled()) return null
    started = performance.now()
  }
  return matches
}
