import type { TextFile } from '../txtar.ts'
import { getSimilarity, measureWords } from './compare-words.ts'

/** A file before and after. One of both is null if it was added or deleted. */
export interface FilePair {
  readonly old: TextFile | null
  readonly current: TextFile | null
}

/** UTF-16 units at the start of a text that say how similar it is: there may be a hundred of them. */
const SAMPLE_LENGTH = 4 * 1024

const measuredStarts = new WeakMap<TextFile, ReadonlyMap<string, number>>()

function measureStart(file: TextFile): ReadonlyMap<string, number> {
  const words = measuredStarts.get(file) ?? measureWords(file.content.slice(0, SAMPLE_LENGTH))
  measuredStarts.set(file, words)
  return words
}

/** Returns null if none has so much in common with the text, from 0 to 1. */
function findMostSimilar(text: TextFile, files: Iterable<TextFile>, minSimilarity: number): TextFile | null {
  const words = measureStart(text)
  let [found, most]: [TextFile | null, number] = [null, minSimilarity]
  for (const file of files) {
    const similarity = getSimilarity(words, measureStart(file))
    if (similarity > most) [found, most] = [file, similarity]
  }
  return found
}

/** A file with another name that has no more in common is another file. */
const MIN_RENAMED_SIMILARITY = 0.5
/** Pairs of files whose texts are compared. */
const MAX_TRIED_PAIRS = 200

/**
 * Pairs files by their names, and what has another name by the same text, or by a similar one unless it must be `exact`. Those of
 * `current` come first, in their order.
 */
export function pairFiles(
  old: readonly TextFile[],
  current: readonly TextFile[],
  { exact = false }: { readonly exact?: boolean } = {},
): FilePair[] {
  const left = new Map(old.map((file) => [file.name, file]))
  const take = (file: TextFile | null | undefined): TextFile | null => {
    if (file) left.delete(file.name)
    return file ?? null
  }
  const named = current.map((file): FilePair => ({ old: take(left.get(file.name)), current: file }))
  const pairRest = (pairs: readonly FilePair[], find: (file: TextFile) => TextFile | null | undefined) =>
    pairs.map((pair) => (pair.old || !pair.current ? pair : { ...pair, old: take(find(pair.current)) }))
  const same = pairRest(named, ({ content }) =>
    content === '' ? null : [...left.values()].find((file) => file.content === content),
  )
  const unpaired = same.filter((pair) => pair.old === null)
  const pairs =
    exact || unpaired.length * left.size > MAX_TRIED_PAIRS
      ? same
      : pairRest(same, (file) => findMostSimilar(file, left.values(), MIN_RENAMED_SIMILARITY))
  return [...pairs, ...[...left.values()].map((file) => ({ old: file, current: null }))]
}

/** An only text that has less in common with a file is another one. */
const MIN_SIMILARITY = 0.3

/**
 * Makes a file of a document's only text, so that it's paired with one of several others: that of the same text or the same
 * name, or else the most similar one, whose name it gets.
 */
export function toOnlyFile(text: TextFile, others: readonly TextFile[]): TextFile {
  const { name, content } = text
  const other =
    others.find((file) => file.content === content) ??
    others.find((file) => file.name === name) ??
    findMostSimilar(text, others, MIN_SIMILARITY)
  return other ? { ...other, content } : text
}
