/** The files of single icons, which have no types of their own. */
declare module 'lucide/dist/esm/icons/*.mjs' {
  const icon: import('lucide').IconNode
  export default icon
}

/** The plugins of Markdown come without types. */
declare module 'markdown-it-footnote' {
  const plugin: (markdown: import('markdown-it').MarkdownIt) => void
  export default plugin
}

declare module 'markdown-it-emoji/lib/data/full.mjs' {
  /** Emoji by their short names on GitHub. */
  const emoji: Readonly<Record<string, string>>
  export default emoji
}
