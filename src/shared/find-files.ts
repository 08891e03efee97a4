import { findLanguageOfFile, PLAIN_TEXT, TXTAR } from './languages.ts'
import { parseArchive, type TextFile } from './txtar.ts'

/** SQL may have one line such as `-- create.sql --`. */
const MIN_KNOWN_FILES = 2

/** Tells whether these are files for sure, although nobody said that a text is an archive. */
export function areKnownFiles(files: readonly Pick<TextFile, 'name'>[]): boolean {
  const isKnown = ({ name }: Pick<TextFile, 'name'>): boolean => findLanguageOfFile(name) !== null
  return files.slice(0, 1).some(isKnown) && files.filter(isKnown).length >= MIN_KNOWN_FILES
}

interface Archive {
  readonly language: string
  readonly languageChosen: boolean
}

/** Tells whether the text may have several files: its language is that of archives, or nobody chose one. */
export const mayHaveFiles = ({ language, languageChosen }: Archive): boolean =>
  language === TXTAR || (language === PLAIN_TEXT && !languageChosen)

/** Returns null for a text that is no archive. */
export function findFiles(archive: Archive, text: string): TextFile[] | null {
  if (!mayHaveFiles(archive)) return null
  if (archive.language === TXTAR) return parseArchive(text)
  const files = text.startsWith('-- ') ? parseArchive(text) : null
  return files && areKnownFiles(files) ? files : null
}
