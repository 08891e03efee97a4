import { BlockWriter } from './block-writer.ts'
import type { ComparisonResult } from './comparison.ts'
import { type Change, diffTokens } from './diff-tokens.ts'
import { encodeLines, TextLines } from './text-lines.ts'
import { WorkLimit } from './work-limit.ts'

/** Lines of a text that is compared. */
const MAX_LINES = 100_000

/** Steps to find the changed lines: about half a second in the Worker. */
const LINE_STEPS = 5_000_000
/** Steps to find the changed words. */
const WORD_STEPS = 4_000_000

/** Returns which lines changed; null if the texts are too different. */
export function diffLines(old: TextLines, current: TextLines): Change[] | null {
  const encoded = encodeLines(old, current)
  const changes = diffTokens(encoded.old, encoded.current, new WorkLimit(LINE_STEPS))
  return (
    changes?.map(({ oldFrom, oldTo, newFrom, newTo }) => ({
      oldFrom: oldFrom + encoded.start,
      oldTo: oldTo + encoded.start,
      newFrom: newFrom + encoded.start,
      newTo: newTo + encoded.start,
    })) ?? null
  )
}

/** Compares two texts by line, and changed lines by word. The work and the size of the result are limited. */
export function compareTexts(old: string, current: string): ComparisonResult {
  if (old === current) return 'same'
  const [oldLines, newLines] = [TextLines.split(old, MAX_LINES), TextLines.split(current, MAX_LINES)]
  if (!oldLines || !newLines) return 'too-long'
  const changes = diffLines(oldLines, newLines)
  if (!changes) return 'too-different'
  const writer = new BlockWriter(oldLines, newLines, new WorkLimit(WORD_STEPS))
  for (const change of changes) writer.addChange(change)
  return writer.finish()
}
