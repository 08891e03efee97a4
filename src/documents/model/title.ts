const MAX_TITLE_CHARACTERS = 80
/** UTF-16 units that are searched. Text that starts with more white space has no title. */
const MAX_SEARCHED_UNITS = 4_096

/** Control and format characters, which are invisible or could reverse the text of a list. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu

/** Returns the title of a text: its first line that isn't blank, without invisible characters. */
export function deriveTitle(text: string): string | null {
  for (const line of text.slice(0, MAX_SEARCHED_UNITS).split(/[\r\n]/)) {
    const visible = line.replaceAll(CONTROLS, ' ').replaceAll(/\s+/g, ' ').trim()
    if (visible !== '') return [...visible].slice(0, MAX_TITLE_CHARACTERS).join('')
  }
  return null
}

/**
 * Returns a title as somebody gave it, on one line and without invisible characters; null if nothing is left of it.
 */
export function cleanTitle(title: string | null): string | null {
  return title?.replaceAll(CONTROLS, ' ').replaceAll(/\s+/g, ' ').trim() || null
}

/** Returns a text without differences of case and Unicode form, for comparing in a search. */
export const toSearchKey = (text: string): string => text.normalize('NFKC').toLowerCase()
