/**
 * Characters that hide text, reorder it or have no glyph: a change of one of them would be invisible. Joiners and variation
 * selectors stay as they are, because emoji and many scripts need them. Neither are tabs and line breaks here.
 */
const HIDDEN = new RegExp(
  [
    String.raw`[\x00-\x08\x0B-\x1F\x7F-\x9F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F]`,
    String.raw`[\u2028-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E00FF}]`,
  ].join('|'),
  'gu',
)

/** Part of a text: visible text, or the code of a hidden character, such as `U+202E`. */
export interface VisiblePart {
  readonly text: string
  readonly isCode: boolean
}

const formatCode = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Splits a text into its visible text and the codes of its hidden characters. */
export function showHiddenCharacters(text: string): VisiblePart[] {
  const parts: VisiblePart[] = []
  let at = 0
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (index > at) parts.push({ text: text.slice(at, index), isCode: false })
    parts.push({ text: formatCode(character), isCode: true })
    at = index + character.length
  }
  if (at < text.length) parts.push({ text: text.slice(at), isCode: false })
  return parts
}
