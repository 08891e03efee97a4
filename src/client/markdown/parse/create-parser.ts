import createMarkdownIt, { type Env, type MarkdownIt } from 'markdown-it'
import footnotePlugin from 'markdown-it-footnote'
import { markAlerts } from './alerts.ts'
import { AUTHOR_HTML_RULES } from './author-html.ts'
import { useGitHubAutolinks } from './autolinks.ts'
import { replaceEmoji } from './emoji.ts'
import { renderFence } from './fences.ts'
import { FOOTNOTE_RULES } from './footnotes.ts'
import { addHeadingIds } from './heading-ids.ts'
import { skipLongParagraphs } from './long-paragraphs.ts'
import { alignColumns } from './table-columns.ts'
import { markTasks } from './task-lists.ts'

/** What the rules need to know about the text that is parsed. */
export interface ParseEnv extends Env {
  /** Emoji by their short names; empty if the text has no such name. */
  readonly emoji: Readonly<Record<string, string>>
}

/**
 * Creates a parser of GitHub Flavored Markdown with the additions of github.com: footnotes, alerts, heading ids and
 * emoji. Its HTML contains HTML of the author, so it must be sanitized.
 */
export function createParser(): MarkdownIt {
  const markdown = createMarkdownIt({ html: true, linkify: true })
  markdown.use(footnotePlugin)
  // GitHub has no inline footnotes.
  markdown.disable('footnote_inline')
  useGitHubAutolinks(markdown.linkify)
  const { ruler } = markdown.core
  ruler.before('inline', 'alerts', ({ tokens }) => markAlerts(tokens))
  ruler.before('inline', 'tasks', ({ tokens }) => markTasks(tokens))
  ruler.before('inline', 'long_paragraphs', ({ tokens }) => skipLongParagraphs(tokens))
  ruler.push('table_columns', ({ tokens }) => alignColumns(tokens))
  ruler.push('heading_ids', ({ tokens }) => addHeadingIds(tokens))
  ruler.push('emoji', ({ tokens, env }) => replaceEmoji(tokens, (env as ParseEnv).emoji))
  Object.assign(markdown.renderer.rules, AUTHOR_HTML_RULES, FOOTNOTE_RULES, { fence: renderFence })
  return markdown
}
