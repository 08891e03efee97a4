import GitHubSlugger from 'github-slugger'
import type { Env, MarkdownIt, RendererRule, StateCore, StateInline, Token } from 'markdown-it'
import createMarkdownIt from 'markdown-it'
import footnotePlugin from 'markdown-it-footnote'
import { toReference } from '../../../shared/escape.ts'
import { findLanguage, PLAIN_TEXT } from '../../../shared/languages.ts'
import { loadLanguage } from '../../highlight/language-file.ts'
import { CODE_STYLES, TOKEN_SIZE, type Tokens } from '../../highlight/tokens.ts'

/** UTF-16 units of code that are highlighted in one block and in all blocks of a text. */
const MAX_BLOCK = 64 * 1024
const MAX_TOTAL = 512 * 1024
/** Tokens with a colour in one block. More elements would freeze the page, so the rest of the block has none. */
const MAX_COLOURED = 600

export const escapeText = (text: string): string => text.replaceAll(/[&<>]/g, toReference)

function renderTokens(code: string, tokens: Tokens): string {
  let html = ''
  let end = 0
  for (let at = 0; at < tokens.length; at += TOKEN_SIZE) {
    const [from = 0, to = 0, style = 0] = tokens.subarray(at, at + TOKEN_SIZE)
    if (from < end) continue
    html += `${escapeText(code.slice(end, from))}<span class="${CODE_STYLES[style]}">${escapeText(code.slice(from, to))}</span>`
    end = to
  }
  return html + escapeText(code.slice(end))
}

