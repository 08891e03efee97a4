import { findLanguageOfFile, PLAIN_TEXT } from '../languages.ts'
import { parseArchive, type TextFile } from '../txtar.ts'
import { type ComparisonResult, compareTexts, createLimits } from './compare-texts.ts'
import { type FilePair, pairFiles } from './pair-files.ts'

const isChanged = ({ old, current }: FilePair): boolean =>
  old?.name !== current?.name || old?.content !== current?.content || old?.language !== current?.language

function findChangedPairs(old: string, current: string): FilePair[] | null {
  const [oldFiles, newFiles] = [parseArchive(old), parseArchive(current)]
  return oldFiles && newFiles && pairFiles(oldFiles, newFiles).filter(isChanged)
}

const getName = ({ old, current }: FilePair): string => (current ?? old)?.name ?? ''

/** The names of what was added, changed, renamed or deleted. Null unless both texts are archives. */
export const listChangedFiles = (old: string, current: string): string[] | null =>
  findChangedPairs(old, current)?.map(getName) ?? null

export interface FileChange {
  readonly name: string
  /** What happened to the file itself, such as `renamed from a.py`. */
  readonly what: string | null
  readonly oldLanguage: string
  readonly language: string
  /** Is null if the text is the same. */
  readonly result: ComparisonResult | null
}

const getLanguage = (file: TextFile | null): string =>
  (file && (file.language ?? findLanguageOfFile(file.name))) ?? PLAIN_TEXT

function describe({ old, current }: FilePair): string | null {
  if (!old) return 'added'
  if (!current) return 'deleted'
  if (old.name !== current.name) return `renamed from ${old.name}`
  return old.content === current.content ? 'another language' : null
}

/** Returns null unless both texts are archives. All files together take no more work than one text. */
export function compareFiles(old: string, current: string): FileChange[] | null {
  const limits = createLimits()
  const compare = (pair: FilePair): FileChange => {
    const [oldText, newText] = [pair.old?.content ?? '', pair.current?.content ?? '']
    return {
      name: getName(pair),
      what: describe(pair),
      oldLanguage: getLanguage(pair.old),
      language: getLanguage(pair.current),
      result: oldText === newText ? null : compareTexts(oldText, newText, limits),
    }
  }
  return findChangedPairs(old, current)?.map(compare) ?? null
}
