/** Regular expressions that may take longer than linear time, or that the check can't know. */
interface Exception {
  /** A path, or its start if it ends with a slash. */
  readonly path: string
  readonly reason: string
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    path: 'src/shared/detection/',
    reason: 'Detection sees at most 8,192 characters, in 160 lines of at most 160 characters: see sample.ts.',
  },
  {
    path: 'src/client/viewer/find/find-matches.ts',
    reason: 'Searches for escaped text, without operators.',
  },
  { path: 'src/client/logs/log-view.ts', reason: 'Searches for escaped text, without operators.' },
  {
    path: 'src/client/logs/search-pattern.ts',
    reason: 'Searches for escaped text, without operators. Expressions of the reader run in RE2.',
  },
  {
    path: 'src/previews/picture/markdown-blocks.ts',
    reason: 'A picture is made from at most 700 characters of a line or paragraph, and 6,000 in all.',
  },
  { path: 'src/site/documents/text-facts.ts', reason: 'An excerpt is made from at most 2,048 characters.' },
  { path: 'src/platform/addresses.ts', reason: 'Replaces a run of zeros and colons in an address.' },
]

/** Returns the exception for a path, if there is one. */
export const findException = (path: string): Exception | undefined =>
  EXCEPTIONS.find((exception) =>
    exception.path.endsWith('/') ? path.startsWith(exception.path) : path === exception.path,
  )
