import type { Token } from 'markdown-it'

/** Aligns columns with an attribute, because the page's content security policy forbids inline styles. */
export function alignColumns(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const alignment = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1]
    if (!alignment) continue
    token.attrs = null
    token.attrSet('align', alignment)
  }
}
