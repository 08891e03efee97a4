import { findFreeName, parseArchive, type TextFile } from '../txtar.ts'
import { type FilePair, pairFiles, toOnlyFile } from './pair-files.ts'

/** A file with the text that it had when it was opened, if it isn't new. A renamed file is found by it. */
interface MyFile extends TextFile {
  readonly saved: string | null
}

interface MergedFile<Mine> {
  readonly name: string
  /** My version of the file, or theirs if I have none. */
  readonly file: Mine | TextFile
  /** Is null if the file is new. */
  readonly base: TextFile | null
  /** Is null if they removed the file, or never had it. */
  readonly theirs: TextFile | null
}

/** The text of a document, as somebody saved it. */
export interface SavedText {
  readonly text: string
  /** Is true if the language of the text is that of archives. */
  readonly isArchive: boolean
}

/** Returns null for one text. */
export const parseSaved = ({ text, isArchive }: SavedText): TextFile[] | null =>
  isArchive ? parseArchive(text) : null

interface SavedTexts {
  readonly base: SavedText
  readonly theirs: SavedText
  /** The name of a text that isn't one of several files. */
  readonly name: string
}

const isSame = (one: TextFile, other: TextFile): boolean =>
  one.name === other.name && one.content === other.content

/** Returns the files of the base that are left, in their new order. */
const getOrder = (pairs: readonly FilePair[]): readonly TextFile[] =>
  pairs.flatMap(({ old, current }) => (old && current ? [old] : []))

/** Tells whether the files that both have come in another order. */
function areReordered(files: readonly TextFile[], others: readonly TextFile[]): boolean {
  const left = files.filter((file) => others.includes(file))
  return others.some((file, index) => file !== left[index])
}

/**
 * Says which files belong together, and what they're called. A name or an order of mine counts before theirs. A file that
 * one side removed is left out unless the other changed it. Contents are left to the caller.
 * One text counts as one file.
 */
export function mergeFiles<Mine extends MyFile>(
  texts: SavedTexts,
  mine: readonly Mine[],
): MergedFile<Mine>[] {
  const toFiles = (saved: SavedText, others: readonly TextFile[], name: string): TextFile[] =>
    saved.text === '' ? [] : (parseSaved(saved) ?? [toOnlyFile({ name, content: saved.text }, others)])
  const before = mine.map(({ saved, name, content }) => ({ name, content: saved ?? content }))
  const first = mine[0]?.name ?? texts.name
  const base = toFiles(texts.base, before, first)
  const theirs = toFiles(texts.theirs, base, parseSaved(texts.base) ? texts.name : (base[0]?.name ?? first))

  // A file of mine that is only similar to one that I have closed is a new one.
  const myPairs = pairFiles(base, before, { exact: true })
  const theirPairs = pairFiles(base, theirs)
  type Unnamed = Omit<MergedFile<Mine>, 'name'>
  const merged = mine.flatMap((file, index): Unnamed[] => {
    const old = myPairs[index]?.old ?? null
    const match = theirPairs.find((pair) => pair.old === old && (old || pair.current?.name === file.name))
    const their = match?.current ?? null
    return old && !their && isSame(old, file) ? [] : [{ file, base: old, theirs: their }]
  })
  for (const [index, { old, current }] of theirPairs.entries()) {
    if (!current || merged.some(({ theirs: taken }) => taken === current)) continue
    if (old && isSame(old, current)) continue
    const earlier = theirs.slice(0, index)
    const before = merged.findLastIndex(({ theirs: taken }) => taken && earlier.includes(taken))
    merged.splice(before + 1, 0, { file: current, base: old, theirs: current })
  }
  // A document has at least one file.
  if (merged.length === 0) merged.push(...theirs.map((file) => ({ file, base: null, theirs: file })))

  if (areReordered(base, getOrder(theirPairs)) && !areReordered(base, getOrder(myPairs))) {
    const place = (file: TextFile | null) => (file ? theirs.indexOf(file) : theirs.length)
    merged.sort((one, other) => place(one.theirs) - place(other.theirs))
  }

  const isTheirName = ({ file, base: old, theirs: their }: Unnamed) =>
    file === their || (their !== null && file.name === old?.name)
  const names = new Set(merged.flatMap((one) => (isTheirName(one) ? [] : [one.file.name])))
  return merged.map((one) => {
    if (!isTheirName(one)) return { ...one, name: one.file.name }
    const name = findFreeName((one.theirs ?? one.file).name, (taken) => names.has(taken))
    names.add(name)
    return { ...one, name }
  })
}
