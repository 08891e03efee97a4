import DOMPurify from 'dompurify'
import type { IconNode } from 'lucide'
import Check from 'lucide/dist/esm/icons/check.mjs'
import Copy from 'lucide/dist/esm/icons/copy.mjs'
import Info from 'lucide/dist/esm/icons/info.mjs'
import Lightbulb from 'lucide/dist/esm/icons/lightbulb.mjs'
import ListTree from 'lucide/dist/esm/icons/list-tree.mjs'
import MessageSquareWarning from 'lucide/dist/esm/icons/message-square-warning.mjs'
import OctagonAlert from 'lucide/dist/esm/icons/octagon-alert.mjs'
import TriangleAlert from 'lucide/dist/esm/icons/triangle-alert.mjs'
import { LINK_REL } from '../../shared/links.ts'
import { copyAndSay, createElement } from '../shared/elements.ts'
import type { MarkdownPart } from './parse/render-markdown.ts'

/**
 * Only addresses of other sites are linked: a request to this site could delete a document. Parsing a host takes a time that
 * grows with its square, so it has at most as many characters as a domain.
 */
const LINKABLE = /^https?:\/\/[^/?#\\]{1,253}(?:[/?#\\]|$)/i

/**
 * Images aren't loaded, not even from this site. Links to the image, which opens on its own page. `image` is an element of
 * a document that loads nothing.
 */
function createImagePlaceholder(image: Element): HTMLElement {
  const address = image.getAttribute('src')?.trim() ?? ''
  const description = image.getAttribute('alt')?.replaceAll(/\s+/g, ' ').trim() ?? ''
  const { ownerDocument } = image
  const isAddress = LINKABLE.test(address) && URL.canParse(address)
  const where = isAddress ? ` on ${new URL(address).host}` : ''
  const isLink = isAddress && !image.closest('a')
  const placeholder = ownerDocument.createElement(isLink ? 'a' : 'span')
  placeholder.className = 'md-image'
  placeholder.textContent = description ? `${description}${where && ` (image${where})`}` : `Image${where}`
  placeholder.title = address
  if (isLink) placeholder.setAttribute('href', address)
  return placeholder
}

/** The HTML that GitHub allows in Markdown, without anything that loads a resource. */
const ELEMENTS =
  'a abbr b bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 ' +
  'h4 h5 h6 hr i ins kbd li mark ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table ' +
  'tbody td tfoot th thead time tr tt ul var wbr'

const ATTRIBUTES = [
  ...['align', 'class', 'colspan', 'datetime', 'dir', 'id', 'lang', 'name', 'open', 'reversed', 'rowspan'],
  ...['scope', 'start', 'title', 'type', 'value'],
]

/** Allows no forms, frames, styles or anything that loads a resource. */
const ALLOWED = {
  ALLOWED_TAGS: ELEMENTS.split(' '),
  ALLOWED_ATTR: ['href', ...ATTRIBUTES],
  // Their values aren't addresses.
  ADD_URI_SAFE_ATTR: ATTRIBUTES,
  // Links within the text, and to other sites. The slashes are required: `http:path` is relative to this site.
  ALLOWED_URI_REGEXP: /^(?:#|https?:\/\/|mailto:)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // Puts `user-content-` before ids and names, so that none is the name of a property of `document`, of `window` or
  // of an element, or the id of an element of this site.
  SANITIZE_NAMED_PROPS: true,
  RETURN_DOM_FRAGMENT: true as const,
}

/** The classes of the renderer. Their styles only apply within rendered Markdown, so the author may use them too. */
const CLASS = /^(?:md|tok)-[a-z-]+$/

let hasHooks = false

function addHooks(): void {
  hasHooks = true
  DOMPurify.addHook('uponSanitizeElement', (node, { tagName }) => {
    // Images aren't allowed, so they are removed next.
    if (tagName === 'img' && node instanceof Element) node.before(createImagePlaceholder(node))
  })
  DOMPurify.addHook('uponSanitizeAttribute', (_, attribute) => {
    if (attribute.attrName !== 'class') return
    const known = attribute.attrValue.split(/\s+/).filter((name) => CLASS.test(name))
    if (known.length > 0) attribute.attrValue = known.join(' ')
    else attribute.keepAttr = false
  })
}

const ICONS = {
  check: Check,
  copy: Copy,
  outline: ListTree,
  Note: Info,
  Tip: Lightbulb,
  Important: MessageSquareWarning,
  Warning: TriangleAlert,
  Caution: OctagonAlert,
} as const satisfies Readonly<Record<string, IconNode>>

const SVG = 'http://www.w3.org/2000/svg'

function setAttributes(
  element: Element,
  attributes: Readonly<Record<string, string | number | undefined>>,
): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
}

/** Creates an icon, which is decoration: a word says the same. */
export function createIcon(name: keyof typeof ICONS, className = 'md-icon'): SVGElement {
  const icon = document.createElementNS(SVG, 'svg')
  setAttributes(icon, { viewBox: '0 0 24 24', class: className, 'aria-hidden': 'true' })
  for (const [tag, attributes] of ICONS[name]) {
    const shape = document.createElementNS(SVG, tag)
    setAttributes(shape, attributes)
    icon.append(shape)
  }
  return icon
}

const ALERTS = ['Note', 'Tip', 'Important', 'Warning', 'Caution'] as const

interface PartOptions {
  /** The ids of the parts before this one. Of several elements with one id, the first keeps it. */
  readonly ids: Set<string>
  /** The start of the links within the text: `#`, and for decrypted documents the prefix of ids as well. */
  readonly fragmentStart: string
}

function lowerHeadings(fragment: DocumentFragment): void {
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5')) {
    const lower = document.createElement(`h${Number(heading.localName.slice(1)) + 1}`)
    for (const { name, value } of heading.attributes) lower.setAttribute(name, value)
    lower.append(...heading.childNodes)
    heading.replaceWith(lower)
  }
}

