import type { JSX } from 'hono/jsx/jsx-runtime'
import type { AppContext } from '../env.ts'
import { type AnswerOptions, acceptsMarkdown, answerText } from '../http/answers.ts'
import { page, withHeaders } from './page.tsx'

/** Forms and drawings say nothing in text, and neither do the headers of a list. */
const SKIPPED = ['svg', 'form', 'button', 'select', 'noscript', 'dialog', 'template', 'thead']

/** Elements that come after a blank line, and the text that each starts with. */
const BLOCKS: Readonly<Record<string, string>> = {
  h1: '# ',
  h2: '## ',
  h3: '### ',
  p: '',
  ul: '',
  ol: '',
  dl: '',
  dt: '',
  dd: '',
  div: '',
  section: '',
  table: '',
}

const MARKS: Readonly<Record<string, string>> = { strong: '**', em: '*', code: '`' }

const CHARACTERS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

const unescapeHtml = (html: string): string =>
  html.replace(/&(?:lt|gt|quot|#39|amp);/g, (found) => CHARACTERS[found] ?? found)

/** Escapes text that people wrote, such as a title, so that it becomes no link and no heading. */
const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>#]/g, '\\$&')

const TOKENS = /<(?<close>\/?)(?<tag>[a-z][a-z\d]*)(?<attributes>(?:[^a-z\d<>][^<>]*)?)>|(?<text>[^<]+)/g

const getAttribute = (attributes: string, name: string): string =>
  unescapeHtml(attributes.split(` ${name}="`)[1]?.split('"', 1)[0] ?? '')

const isSkipped = (tag: string, attributes: string): boolean =>
  SKIPPED.includes(tag) || getAttribute(attributes, 'class').split(' ').includes('scripted')

/** Takes what our own pages have, where every element but an empty one is closed. A row of a table becomes an item. */
export function toMarkdown(html: string, siteUrl: string): string {
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  const lists: string[] = []
  const links: string[] = []
  let markdown = ''
  let skipped = { tag: '', depth: 0 }
  let cells = 0
  let isFirst = false
  const startLine = (start: string) => {
    markdown = markdown.trimEnd() + start
  }
  for (const { groups: { close, tag = '', attributes = '', text } = {} } of main.matchAll(TOKENS)) {
    if (skipped.depth > 0) {
      if (tag === skipped.tag) skipped.depth += close ? -1 : 1
    } else if (text !== undefined) {
      const words = escapeMarkdown(unescapeHtml(text).replace(/\s+/g, ' '))
      markdown += /\s$/.test(markdown) ? words.trimStart() : words
    } else if (isSkipped(tag, attributes)) {
      skipped = { tag, depth: 1 }
    } else if (tag === 'a') {
      if (!close) links.push(new URL(getAttribute(attributes, 'href'), siteUrl).href)
      markdown += close ? `](${links.pop()})` : '['
    } else if (MARKS[tag]) {
      markdown += MARKS[tag]
    } else if (tag === 'li' || tag === 'tr') {
      cells = 0
      if (!close) startLine(`\n${isFirst ? '\n' : ''}${lists.at(-1) ?? '- '}`)
      isFirst = false
    } else if (tag === 'td' || tag === 'th') {
      if (!close && cells > 0) startLine(' · ')
      cells += 1
    } else if (BLOCKS[tag] !== undefined && cells > 0) {
      if (!/\s$/.test(markdown)) markdown += ' '
    } else if (BLOCKS[tag] !== undefined) {
      if (tag === 'ul' || tag === 'ol') close ? lists.pop() : lists.push(tag === 'ul' ? '- ' : '1. ')
      isFirst = !close
      startLine(`\n\n${close ? '' : BLOCKS[tag]}`)
    }
  }
  return `${markdown.trim()}\n`
}

/** A page that people read and programs do, too: those that accept Markdown get its text. */
export async function readablePage(
  c: AppContext,
  content: JSX.Element,
  options: AnswerOptions = {},
): Promise<Response> {
  const answered = await page(c, content, withHeaders(options, { Vary: 'Accept' }))
  if (!acceptsMarkdown(c)) return answered
  const markdown = toMarkdown(await answered.text(), c.var.siteUrl)
  const headers = { ...options.headers, Vary: 'Accept', 'Content-Type': 'text/markdown; charset=utf-8' }
  return answerText(c, markdown, { ...options, headers })
}
