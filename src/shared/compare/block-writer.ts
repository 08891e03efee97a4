import type { Part } from './compare-words.ts'
import type { Block, ChangedBlock, Comparison, ShownLine, UnchangedLine } from './comparison.ts'
import type { Change } from './diff-tokens.ts'
import { type PairedLine, pairLines } from './pair-lines.ts'
import { shortenParts } from './shorten-parts.ts'
import type { TextLines } from './text-lines.ts'
import { WorkLimit } from './work-limit.ts'

/** Unchanged lines that are shown around a change. */
const CONTEXT_LINES = 3

/** Fewer lines than this aren't folded: the line that unfolds them takes space too. */
const MIN_FOLDED_LINES = 4

/** Changed lines of one side that are shown of a single change. */
const MAX_CHANGE_LINES = 500

/** Lines and UTF-16 units on a page, and of those the ones in folded stretches. */
const MAX_SHOWN = { lines: 3_000, units: 500_000 } as const
const MAX_FOLDED = { lines: 2_000, units: 250_000 } as const
/** A longer stretch isn't on the page at all. */
const MAX_STRETCH_LINES = 500

const withoutBreak = (line: string): string => line.replace(/\r?\n$/, '')

/** Removes the line break at the end of a line. A carriage return stays where it's what changed. */
function trimParts(parts: readonly Part[]): Part[] {
  const last = parts.at(-1)
  if (!last) return []
  const text = last.changed ? last.text.replace(/\n$/, '') : withoutBreak(last.text)
  return [...parts.slice(0, -1), ...(text === '' ? [] : [{ ...last, text }])]
}

/** Collects the blocks of a comparison as long as they fit on a page. */
export class BlockWriter {
  readonly #old: TextLines
  readonly #new: TextLines
  readonly #work: WorkLimit
  readonly #lines = new WorkLimit(MAX_SHOWN.lines)
  readonly #units = new WorkLimit(MAX_SHOWN.units)
  readonly #foldedLines = new WorkLimit(MAX_FOLDED.lines)
  readonly #foldedUnits = new WorkLimit(MAX_FOLDED.units)
  readonly #blocks: Block[] = []
  readonly #counts = { removed: 0, added: 0 }
  readonly #omitted = { removed: 0, added: 0 }
  /** Whether only one text ends with a line break. */
  readonly #endsDiffer: boolean
  /** Up to where both texts have been written. */
  #oldAt = 0
  #newAt = 0

  constructor(old: TextLines, current: TextLines, work: WorkLimit) {
    this.#old = old
    this.#new = current
    this.#work = work
    this.#endsDiffer = old.endsWithLineBreak !== current.endsWithLineBreak
  }

  /** Adds a change and the unchanged lines before it. */
  addChange({ oldFrom, oldTo, newFrom, newTo }: Change): void {
    const [removed, added] = [oldTo - oldFrom, newTo - newFrom]
    this.#counts.removed += removed
    this.#counts.added += added
    if (this.#isFull()) {
      this.#omitted.removed += removed
      this.#omitted.added += added
    } else {
      this.#addUnchanged(newFrom, { isLast: false })
      this.#addChanged({ oldFrom, oldTo, newFrom, newTo })
    }
    this.#oldAt = oldTo
    this.#newAt = newTo
  }

  finish(): Comparison {
    if (this.#isFull() && this.#omitted.removed + this.#omitted.added > 0) {
      this.#blocks.push({ kind: 'omitted', ...this.#omitted })
    } else this.#addUnchanged(this.#new.count, { isLast: true })
    return { ...this.#counts, blocks: this.#blocks }
  }

  #isFull(): boolean {
    return this.#lines.left <= 0 || this.#units.left <= 0
  }

