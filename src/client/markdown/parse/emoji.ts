import type { Token } from 'markdown-it'

const SHORT_NAME = /:([+\-\w]{1,40}):/g

/** Loads the emoji if a text may have some. */
export async function loadEmoji(text: string): Promise<Readonly<Record<string, string>>> {
  if (text.search(SHORT_NAME) === -1) return {}
  return (await import('markdown-it-emoji/lib/data/full.mjs')).default
}

/** Replaces the short names of emoji, such as `:tada:`, except in code. */
export function replaceEmoji(tokens: readonly Token[], emoji: Readonly<Record<string, string>>): void {
  for (const token of tokens) {
    if (token.type === 'text') {
      token.content = token.content.replaceAll(SHORT_NAME, (all, name: string) =>
        Object.hasOwn(emoji, name) ? (emoji[name] ?? all) : all,
      )
    }
    if (token.children) replaceEmoji(token.children, emoji)
  }
}
