import type { Token } from 'markdown-it'

/** UTF-16 units of text in one paragraph. Parsing more takes too long, because the time grows faster than the length. */
export const MAX_PARAGRAPH = 128 * 1024

/** Returns true if the text of a token is too long to parse. */
export const isTooLong = ({ type, content }: Token): boolean =>
  type === 'inline' && content.length > MAX_PARAGRAPH

/** Keeps the parser from parsing paragraphs that are too long. They are replaced by a notice later. */
export function skipLongParagraphs(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (!isTooLong(token)) continue
    token.type = 'too_long'
    token.children = []
  }
}
