/** They are also the classes that style the lines. `context` and `note` have no style: such a line looks like any other text. */
export const DIFF_LINES = ['context', 'added', 'removed', 'hunk', 'file', 'note'] as const

type DiffLine = (typeof DIFF_LINES)[number]

interface ParsedLine {
  /** Is `note` for what says something about the lines around it: that a file ends without a line break. */
  readonly kind: DiffLine
  readonly start: number
  readonly end: number
  /** UTF-16 units before the text of a line of a hunk: one for each old file. */
  readonly prefix: number
  /** The line's number in each old file; 0 where it has none. It's empty outside of hunks. */
  readonly old: readonly number[]
  readonly new: number
  /** Is true if words of the line may have marks instead of a sign. */
  readonly isMarked: boolean
}

/** Words that `git diff --word-diff` marks. Without the limit, some lines would take forever. */
export const MARKED_WORDS = /\[-((?:(?!\[-)[^\n]){1,500}?)-\]|\{\+(?:(?!\{\+)[^\n]){1,500}?\+\}/g
const HAS_MARKED_WORDS = new RegExp(MARKED_WORDS.source)

/** The lines that an old file or the new file has in a hunk. */
interface Side {
  at: number
  left: number
}

type Format = 'unified' | 'normal' | 'old context' | 'new context'

interface Hunk {
  readonly format: Format
  readonly prefix: number
  readonly old: readonly Side[]
  readonly new: Side
}

/** UTF-16 units of a line that are read. */
const HEAD = 300

const UNIFIED = /^(@@+|##) -(\d+(?:,\d+)?(?: -\d+(?:,\d+)?){0,20}) \+(\d+(?:,\d+)?) \1/
/** Chats and agents write hunks without ranges. */
const UNCOUNTED = /^@@(?:\s|$)/
const NORMAL = /^(\d+(?:,\d+)?)([acd])(\d+(?:,\d+)?)\r?$/
const CONTEXT_HUNK = /^\*{15}(?:\s|$)/
const OLD_CONTEXT = /^\*\*\* (\d+)(?:,(\d+))? \*{4}\r?$/
const NEW_CONTEXT = /^--- (\d+)(?:,(\d+))? -{4}\r?$/
const ANY_HUNK = /^(?:@@+|##) -\d|^@@(?:\s|$)|^\d+(?:,\d+)?[acd]\d+(?:,\d+)?\r?\n[<>]|^\*{15}(?:\s|$)/m

/** Lines that Git, Subversion, Mercurial, Perforce, CVS, Bazaar and `diff` write about a file. */
const FILE =
  /^(?:diff -|index [\da-f]{4,}|Index: |==== \S.* ====|=== (?:modified|added|removed|renamed) |RCS file: |retrieving revision |(?:new|deleted) file mode |(?:old|new|mode) (?:mode )?\d{6}|(?:dis)?similarity index \d|(?:rename|copy) (?:from|to) |Binary files .* differ|GIT binary patch|Only in .+: |\*\*\* (?:(?:Begin|End) Patch|(?:Add|Update|Delete) File: ))/
const RULE = /^={10,}\r?$/

/** `12,14` are lines 12 to 14; `12` is one. */
function readLines(range: string): Side {
  const [from = 0, to = from] = range.split(',').map(Number)
  return { at: from, left: to - from + 1 }
}

/** `12,3` are three lines from 12 on. */
function readCount(range: string): Side {
  const [at = 0, left = 1] = range.split(',').map(Number)
  return { at, left }
}

const readContext = (from: string | undefined, to = from): Side => ({
  at: Number(from),
  left: Number(from) === 0 ? 0 : Number(to) - Number(from) + 1,
})

const nothing = (): Side => ({ at: 0, left: 0 })

function startHunk(line: string, next: string): Hunk | null {
  const [, marks = '', old = '', current = ''] = UNIFIED.exec(line) ?? []
  if (marks !== '') {
    const sides = old.split(' -').map(readCount)
    return { format: 'unified', prefix: sides.length, old: sides, new: readCount(current) }
  }
  if (UNCOUNTED.test(line)) {
    const endless = () => ({ at: 0, left: Number.POSITIVE_INFINITY })
    return { format: 'unified', prefix: 1, old: [endless()], new: endless() }
  }
  const [, from = '', command, to = ''] = /[<>]/.test(next) ? (NORMAL.exec(line) ?? []) : []
  if (command) {
    const sides = { old: readLines(from), new: readLines(to) }
    if (command === 'a') sides.old = nothing()
    if (command === 'd') sides.new = nothing()
    return { format: 'normal', prefix: 2, old: [sides.old], new: sides.new }
  }
  const oldContext = OLD_CONTEXT.exec(line)
  if (oldContext) {
    const old = readContext(oldContext[1], oldContext[2])
    return { format: 'old context', prefix: 2, old: [old], new: nothing() }
  }
  const newContext = NEW_CONTEXT.exec(line)
  if (newContext) {
    const current = readContext(newContext[1], newContext[2])
    return { format: 'new context', prefix: 2, old: [nothing()], new: current }
  }
  return null
}

/** Returns the kind, and which files have the line (the old ones, then the new one), or null if it isn't in the hunk. */
function readHunkLine({ format, prefix, old }: Hunk, line: string): [DiffLine, readonly boolean[]] | null {
  if (line.startsWith('\\')) return ['note', []]
  const signs = line.slice(0, prefix).replace('\r', '').padEnd(prefix)
  switch (format) {
    case 'unified': {
      if (!/^[-+ ]*$/.test(signs)) return null
      const isRemoved = signs.includes('-')
      const kind = isRemoved ? 'removed' : signs.includes('+') ? 'added' : 'context'
      return [
        kind,
        [...old.map((_, index) => (signs[index] === '-') === isRemoved && signs[index] !== '+'), !isRemoved],
      ]
    }
    case 'normal':
      if (signs === '< ') return ['removed', [true, false]]
      if (signs === '> ') return ['added', [false, true]]
      return /^---\r?$/.test(line) ? ['note', []] : null
    case 'old context':
      if (!/^[-! ] $/.test(signs)) return null
      return [signs === '  ' ? 'context' : 'removed', [true, false]]
    case 'new context':
      if (!/^[+! ] $/.test(signs)) return null
      return [signs === '  ' ? 'context' : 'added', [false, true]]
    default:
      return format satisfies never
  }
}

/** Tells what a line outside of hunks is. */
function getKind(line: string, previous: string, next: string): DiffLine {
  if (line.startsWith('\\ ')) return 'note'
  if (CONTEXT_HUNK.test(line)) return 'hunk'
  const isPair = (one: string, other: string) =>
    (line.startsWith(one) && next.startsWith(other)) || (line.startsWith(other) && previous.startsWith(one))
  if (/^diff \S+ \S+\r?$/.test(line) && /^(?:@@|---|\*\*\*|\d)/.test(next)) return 'file'
  if (FILE.test(line) || isPair('--- ', '+++ ') || isPair('*** ', '--- ')) return 'file'
  return RULE.test(line) && previous.startsWith('Index: ') ? 'file' : 'context'
}

/** Reads a text without hunks, such as a few lines from a chat. */
function getKindBySign(line: string): DiffLine {
  if (/^(?:\+\+\+|---)(?: |$)/.test(line) || FILE.test(line)) return 'file'
  if (/^[+>]/.test(line)) return 'added'
  return /^[-<]/.test(line) ? 'removed' : 'context'
}

const hasLeft = ({ old, new: current }: Hunk) => current.left > 0 || old.some(({ left }) => left > 0)

/** Returns the number of the line, and goes to the next one. */
function take(side: Side): number {
  const { at, left } = side
  if (left === Number.POSITIVE_INFINITY) return 0
  side.at += 1
  side.left -= 1
  return at
}

/** A hunk of `git diff --word-diff` has no signs, or other lines than it says: what they start with is text. */
function hasMarkedWords(hunk: Hunk, text: string, start: number): boolean {
  const next = text.indexOf('\n@@', start - 1)
  const body = text.slice(start, next === -1 ? text.length : next).replace(/\n$/, '')
  if (!HAS_MARKED_WORDS.test(body)) return false
  const sides = [...hunk.old, hunk.new].map((side) => ({ ...side }))
  let hasSigns = false
  for (const line of body.split('\n')) {
    if (sides.every(({ left }) => left <= 0)) break
    const [kind, has] = readHunkLine(hunk, line) ?? []
    if (!kind || !has) return true
    hasSigns ||= kind === 'removed' || kind === 'added'
    for (const [index, side] of sides.entries()) if (has[index]) take(side)
  }
  // Headers that people or agents have written miscount: code has the marks of what is removed, such as `[-.]`, too.
  return !hasSigns || (/\{\+[^\n]*\+\}/.test(body) && sides.some(({ left }) => left !== 0))
}

/** Reads unified, combined and context diffs, and those that `diff` writes without options. */
export function* parseDiff(text: string): Generator<ParsedLine> {
  const hasHunks = ANY_HUNK.test(text)
  let hunk: Hunk | null = null
  let previous = ''
  let isMarked = false
  for (let start = 0; start < text.length; ) {
    const lineBreak = text.indexOf('\n', start)
    const end = lineBreak === -1 ? text.length : lineBreak
    const line = text.slice(start, Math.min(end, start + HEAD))
    const next = text.slice(end + 1, end + 5)
    const inHunk = hunk && hasLeft(hunk) ? readHunkLine(hunk, line) : null
    if (hunk && inHunk) {
      const [kind, has] = inHunk
      const numbers = [...hunk.old, hunk.new].map((side, index) => (has[index] ? take(side) : 0))
      const [old, current] = [numbers.slice(0, -1), numbers.at(-1) ?? 0]
      yield { kind, start, end, prefix: hunk.prefix, old, new: current, isMarked: false }
    } else {
      hunk = startHunk(line, next)
      const kind = hunk ? 'hunk' : hasHunks ? getKind(line, previous, next) : getKindBySign(line)
      if (kind !== 'context')
        isMarked = hunk !== null && line.startsWith('@@ -') && hasMarkedWords(hunk, text, end + 1)
      if (isMarked) hunk = null
      yield { kind, start, end, prefix: 1, old: [], new: 0, isMarked }
    }
    previous = line
    start = end + 1
  }
}

/** Lines that version control writes before the first file. */
const PREAMBLE =
  /^(?:commit [\da-f]{7,}|[\da-f]{7,40} \S|From [\da-f]{40} |On branch |HEAD detached |# HG changeset|changeset: |Change \d+ by |Author: |-{20,}\n?r\d+ \| |Subject: |stash@)/
const FENCE = /^\s*(?:```|~~~)/

/** Most lines belong to a diff whose hunks have what their headers say. */
export function isDiff(text: string): boolean {
  if (!ANY_HUNK.test(text)) return false
  let [known, others, changes] = [0, 0, 0]
  for (const { kind, start, end, old, new: current } of parseDiff(text)) {
    const isNumbered = current > 0 || old.some((number) => number > 0)
    if (isNumbered && kind !== 'context') changes += 1
    if (isNumbered || kind !== 'context') known += 1
    else {
      const line = text.slice(start, end)
      if (FENCE.test(line)) return false
      if (line.trim() !== '') others += 1
    }
  }
  return changes > 0 && (known >= others || PREAMBLE.test(text))
}