function makeIdsUnique(fragment: DocumentFragment, ids: Set<string>): void {
  for (const anchor of fragment.querySelectorAll<HTMLAnchorElement>('a[name]')) {
    anchor.id ||= anchor.name
  }
  for (const element of fragment.querySelectorAll('[name]')) element.removeAttribute('name')
  for (const element of fragment.querySelectorAll('[id]')) {
    if (ids.has(element.id)) element.removeAttribute('id')
    else ids.add(element.id)
  }
}

function completeLinks(fragment: DocumentFragment, fragmentStart: string): void {
  for (const link of fragment.querySelectorAll('a')) {
    link.rel = LINK_REL
    const address = link.getAttribute('href') ?? ''
    // A link to a line shows the source.
    if (address.startsWith('#') && !/^#L\d/.test(address)) {
      link.setAttribute('href', fragmentStart + address.slice(1).replace(/^user-content-/, ''))
    }
  }
  for (const link of fragment.querySelectorAll('.md-footnote')) {
    link.ariaLabel = `Footnote ${link.textContent}`
  }
  for (const link of fragment.querySelectorAll('.md-back')) link.ariaLabel = 'Back to the text'
  for (const section of fragment.querySelectorAll('.md-footnotes')) section.ariaLabel = 'Footnotes'
}

function addHeadingLinks(fragment: DocumentFragment, fragmentStart: string): void {
  for (const heading of fragment.querySelectorAll('h2, h3, h4, h5, h6')) {
    if (heading.id === '' || heading.closest('a')) continue
    const link = createElement('a', {
      className: 'md-anchor',
      rel: LINK_REL,
      href: `${fragmentStart}${encodeURIComponent(heading.id.replace(/^user-content-/, ''))}`,
      ariaLabel: `Link to “${heading.textContent?.trim()}”`,
    })
    heading.append(link)
  }
}

function addAlertTitles(fragment: DocumentFragment): void {
  for (const title of ALERTS) {
    for (const alert of fragment.querySelectorAll(`.md-alert-${title.toLowerCase()}`)) {
      alert.prepend(createElement('p', { className: 'md-alert-title' }, createIcon(title), title))
    }
  }
}

function addCheckboxes(fragment: DocumentFragment): void {
  for (const item of fragment.querySelectorAll('.md-task')) {
    const isDone = item.classList.contains('md-done')
    const box = createElement('input', {
      type: 'checkbox',
      disabled: true,
      // Otherwise the browser stores the state of each box again and again, which takes long for thousands.
      autocomplete: 'off',
      // The attribute, because the element is copied with its attributes.
      defaultChecked: isDone,
      ariaLabel: isDone ? 'Done' : 'To do',
    })
    item.prepend(box)
  }
}

