/** The plugins come without types. */
declare module 'markdown-it-footnote' {
  const plugin: (markdown: import('markdown-it').MarkdownIt) => void
  export default plugin
}

declare module 'markdown-it-emoji/lib/data/full.mjs' {
  /** Emoji by their short names on GitHub. */
  const emoji: Readonly<Record<string, string>>
  export default emoji
}
