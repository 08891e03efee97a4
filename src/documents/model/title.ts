/** Characters that a list has room for. */
const MOST_TITLE_CHARACTERS = 80
/** UTF-16 units that are looked through: whoever begins with more of nothing has no title. */
const LOOKED_THROUGH = 4_096

/** Control and format characters, which could turn a list around or hide in it. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu

/** What a document is listed by: the first line with something in it, without what nobody sees. */
export function deriveTitle(text: string): string | null {
  for (const line of text.slice(0, LOOKED_THROUGH).split(/[\r\n]/)) {
    const visible = line.replaceAll(CONTROLS, ' ').replaceAll(/\s+/g, ' ').trim()
    if (visible !== '') return [...visible].slice(0, MOST_TITLE_CHARACTERS).join('')
  }
  return null
}

/** What a search compares: without the differences of case and form that nobody means. */
export const toSearchKey = (text: string): string => text.normalize('NFKC').toLowerCase()