/** Takes the first word. Some tools add a dot, braces or a file name. */
const getLanguageName = ({ info }: Token): string => /^\s*\{?\.?([^\s{},:]+)/.exec(info)?.[1] ?? PLAIN_TEXT

/** Starts to load the languages of all fences at once, so that they don't wait for each other. */
export function prepareHighlighting(tokens: readonly Token[]) {
  const files = new Map<string, ReturnType<typeof loadLanguage>>()
  let left = MAX_TOTAL
  for (const token of tokens) {
    const name = token.type === 'fence' ? findLanguage(getLanguageName(token))?.name : undefined
    if (name && !files.has(name)) files.set(name, loadLanguage(name))
  }
  return async (fence: Token): Promise<void> => {
    const { content } = fence
    const language = findLanguage(getLanguageName(fence))
    const file = language && (await files.get(language.name))
    if (!file || content.length > MAX_BLOCK || content.length > left) return
    left -= content.length
    const { tokens } = file.getTokens(content)
    fence.meta = { html: renderTokens(content, tokens.subarray(0, MAX_COLOURED * TOKEN_SIZE)) }
  }
}

const renderFence: RendererRule = (tokens, index) => {
  const { meta, content = '', info = '' } = tokens[index] ?? {}
  // A script draws it.
  const isDiagram = /^\s*mermaid(?:\s|$)/i.test(info)
  return `<pre${isDiagram ? ' class="md-mermaid"' : ''}><code>${meta?.html ?? escapeText(content)}</code></pre>\n`
}

const ALERT_MARKER = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i

/**
 * Marks quotes that start with `[!NOTE]` or the like. As on GitHub, an alert has no other title, isn't nested in another
 * block, and has content.
 */
function markAlerts(tokens: Token[]): void {
  let isAlert = false
  for (const [index, token] of tokens.entries()) {
    if (token.level > 0) continue
    if (token.type === 'blockquote_open') {
      const [, paragraph, inline, end, next] = tokens.slice(index, index + 5)
      const [marker, kind = ''] =
        (paragraph?.type === 'paragraph_open' && ALERT_MARKER.exec(inline?.content ?? '')) || []
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

const TAG = /<[a-z][^<>]*>/gi
const STYLE_ATTRIBUTE = /([\s"'/])style\s*=/gi
const STYLE_ELEMENT = /<(style|script)\b[\s\S]*?(?:<\/\1[^<>]*>|$)/gi
/** Elements with text that isn't HTML, and sections of such text. */
const RAW_TEXT =
  /<(\/?)(?=(?:title|textarea|style|script|xmp|iframe|noembed|noframes|plaintext)(?:[\s/>]|$))/gi
const CDATA = /<!\[/g

/**
 * The page's content security policy blocks styles and scripts, and would report each style while the HTML is
 * sanitized. Other elements with raw text get a name without meaning, so that all tags are what they seem to be. This
 * is no protection: the sanitizer is.
 */
const renderHtml: RendererRule = (tokens, index) =>
  (tokens[index]?.content ?? '')
    .replaceAll(STYLE_ELEMENT, '')
    .replaceAll(RAW_TEXT, '<$1x-')
    .replaceAll(CDATA, '<! [')
    .replaceAll(TAG, (tag) => tag.replaceAll(STYLE_ATTRIBUTE, '$1data-style='))

/** UTF-16 units of an address that are checked. */
const MAX_ADDRESS = 2_048

/** Links `https://…`, `www.…` and email addresses, as GitHub does. Not `README.md`, although `.md` is a domain. */
function useGitHubAutolinks(linkify: MarkdownIt['linkify']): void {
  linkify.set({ fuzzyLink: false, fuzzyEmail: true, fuzzyIP: false })
  linkify.add('ftp:', null)
  linkify.add('//', null)
  linkify.add('www.', {
    validate: (text, position, self) => {
      const start = '//www.'
      const address = start + text.slice(position, position + MAX_ADDRESS)
      return Math.max(0, self.testSchemaAt(address, 'http:', 0) - start.length)
    },
    normalize: (match) => {
      match.url = `http://${match.url}`
    },
  })
}

const SHORT_NAME = /:([+\-\w]{1,40}):/g

export async function loadEmoji(text: string): Promise<Readonly<Record<string, string>>> {
  if (text.search(SHORT_NAME) === -1) return {}
  return (await import('markdown-it-emoji/lib/data/full.mjs')).default
}

function replaceEmoji(tokens: readonly Token[], emoji: Readonly<Record<string, string>>): void {
  for (const token of tokens) {
    if (token.type === 'text') {
      token.content = token.content.replaceAll(SHORT_NAME, (all, name: string) =>
        Object.hasOwn(emoji, name) ? (emoji[name] ?? all) : all,
      )
    }
    if (token.children) replaceEmoji(token.children, emoji)
  }
}

const getMeta = ({ meta }: { readonly meta: Record<string, unknown> | null } = { meta: null }) => ({
  number: Number(meta?.id ?? 0) + 1,
  /** Counts the references to a footnote, from 1. */
  reference: Number(meta?.subId ?? 0) + 1,
})

/** No id of a heading contains a colon. */
const getReferenceId = (number: number, reference: number) =>
  `fnref:${number}${reference > 1 ? `:${reference}` : ''}`

const FOOTNOTE_RULES: Readonly<Record<string, RendererRule>> = {
  footnote_ref: (tokens, index) => {
    const { number, reference } = getMeta(tokens[index])
    const id = getReferenceId(number, reference)
    return `<sup><a class="md-footnote" href="#fn:${number}" id="${id}">${number}</a></sup>`
  },
  // Many footnotes are several blocks.
  footnote_block_open: (tokens, index) => {
    const { number } = getMeta(tokens[index + 1])
    return `<section class="md-footnotes"><ol${number > 1 ? ` start="${number}"` : ''}>\n`
  },
  footnote_block_close: () => '</ol></section>\n',
  footnote_open: (tokens, index) => `<li id="fn:${getMeta(tokens[index]).number}">`,
  footnote_close: () => '</li>\n',
  footnote_anchor: (tokens, index) => {
    const { number, reference } = getMeta(tokens[index])
    const suffix = reference > 1 ? `<sup>${reference}</sup>` : ''
    // The variation selector keeps phones from showing an emoji.
    return ` <a class="md-back" href="#${getReferenceId(number, reference)}">↩\uFE0E${suffix}</a>`
  },
}

/** The plugin's notes on the footnotes that have references, in the order of their numbers. */
interface FootnoteEnv extends Env {
  readonly footnotes?: { readonly list?: readonly { readonly label: string; readonly count: number }[] }
}

/**
 * Moves the footnotes that have references to the end. The plugin's own rule copies all tokens for each footnote, which
 * took twenty seconds for ten thousand of them.
 */
function moveFootnotes(state: StateCore): void {
  const { footnotes } = state.env as FootnoteEnv
  if (!footnotes) return
  const contents = new Map<unknown, readonly Token[]>()
  const moved: Token[] = []
  /** The footnotes around a token, from the outermost. */
  const around: { label: unknown; tokens: Token[] }[] = []
  for (const token of state.tokens) {
    if (token.type === 'footnote_reference_open') around.push({ label: token.meta?.label, tokens: [] })
    else if (token.type === 'footnote_reference_close') {
      const { label, tokens = [] } = around.pop() ?? {}
      contents.set(label, tokens)
    } else (around.at(-1)?.tokens ?? moved).push(token)
  }
  state.tokens = moved
  if (!footnotes.list) return
  const add = (type: string, nesting: -1 | 0 | 1, meta: Token['meta'] = null) =>
    moved.push(Object.assign(new state.Token(type, '', nesting), { meta }))
  add('footnote_block_open', 1)
  for (const [id, { label, count }] of footnotes.list.entries()) {
    add('footnote_open', 1, { id })
    for (const token of contents.get(label) ?? []) moved.push(token)
    // The links back stand at the end of the last paragraph.
    const end = moved.at(-1)?.type === 'paragraph_close' ? moved.pop() : undefined
    for (let subId = 0; subId < count; subId += 1) add('footnote_anchor', 0, { id, subId })
    if (end) moved.push(end)
    add('footnote_close', -1)
  }
  add('footnote_block_close', -1)
}

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

/** Headings have the same anchors as on GitHub, such as `#getting-started`. */
function addHeadingIds(tokens: readonly Token[]): void {
  const slugger = new GitHubSlugger()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const text = getText(tokens[index + 1]?.children ?? [])
    const id = slugger.slug(text.trim().slice(0, MAX_SLUG_SOURCE))
    if (id !== '') token.attrSet('id', id)
  }
}

/** UTF-16 units of text in one paragraph. Parsing and laying out more takes too long: it grows faster than the length. */
const MAX_PARAGRAPH = 32 * 1024

/** Marks paragraphs that are too long. Their source replaces them later. */
function skipLongParagraphs(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type !== 'inline' || token.content.length <= MAX_PARAGRAPH) continue
    token.type = 'too_long'
    token.children = []
  }
}

/** Aligns columns with an attribute, because the page's content security policy forbids inline styles. */
function alignColumns(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const alignment = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1]
    if (!alignment) continue
    token.attrs = null
    token.attrSet('align', alignment)
  }
}

const TILDE = 0x7e

/**
 * Takes `~one~` and `~~two~~`. The library knows only two, and takes four for twice two. As on GitHub, both ends have the
 * same number, and three or more are text.
 */
function pushTildes(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== TILDE) return false
  const { length, can_open: open, can_close: close } = state.scanDelims(state.pos, true)
  const token = state.push('text', '', 0)
  token.content = '~'.repeat(length)
  // Delimiters belong together if their markers are equal.
  const delimiter = {
    marker: TILDE * length,
    length: 0,
    token: state.tokens.length - 1,
    end: -1,
    open,
    close,
  }
  if (length <= 2) state.delimiters.push(delimiter)
  state.pos += length
  return true
}

/** Turns the tildes that the library found to belong together into tags. */
function strikeThrough(state: StateInline): boolean {
  const lists = [state.delimiters, ...state.tokens_meta.map((meta) => meta?.delimiters ?? [])]
  for (const delimiters of lists) {
    for (const start of delimiters) {
      const end = delimiters[start.end]
      if (!end || start.marker % TILDE !== 0) continue
      for (const [delimiter, type, nesting] of [
        [start, 's_open', 1],
        [end, 's_close', -1],
      ] as const) {
        const token = state.tokens[delimiter.token]
        if (token) Object.assign(token, { type, nesting, tag: 's', markup: token.content, content: '' })
      }
    }
  }
  return true
}

const TASK_MARKER = /^\[([ xX])\]\s+(?=\S)/

/** The page adds the checkboxes. */
function markTasks(tokens: Token[]): void {
  for (const [index, item] of tokens.entries()) {
    if (item.type !== 'list_item_open') continue
    const [paragraph, inline] = tokens.slice(index + 1, index + 3)
    if (paragraph?.type !== 'paragraph_open' || !inline) continue
    const [marker, state] = TASK_MARKER.exec(inline.content) ?? []
    if (marker === undefined) continue
    inline.content = inline.content.slice(marker.length)
    item.attrSet('class', state === ' ' ? 'md-task' : 'md-task md-done')
  }
}

export interface ParseEnv extends Env {
  /** Emoji by their short names; empty if the text has no such name. */
  readonly emoji: Readonly<Record<string, string>>
}

/** Parses GitHub Flavored Markdown with the additions of github.com. The result contains HTML of the author: sanitize it. */
export function createParser(): MarkdownIt {
  const markdown = createMarkdownIt({ html: true, linkify: true })
  markdown.use(footnotePlugin)
  // GitHub has no inline footnotes.
  markdown.disable('footnote_inline')
  useGitHubAutolinks(markdown.linkify)
  markdown.inline.ruler.at('strikethrough', pushTildes)
  markdown.inline.ruler2.at('strikethrough', strikeThrough)
  const { ruler } = markdown.core
  ruler.at('footnote_tail', moveFootnotes)
  ruler.before('inline', 'alerts', ({ tokens }) => markAlerts(tokens))
  ruler.before('inline', 'tasks', ({ tokens }) => markTasks(tokens))
  ruler.before('inline', 'long_paragraphs', ({ tokens }) => skipLongParagraphs(tokens))
  ruler.push('table_columns', ({ tokens }) => alignColumns(tokens))
  ruler.push('heading_ids', ({ tokens }) => addHeadingIds(tokens))
  ruler.push('emoji', ({ tokens, env }) => replaceEmoji(tokens, (env as ParseEnv).emoji))
  const html = { html_block: renderHtml, html_inline: renderHtml }
  Object.assign(markdown.renderer.rules, FOOTNOTE_RULES, html, { fence: renderFence })
  return markdown
}
