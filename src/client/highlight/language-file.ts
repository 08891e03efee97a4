import { preloadScripts } from '../shared/elements.ts'
import type { HighlightingStart } from '../viewer/highlighting/highlighting.ts'
import type { GetTokens } from './tokens.ts'

/**
 * The code that colours a text in one language. scripts/build-client.ts makes such a file for each, so that a page
 * needs only one more request, which it names in its HTML.
 */
export interface LanguageFile {
  readonly getTokens: GetTokens
  readonly startHighlighting: HighlightingStart
}

/** The address of these files up to the name of the language. The build knows it. */
declare const LANGUAGE_FILES: string

/** Names of languages may be anything that somebody stored. */
const getAddress = (language: string): string | null =>
  /^[a-z\d]+$/.test(language) ? `${LANGUAGE_FILES}${language}.js` : null

/** Returns null if the language has no grammar, or it can't be loaded. */
export async function loadLanguage(language: string): Promise<LanguageFile | null> {
  const address = getAddress(language)
  const file: Partial<LanguageFile> | null = address && (await import(address).catch(() => null))
  return file?.getTokens ? (file as LanguageFile) : null
}

export function preloadLanguage(language: string): void {
  const address = getAddress(language)
  if (address) preloadScripts([address])
}