function wrapWideElements(fragment: DocumentFragment): void {
  for (const table of fragment.querySelectorAll('table')) {
    if (table.parentElement?.closest('table')) continue
    // A scrollable element must be reachable by keyboard (WCAG 2.1.1).
    const reachable = { role: 'group', ariaLabel: 'Table', tabIndex: 0 }
    const scroller = createElement('div', { className: 'md-scroller', dir: table.dir, ...reachable })
    table.replaceWith(scroller)
    scroller.append(table)
  }
  for (const block of fragment.querySelectorAll('pre:not(.md-source)')) {
    block.setAttribute('tabindex', '0')
    if (!block.querySelector('code')) continue
    const wrapper = createElement('div', { className: 'md-code' })
    const named = { ariaLabel: 'Copy code', title: 'Copy code' }
    const button = createElement(
      'button',
      { type: 'button', className: 'quiet md-copy', ...named },
      createIcon('copy'),
    )
    block.replaceWith(wrapper)
    wrapper.append(block, button)
  }
}

const BLOCKS = 'p, h2, h3, h4, h5, h6, td, th, dt, dd, summary, caption, figcaption'
const CONTAINERS = 'ul, ol, dl, blockquote, table, .md-alert'
/** Texts in a container that are looked at for its direction. */
const MAX_TEXTS = 20

const STRONG = /\p{L}/u
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

function startsRightToLeft(container: Element): boolean {
  const walker = container.ownerDocument.createTreeWalker(container, NodeFilter.SHOW_TEXT)
  for (let texts = 0; texts < MAX_TEXTS && walker.nextNode(); texts++) {
    const [letter] = STRONG.exec(walker.currentNode.nodeValue ?? '') ?? []
    if (letter) return RIGHT_TO_LEFT.test(letter)
  }
  return false
}

/**
 * Gives each block the direction of its own text, as GitHub does. For `auto`, a browser doesn't look at blocks that
 * have a direction themselves, so a list or a quote from right to left says so: its marks are on that side.
 */
function setDirections(fragment: DocumentFragment): void {
  for (const block of fragment.querySelectorAll<HTMLElement>(BLOCKS)) block.dir ||= 'auto'
  for (const container of fragment.querySelectorAll<HTMLElement>(CONTAINERS))
    container.dir ||= startsRightToLeft(container) ? 'rtl' : 'auto'
}

/** UTF-16 units of Markdown, and nodes of its HTML, that the browser lays out at once. */
const MAX_LAID_OUT = { text: 16 * 1024, nodes: 2_000 }

export const isLongMarkdown = (text: string, nodes = 0): boolean =>
  text.length > MAX_LAID_OUT.text || nodes > MAX_LAID_OUT.nodes

/** Roughly what takes a screen: UTF-16 units of HTML, or nodes. The browser lays out about three screens at once. */
const SCREEN = { html: 4_096, nodes: 400 }

/** Screens from which a part has a class, for which the stylesheet estimates its height. */
const TALL = 2
const VERY_TALL = 6

/** The HTML needn't be sanitized. */
export function createMarkdownPart(
  { html, nodes }: Pick<MarkdownPart, 'html' | 'nodes'>,
  { ids, fragmentStart }: PartOptions,
): HTMLElement {
  const element = createElement('div', { className: 'md-part' })
  const screens = Math.max(1, html.length / SCREEN.html, nodes / SCREEN.nodes)
  element.classList.toggle('md-tall', screens >= TALL)
  element.classList.toggle('md-very-tall', screens >= VERY_TALL)
  if (!hasHooks) addHooks()
  // Nothing in it runs or loads.
  const fragment = DOMPurify.sanitize(html, ALLOWED)
  // The page has its own first-level heading, so the headings of the text move down one level.
  lowerHeadings(fragment)
  makeIdsUnique(fragment, ids)
  completeLinks(fragment, fragmentStart)
  setDirections(fragment)
  // What its author can't write: links to headings, titles of alerts, checkboxes, buttons.
  addHeadingLinks(fragment, fragmentStart)
  addAlertTitles(fragment)
  addCheckboxes(fragment)
  wrapWideElements(fragment)
  element.append(fragment)
  return element
}

const CONFIRMATION_MS = 2_000

async function copyCode(button: Element, announce: (message: string) => void): Promise<void> {
  const code = button.parentElement?.querySelector('pre')?.textContent ?? ''
  if (!(await copyAndSay(code, announce))) return
  button.replaceChildren(createIcon('check'))
  setTimeout(() => button.replaceChildren(createIcon('copy')), CONFIRMATION_MS)
}

export function startCopyingCode(article: HTMLElement, announce: (message: string) => void): void {
  article.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('.md-copy')
    if (button) void copyCode(button, announce)
  })
}
