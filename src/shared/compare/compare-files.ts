import { findFiles } from '../find-files.ts'
import { findLanguageOfFile, PLAIN_TEXT, TXTAR } from '../languages.ts'
import { hasHeaderLine, type TextFile } from '../txtar.ts'
import {
  type ComparisonResult,
  compareTexts,
  countChanges,
  countResult,
  createLimits,
  type LineCounts,
} from './compare-texts.ts'
import type { WorkLimit } from './diff-tokens.ts'
import { type FilePair, pairFiles, toOnlyFile } from './pair-files.ts'

export interface ComparedVersion {
  readonly text: string
  readonly language: string
  readonly languageChosen: boolean
}

export interface ComparedVersions {
  readonly old: ComparedVersion
  readonly current: ComparedVersion
  /** Names a version that is one text, unless it's one of the files. */
  readonly title: string | null
}

/** Returns null for an archive whose files can't be told apart. */
function toOneFile({ text, language }: ComparedVersion, others: readonly TextFile[], title: string | null) {
  // The API keeps the language if one text takes the place of the files.
  const isArchive = language === TXTAR
  if (isArchive && hasHeaderLine(text)) return null
  if (text === '') return []
  const isKnown = language !== PLAIN_TEXT && !isArchive
  const file = { name: title ?? 'Untitled', content: text, ...(isKnown && { language }) }
  return [toOnlyFile(file, others)]
}

const isChanged = ({ old, current }: FilePair): boolean =>
  old?.name !== current?.name || old?.content !== current?.content || old?.language !== current?.language

/** Returns null unless one of the versions has files. */
function findChangedPairs({ old, current, title }: ComparedVersions): FilePair[] | null {
  const [oldFiles, newFiles] = [findFiles(old, old.text), findFiles(current, current.text)]
  const before = oldFiles ?? (newFiles && toOneFile(old, newFiles, title))
  const after = newFiles ?? (oldFiles && toOneFile(current, oldFiles, title))
  if (!before || !after) return null
  const pairs = pairFiles(before, after)
  const changed = pairs.filter(isChanged)
  // One file is in no order.
  return changed.length === 0 && pairs.length === 1 ? pairs : changed
}

const getName = ({ old, current }: FilePair): string => (current ?? old)?.name ?? ''

function formatChange(pair: FilePair): string {
  const { old, current } = pair
  return old && current && old.name !== current.name ? `${old.name} → ${current.name}` : getName(pair)
}

interface FilesSummary {
  /** Is null if counting them would take too long. */
  readonly counts: LineCounts | null
  /** The files that were added, changed, renamed or deleted. */
  readonly files: readonly string[]
}

/** Returns null if one of them is missing. */
function sumCounts(all: readonly (LineCounts | null)[]): LineCounts | null {
  const counted = all.filter((counts) => counts !== null)
  if (counted.length < all.length) return null
  return {
    removed: counted.reduce((sum, { removed }) => sum + removed, 0),
    added: counted.reduce((sum, { added }) => sum + added, 0),
  }
}

/** Returns null unless one of the versions has files. */
export function summarizeFiles(versions: ComparedVersions, work: WorkLimit): FilesSummary | null {
  const pairs = findChangedPairs(versions)
  const count = ({ old, current }: FilePair) => countChanges(old?.content ?? '', current?.content ?? '', work)
  return pairs && { counts: sumCounts(pairs.map(count)), files: pairs.map(formatChange) }
}

export interface FileChange {
  readonly name: string
  /** The label in the list of versions, such as `a.py → b.py`. */
  readonly label: string
  /** The change of the file itself, such as `renamed from a.py`. */
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
  return old.content === current.content && old.language !== current.language ? 'another language' : null
}

/** Returns null unless one of the versions has files. All files together take no more work than one text. */
export function compareFiles(versions: ComparedVersions): FileChange[] | null {
  const limits = createLimits()
  const compare = (pair: FilePair): FileChange => {
    const [oldText, newText] = [pair.old?.content ?? '', pair.current?.content ?? '']
    const what = describe(pair)
    return {
      name: getName(pair),
      label: formatChange(pair),
      what,
      oldLanguage: getLanguage(pair.old),
      language: getLanguage(pair.current),
      result: what !== null && oldText === newText ? null : compareTexts(oldText, newText, limits),
    }
  }
  return findChangedPairs(versions)?.map(compare) ?? null
}

/** Summarizes what has been compared already. */
export const summarizeChanges = (changes: readonly FileChange[]): FilesSummary => ({
  counts: sumCounts(changes.map(({ result }) => countResult(result ?? 'same'))),
  files: changes.map(({ label }) => label),
})
