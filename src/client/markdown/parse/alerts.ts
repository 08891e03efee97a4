import type { Token } from 'markdown-it'

const MARKER = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i

/**
 * Turns block quotes that start with a line such as `[!NOTE]` into alerts. As on GitHub, an alert has no other title,
 * isn't nested in another block, and has content.
 */
export function markAlerts(tokens: Token[]): void {
  let isAlert = false
  for (const [index, token] of tokens.entries()) {
    if (token.level > 0) continue
    if (token.type === 'blockquote_open') {
      const [, paragraph, inline, end, next] = tokens.slice(index, index + 5)
      const [marker, kind = ''] =
        (paragraph?.type === 'paragraph_open' && MARKER.exec(inline?.content ?? '')) || []
      const isOnlyLine = inline?.content.length === marker?.length
      isAlert = marker !== undefined && !(isOnlyLine && next?.type === 'blockquote_close')
      if (!isAlert || !paragraph || !inline || !end || marker === undefined) continue
      inline.content = inline.content.slice(marker.length)
      if (isOnlyLine) {
        paragraph.hidden = true
        end.hidden = true
      }
      token.tag = 'div'
      token.attrSet('class', `md-alert md-alert-${kind.toLowerCase()}`)
    } else if (token.type === 'blockquote_close' && isAlert) {
      token.tag = 'div'
      isAlert = false
    }
  }
}
