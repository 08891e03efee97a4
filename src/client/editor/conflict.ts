import { unifiedMergeView } from '@codemirror/merge'
import type { Extension } from '@codemirror/state'
import { createEncoder, diffTokens, WorkLimit } from '../../shared/compare/diff-tokens.ts'
import type { SavedText } from '../../shared/compare/merge-files.ts'
import { detectLineBreaks, withLineBreaks } from '../../shared/lines.ts'
import { createButton } from '../shared/elements.ts'
import type { SeveralFiles } from './document-form.ts'
import { type CodeEditor, toLf } from './text-box.ts'

/** Lines of the base (by index, `to` excluded) and the lines that replace them. */
interface Replacement {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

const MAX_STEPS = 5_000_000

const isSame = (one: Replacement, other: Replacement): boolean =>
  one.from === other.from && one.to === other.to && one.lines.join('\n') === other.lines.join('\n')

/** Adjacent replacements count as touching: neighbouring lines usually belong together. */
const touches = (one: Replacement, other: Replacement): boolean =>
  one.from <= other.to && other.from <= one.to

/**
 * Merges two changes of the same text. Where both changed the same lines, or if the texts are too different to compare,
 * `mine` stays, and the number of such places is returned, too.
 */
export function mergeTexts(base: string, mine: string, theirs: string) {
  const baseLines = base.split('\n')
  const changedLines = [mine, theirs].map((text) => text.split('\n'))
  const encode = createEncoder()
  const encodedBase = baseLines.map(encode)
  const replacements = changedLines.map((lines) =>
    diffTokens(encodedBase, lines.map(encode), new WorkLimit(MAX_STEPS))?.map(
      ({ oldFrom, oldTo, newFrom, newTo }): Replacement => ({
        from: oldFrom,
        to: oldTo,
        lines: lines.slice(newFrom, newTo),
      }),
    ),
  )
  const [myReplacements, theirReplacements] = replacements
  if (!myReplacements || !theirReplacements) return { text: mine, conflicts: 1 }
  const different = theirReplacements.filter((other) => !myReplacements.some((one) => isSame(one, other)))
  const added = different.filter((other) => !myReplacements.some((one) => touches(one, other)))
  const merged: (readonly string[])[] = []
  let at = 0
  for (const { from, to, lines } of [...myReplacements, ...added].sort(
    (one, other) => one.from - other.from,
  )) {
    merged.push(baseLines.slice(at, from), lines)
    at = to
  }
  return {
    text: [...merged, baseLines.slice(at)].flat().join('\n'),
    conflicts: different.length - added.length,
  }
}

const showDifferences = (original: string): Extension =>
  unifiedMergeView({
    original,
    mergeControls: (type, action) =>
      type === 'accept' ? createButton('Keep mine', action) : createButton('Use theirs', action),
    diffConfig: { scanLimit: 500, timeout: 200 },
  })

/** Comparing more of both texts would block the page. */
const MAX_COMPARED_CHARACTERS = 2 * 1024 * 1024

const CHOOSE = 'saved first: choose between their version, crossed out, and yours, highlighted, then save.'
const MERGED =
  'saved first. Their changes are already in your text, and yours are highlighted: check them, then save.'
const LOADED = 'saved first, and their text is loaded: save again to apply your settings.'
const MERGED_FILES = 'saved first. Both versions are merged: check your files, then save.'
const TOO_LONG =
  'saved first, and the texts are too long to compare here: open the saved version in another tab before ' +
  'you save over it.'

type MergedEditor = Pick<CodeEditor, 'text' | 'replace' | 'setExtension'>

/**
 * Merges the text that somebody else saved into the code editor, which is compared with that text from now on. Where
 * both changed the same lines, the code editor's stay. The message says what the one who saved first did, after their
 * name.
 */
export function mergeConflict(codeEditor: MergedEditor, { base, theirs }: { base: string; theirs: string }) {
  const mine = codeEditor.text()
  const breakLines = (text: string) => withLineBreaks(text, detectLineBreaks(theirs))
  const saved = breakLines(toLf(theirs))
  if (mine === base || toLf(mine) === toLf(theirs)) {
    if (mine !== theirs) codeEditor.replace(theirs)
    codeEditor.setExtension(null)
    return { saved: theirs, message: LOADED }
  }
  if (mine.length + theirs.length > MAX_COMPARED_CHARACTERS) return { saved, message: TOO_LONG }
  const merged = mergeTexts(toLf(base), toLf(mine), toLf(theirs))
  if (merged.text !== toLf(mine)) codeEditor.replace(breakLines(merged.text))
  codeEditor.setExtension(showDifferences(toLf(theirs)))
  return { saved, message: merged.conflicts > 0 ? CHOOSE : MERGED }
}

/** Merges each file for itself. Returns null if neither version has files. */
export function mergeSeveral(
  files: Pick<SeveralFiles, 'merge' | 'inSight'>,
  codeEditor: Pick<CodeEditor, 'text'>,
  texts: { base: SavedText; theirs: SavedText },
) {
  const merged = files.merge(texts, (one) => mergeConflict(files.inSight, one))
  if (!merged) return null
  const { messages, notes } = merged
  const hasNotes = notes.length > 0
  const worst = [TOO_LONG, CHOOSE].find((message) => messages.includes(message))
  const saved = texts.theirs.text
  const isTheirs = !hasNotes && codeEditor.text() === saved
  const message = worst ?? (isTheirs ? LOADED : MERGED_FILES)
  return { saved, message: [message, ...notes].join(' '), hasNotes }
}