  #addUnchanged(newTo: number, { isLast }: { readonly isLast: boolean }): void {
    const count = newTo - this.#newAt
    const before = this.#blocks.length === 0 ? 0 : CONTEXT_LINES
    const after = isLast ? 0 : CONTEXT_LINES
    const folded = count - before - after
    if (folded < MIN_FOLDED_LINES) {
      this.#addLines(0, count)
      return
    }
    this.#addLines(0, before)
    const lines = this.#canFold(before, folded) ? this.#listUnchanged(before, before + folded) : []
    this.#blocks.push({ kind: 'folded', count: folded, lines })
    this.#addLines(count - after, count)
  }

  /** Returns true if there is space for a folded stretch on the page, and takes it. */
  #canFold(from: number, count: number): boolean {
    if (count > MAX_STRETCH_LINES) return false
    let units = 0
    for (let index = from; index < from + count; index++) units += this.#new.get(this.#newAt + index).length
    return (
      units <= this.#foldedUnits.left &&
      this.#foldedLines.trySpend(count) &&
      this.#foldedUnits.trySpend(units)
    )
  }

  #addLines(from: number, to: number): void {
    if (from < to) this.#blocks.push({ kind: 'unchanged', lines: this.#listUnchanged(from, to) })
  }

  #listUnchanged(from: number, to: number): UnchangedLine[] {
    return Array.from({ length: to - from }, (_, index) => ({
      oldNumber: this.#oldAt + from + index + 1,
      newNumber: this.#newAt + from + index + 1,
      parts: shortenParts([
        { text: withoutBreak(this.#new.get(this.#newAt + from + index)), changed: false },
      ]),
    }))
  }

  #addChanged({ oldFrom, oldTo, newFrom, newTo }: Change): void {
    const list = (lines: TextLines, from: number, to: number): string[] =>
      Array.from({ length: Math.min(to - from, MAX_CHANGE_LINES) }, (_, index) => lines.get(from + index))
    const [old, current] = [list(this.#old, oldFrom, oldTo), list(this.#new, newFrom, newTo)]
    const toLine = ({ old, current, marked }: PairedLine, side: 'old' | 'current'): ShownLine | null => {
      const index = side === 'old' ? old : current
      if (index === null) return null
      const lines = side === 'old' ? this.#old : this.#new
      const at = (side === 'old' ? oldFrom : newFrom) + index
      const text = lines.get(at)
      const parts = shortenParts(trimParts(marked?.[side] ?? [{ text, changed: false }]))
      this.#spend(parts)
      return {
        number: at + 1,
        parts,
        ...(!text.endsWith('\n') && this.#endsDiffer && { lacksLineBreak: true }),
      }
    }
    for (const run of groupPairs(pairLines(old, current, this.#work))) {
      const block: ChangedBlock = {
        kind: 'changed',
        removed: run.flatMap((pair) => toLine(pair, 'old') ?? []),
        added: run.flatMap((pair) => toLine(pair, 'current') ?? []),
      }
      this.#blocks.push(block)
    }
    const omitted = { removed: oldTo - oldFrom - old.length, added: newTo - newFrom - current.length }
    if (omitted.removed + omitted.added > 0) this.#blocks.push({ kind: 'omitted', ...omitted })
  }

  /** Counts a changed line. The last one may exceed the limits. */
  #spend(parts: readonly Part[]): void {
    const units = parts.reduce((sum, { text }) => sum + text.length, 0)
    if (!this.#lines.trySpend(1)) this.#lines.trySpend(this.#lines.left)
    if (!this.#units.trySpend(units)) this.#units.trySpend(this.#units.left)
  }
}

/**
 * Groups paired lines so that within a group, the lines of both sides stand beside each other without gaps before the end
 * of the shorter side.
 */
export function groupPairs(pairs: readonly PairedLine[]): PairedLine[][] {
  const groups: PairedLine[][] = []
  let open: 'one-sided' | 'paired' | null = null
  for (const pair of pairs) {
    const isPaired = pair.old !== null && pair.current !== null
    if (open === null || (isPaired && open === 'one-sided')) groups.push([])
    groups.at(-1)?.push(pair)
    open = isPaired ? 'paired' : 'one-sided'
  }
  return groups
}
