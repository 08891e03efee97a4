import { LanguageDescription } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import { findLanguage } from '../../shared/languages.ts'

/** Returns the name of a file's language by its extension or whole name ("Dockerfile"); null if it's unknown. */
export function findLanguageOfFile(fileName: string): string | null {
  const description = LanguageDescription.matchFilename(languages, fileName)
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1)
  return findLanguage(extension)?.name ?? findLanguage(description?.name ?? '')?.name ?? null
}
