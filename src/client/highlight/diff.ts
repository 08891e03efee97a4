import { pairLines } from '../../shared/compare/compare-texts.ts'
import type { Part } from '../../shared/compare/compare-words.ts'
import { WorkLimit } from '../../shared/compare/diff-tokens.ts'
import { CODE_STYLES, type Tokens } from './tokens.ts'

/** Also the classes that style the lines. `context` has no class: such a line looks like any other text. */
export const DIFF_LINES = ['context', 'added', 'removed', 'hunk', 'file'] as const

type DiffLine = (typeof DIFF_LINES)[number]

interface ParsedLine {
  readonly kind: DiffLine
  readonly start: number
  readonly end: number
  /** The line's numbers in the old and the new file; 0 where it has none. */
  readonly old: number
  readonly new: number
}

const UNIFIED = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
const NORMAL = /^(\d+)(?:,\d+)?([acd])(\d+)(?:,\d+)?\r?$/
/** What is needed of a line. */
const HEAD = 80

/** For lines outside the hunks of a unified diff, whose lengths say what belongs to them. */
function getKind(line: string): DiffLine {
  if (/^(?:\+\+\+|---)(?: |$)|^(?:diff |index |Index: |={5})/.test(line)) return 'file'
  if (line.startsWith('@@') || NORMAL.test(line)) return 'hunk'
  if (/^[+>]/.test(line)) return 'added'
  return /^[-<]/.test(line) ? 'removed' : 'context'
}

/** Reads unified diffs, of Git and others, and those that `diff` writes without options. */
export function* parseDiff(text: string): Generator<ParsedLine> {
  let [oldAt, newAt, oldLeft, newLeft] = [0, 0, 0, 0]
  for (let start = 0; start < text.length; ) {
    const lineBreak = text.indexOf('\n', start)
    const end = lineBreak === -1 ? text.length : lineBreak
    const line = text.slice(start, Math.min(end, start + HEAD))
    const [sign = ''] = line
    // Programs that trim lines leave nothing of a blank one.
    const isContext = sign === ' ' || sign === '' || sign === '\r'
    const inHunk = (oldLeft > 0 || newLeft > 0) && (isContext || /[-+\\]/.test(sign))
    if (!inHunk) [oldLeft, newLeft] = [0, 0]
    const kind = !inHunk ? getKind(line) : sign === '+' ? 'added' : sign === '-' ? 'removed' : 'context'
    const inNormal = oldAt > 0 && /[<>]/.test(sign)
    if (kind === 'hunk') {
      const unified = UNIFIED.exec(line)
      const normal = NORMAL.exec(line)
      ;[oldAt, newAt] = [Number(unified?.[1] ?? normal?.[1] ?? 0), Number(unified?.[3] ?? normal?.[3] ?? 0)]
      if (unified) [oldLeft, newLeft] = [Number(unified[2] ?? 1), Number(unified[4] ?? 1)]
    } else if (kind === 'file' && line.trimEnd() !== '---') oldAt = 0
    const isNumbered = (inHunk && sign !== '\\') || inNormal
    const hasOld = isNumbered && kind !== 'added'
    const hasNew = isNumbered && kind !== 'removed'
    yield { kind, start, end, old: hasOld ? oldAt : 0, new: hasNew ? newAt : 0 }
    if (hasOld) [oldAt, oldLeft] = [oldAt + 1, oldLeft - 1]
    if (hasNew) [newAt, newLeft] = [newAt + 1, newLeft - 1]
    start = end + 1
  }
}

const WORD_STEPS = 4_000_000

const style = (name: (typeof CODE_STYLES)[number]) => CODE_STYLES.indexOf(name)

/** Styles the words that changed between removed lines and the added lines right after them. */
export function getDiffTokens(text: string): Tokens {
  const tokens: number[] = []
  const work = new WorkLimit(WORD_STEPS)
  let removed: ParsedLine[] = []
  let added: ParsedLine[] = []
  const addWords = (line: ParsedLine, parts: readonly Part[], index: number) => {
    let at = line.start + 1
    for (const part of parts) {
      if (part.changed) tokens.push(at, at + part.text.length, index)
      at += part.text.length
    }
  }
  const addBlock = () => {
    const read = ({ start, end }: ParsedLine) => text.slice(start + 1, end)
    const pairs =
      removed.length > 0 && added.length > 0 ? pairLines(removed.map(read), added.map(read), work) : []
    for (const [lines, side, index] of [
      [removed, 'old', style('diff-removed')],
      [added, 'current', style('diff-added')],
    ] as const) {
      for (const pair of pairs) {
        const line = lines[pair[side] ?? -1]
        if (line && pair.marked) addWords(line, pair.marked[side], index)
      }
    }
    removed = []
    added = []
  }
  for (const line of parseDiff(text)) {
    if (line.kind !== 'added' && (line.kind !== 'removed' || added.length > 0)) addBlock()
    if (line.kind === 'removed') removed.push(line)
    else if (line.kind === 'added') added.push(line)
    else if (line.kind === 'hunk') tokens.push(line.start, line.end, style('tok-meta'))
    else if (line.kind === 'file') tokens.push(line.start, line.end, style('tok-heading'))
  }
  addBlock()
  return new Uint32Array(tokens)
}
