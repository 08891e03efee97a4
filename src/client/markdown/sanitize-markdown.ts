import DOMPurify from 'dompurify'
import { createImagePlaceholder } from './image-placeholder.ts'

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

/** Sanitizes the HTML of rendered Markdown, so that nothing in it runs or loads. */
export const sanitizeMarkdown = (html: string): DocumentFragment => DOMPurify.sanitize(html, ALLOWED)
