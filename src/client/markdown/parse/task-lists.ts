import type { Token } from 'markdown-it'

const MARKER = /^\[([ xX])\]\s+(?=\S)/

/** Marks the items of task lists (`- [ ] todo`, `- [x] done`) with classes. The page adds the checkboxes. */
export function markTasks(tokens: Token[]): void {
  for (const [index, item] of tokens.entries()) {
    const [paragraph, inline] = tokens.slice(index + 1, index + 3)
    if (item.type !== 'list_item_open' || paragraph?.type !== 'paragraph_open' || !inline) continue
    const [marker, state] = MARKER.exec(inline.content) ?? []
    if (marker === undefined) continue
    inline.content = inline.content.slice(marker.length)
    item.attrSet('class', state === ' ' ? 'md-task' : 'md-task md-done')
  }
}
