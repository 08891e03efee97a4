import type { Token } from 'markdown-it'

/** UTF-16 units of text in one paragraph. Parsing and laying out more takes too long: it grows faster than the length. */
export const MAX_PARAGRAPH = 32 * 1024

/** Returns true if the text of a token is too long to parse. */
export const isTooLong = ({ type, content }: Token): boolean =>
  type === 'inline' && content.length > MAX_PARAGRAPH

/** Keeps the parser from parsing paragraphs that are too long. Their source replaces them later. */
export function skipLongParagraphs(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (!isTooLong(token)) continue
    token.type = 'too_long'
    token.children = []
  }
}
