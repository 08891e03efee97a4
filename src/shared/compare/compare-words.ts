import { diffTokens, type WorkLimit } from './diff-tokens.ts'

export interface Part {
  readonly text: string
  /** Is true if only this version of the line has it. */
  readonly changed: boolean
  /** The number of UTF-16 units that are left out here; then the text is empty. */
  readonly omitted?: number
}

export interface ComparedPair {
  readonly old: readonly Part[]
  readonly current: readonly Part[]
}

/** UTF-16 units of a line that is compared by word. */
export const MAX_WORD_LINE = 2_000

const WITHOUT_SPACES = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')

/** Words, runs of whitespace, and, for scripts without spaces, single characters with their combining marks. */
const TOKENS = new RegExp(
  [
    String.raw`[${WITHOUT_SPACES}]\p{M}*`,
    String.raw`[\p{L}\p{N}_](?:(?![${WITHOUT_SPACES}])[\p{L}\p{N}\p{M}_])*`,
    String.raw`[^\S\r\n]+`,
    String.raw`\p{RI}\p{RI}`,
    String.raw`.(?:[\p{M}\p{Emoji_Modifier}]|\u200D\p{Extended_Pictographic})*`,
  ].join('|'),
  'gsu',
)

const splitWords = (line: string): string[] => line.match(TOKENS) ?? []

/** Returns the number of UTF-16 units that each word has, with all its repetitions. Whitespace doesn't count. */
export function measureWords(text: string): Map<string, number> {
  const lengths = new Map<string, number>()
  for (const word of splitWords(text)) {
    if (/\S/.test(word)) lengths.set(word, (lengths.get(word) ?? 0) + word.length)
  }
  return lengths
}

/** Returns the share of the longer text that both have, from 0 to 1. */
export function getSimilarity(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let [shared, oneLength, otherLength] = [0, 0, 0]
  for (const [word, length] of one) {
    oneLength += length
    shared += Math.min(length, other.get(word) ?? 0)
  }
  for (const length of other.values()) otherLength += length
  return shared / Math.max(1, oneLength, otherLength)
}

/** Two lines that have less in common count as changed as a whole: marking single words would only confuse. */
const MIN_SIMILARITY = 0.3

const isBlank = (text: string): boolean => !/\S/.test(text)

const countUnits = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + (isBlank(word) ? 0 : word.length), 0)

/** Whitespace between two changed words counts as changed, so that a phrase is marked as one. */
function toParts(words: readonly string[], changed: readonly boolean[]): Part[] {
  const parts: { text: string; changed: boolean }[] = []
  for (const [index, text] of words.entries()) {
    const marked =
      changed[index] === true || (isBlank(text) && changed[index - 1] === true && changed[index + 1] === true)
    const last = parts.at(-1)
    if (last?.changed === marked) last.text += text
    else parts.push({ text, changed: marked })
  }
  return parts
}

/** The share of two lines, of one long word each, that must be the same at their ends. */
const MIN_SAME_ENDS = 0.5

/** Returns null if the lines have too little in common, or are too long. */
export function compareWords(old: string, current: string, work: WorkLimit): ComparedPair | null {
  if (old.length > MAX_WORD_LINE || current.length > MAX_WORD_LINE) return null
  if (!work.trySpend(old.length + current.length)) return null
  const [oldWords, newWords] = [splitWords(old), splitWords(current)]
  const changes = diffTokens(oldWords, newWords, work)
  if (!changes) return null
  const oldChanged = oldWords.map(() => false)
  const newChanged = newWords.map(() => false)
  for (const { oldFrom, oldTo, newFrom, newTo } of changes) {
    oldChanged.fill(true, oldFrom, oldTo)
    newChanged.fill(true, newFrom, newTo)
  }
  const kept = countUnits(oldWords.filter((_, index) => !oldChanged[index]))
  const all = Math.max(countUnits(oldWords), countUnits(newWords))
  if (kept < MIN_SIMILARITY * all) return compareSimilarEnds(old, current)
  return { old: toParts(oldWords, oldChanged), current: toParts(newWords, newChanged) }
}

const isHighSurrogate = (text: string, index: number) => /[\uD800-\uDBFF]/.test(text.charAt(index))
const isLowSurrogate = (text: string, index: number) => /[\uDC00-\uDFFF]/.test(text.charAt(index))

/** Marks all from the first to the last difference of two long lines. */
export function compareEnds(old: string, current: string): ComparedPair {
  const max = Math.min(old.length, current.length)
  let start = 0
  while (start < max && old.charCodeAt(start) === current.charCodeAt(start)) start += 1
  if (start > 0 && isHighSurrogate(old, start - 1)) start -= 1
  let end = 0
  const unitFromEnd = (line: string) => line.charCodeAt(line.length - 1 - end)
  while (end < max - start && unitFromEnd(old) === unitFromEnd(current)) end += 1
  if (end > 0 && isLowSurrogate(old, old.length - end)) end -= 1
  const split = (line: string): Part[] =>
    [
      { text: line.slice(0, start), changed: false },
      { text: line.slice(start, line.length - end), changed: true },
      { text: line.slice(line.length - end), changed: false },
    ].filter(({ text }) => text !== '')
  return { old: split(old), current: split(current) }
}

/** Compares one long word that changed in part. Only in ASCII, so that no emoji or accent is split. */
function compareSimilarEnds(old: string, current: string): ComparedPair | null {
  if (/[^\t\r\n -~]/.test(old + current)) return null
  const ends = compareEnds(old, current)
  const same = countUnits(ends.old.flatMap(({ text, changed }) => (changed ? [] : [text])))
  return same < MIN_SAME_ENDS * Math.max(old.length, current.length) ? null : ends
}

/** UTF-16 units that are shown at each end of a part of a long line. */
const ENDS = { changed: 400, unchanged: 150 } as const

const alignCut = (text: string, at: number): number =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(at - 1, at + 1)) ? at - 1 : at

export function shortenParts(parts: readonly Part[]): readonly Part[] {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0)
  if (length <= MAX_WORD_LINE) return parts
  return parts.flatMap((part): Part[] => {
    const { text, changed } = part
    const shown = changed ? ENDS.changed : ENDS.unchanged
    if (text.length <= 3 * shown) return [part]
    const head = alignCut(text, shown)
    const tail = alignCut(text, text.length - shown)
    return [
      { text: text.slice(0, head), changed },
      { text: '', changed, omitted: tail - head },
      { text: text.slice(tail), changed },
    ]
  })
}
