import DOMPurify from 'dompurify'

const ELEMENTS =
  'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre s span strong table tbody td th thead tr ul'

/** Allows no ids, forms, frames, styles or anything that loads a resource. */
const ALLOWED = {
  ALLOWED_TAGS: ELEMENTS.split(' '),
  ALLOWED_ATTR: ['href', 'class', 'start'],
  // The slashes are required: `http:path` is relative to this site.
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
}

/** Sanitizes the HTML of rendered Markdown, so that nothing in it runs or loads. */
export function sanitizeMarkdown(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, ALLOWED)
  for (const link of fragment.querySelectorAll('a')) link.rel = 'noopener nofollow ugc'
  // The page has its own first-level heading, so the headings of the text move down one level.
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5')) {
    const lower = document.createElement(`h${Number(heading.localName.slice(1)) + 1}`)
    lower.append(...heading.childNodes)
    heading.replaceWith(lower)
  }
  // A scrollable element must be reachable by keyboard (WCAG 2.1.1).
  for (const block of fragment.querySelectorAll('pre')) block.tabIndex = 0
  return fragment
}
