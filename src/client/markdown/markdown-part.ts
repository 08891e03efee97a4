import type { MarkdownAnswer } from '../highlight/highlight-messages.ts'
import { type CompleteOptions, completeMarkdown } from './complete-markdown.ts'
import { sanitizeMarkdown } from './sanitize-markdown.ts'

type PartHtml = Pick<MarkdownAnswer, 'html' | 'nodes'>

/** UTF-16 units of Markdown, and nodes of its HTML, that the browser lays out at once. */
const MAX_LAID_OUT = { text: 16 * 1024, nodes: 2_000 }

/** Returns true if the browser should lay out only the visible parts of a text. */
export const isLongMarkdown = (text: string, nodes = 0): boolean =>
  text.length > MAX_LAID_OUT.text || nodes > MAX_LAID_OUT.nodes

/** Roughly what takes a screen: UTF-16 units of HTML, or nodes. The browser lays out about three screens at once. */
const SCREEN = { html: 4_096, nodes: 400 }

/** Screens from which a part has a class, for which the stylesheet estimates its height. */
const TALL = 2
const VERY_TALL = 6

/** Creates the element of one part of rendered Markdown, whose HTML needn't be sanitized. */
export function createMarkdownPart({ html, nodes }: PartHtml, options: CompleteOptions): HTMLElement {
  const element = document.createElement('div')
  element.className = 'md-part'
  const screens = Math.max(1, html.length / SCREEN.html, nodes / SCREEN.nodes)
  element.classList.toggle('md-tall', screens >= TALL)
  element.classList.toggle('md-very-tall', screens >= VERY_TALL)
  const fragment = sanitizeMarkdown(html)
  completeMarkdown(fragment, options)
  element.append(fragment)
  return element
}
