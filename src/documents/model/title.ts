/** Control and format characters, which are invisible or could reverse the text of a list. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu

/**
 * Returns a title as somebody gave it, on one line and without invisible characters; null if nothing is left of it.
 */
export function cleanTitle(title: string | null): string | null {
  return title?.replaceAll(CONTROLS, ' ').replaceAll(/\s+/g, ' ').trim() || null
}

/** Returns a text without differences of case and Unicode form, for comparing in a search. */
export const toSearchKey = (text: string): string => text.normalize('NFKC').toLowerCase()
