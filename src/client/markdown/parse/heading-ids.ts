import GitHubSlugger from 'github-slugger'
import type { Token } from 'markdown-it'

/** UTF-16 units of a heading that go into its id. */
const MAX_SLUG_SOURCE = 300

const getText = (tokens: readonly Token[]): string =>
  tokens
    .map(({ type, content, children }) =>
      type === 'text' || type === 'code_inline'
        ? content
        : children && type !== 'image'
          ? getText(children)
          : '',
    )
    .join('')

/** Gives each heading the id that links to it on GitHub use, such as `#getting-started`. */
export function addHeadingIds(tokens: readonly Token[]): void {
  const slugger = new GitHubSlugger()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const text = getText(tokens[index + 1]?.children ?? [])
    const id = slugger.slug(text.trim().slice(0, MAX_SLUG_SOURCE))
    if (id !== '') token.attrSet('id', id)
  }
}
