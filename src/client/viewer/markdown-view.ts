import DOMPurify from 'dompurify'

const ELEMENTS =
  'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre s span strong table tbody td th thead tr ul'

/** Nothing of the site's own can be named, filled in, framed, styled or loaded. */
const ALLOWED = {
  ALLOWED_TAGS: ELEMENTS.split(' '),
  ALLOWED_ATTR: ['href', 'class', 'start'],
  // Without the slashes it would be an address of this site.
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
}

/** What a text in Markdown says, without anything that runs or loads. */
export function cleanMarkdown(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, ALLOWED)
  for (const link of fragment.querySelectorAll('a')) link.rel = 'noopener nofollow ugc'
  // The page has one heading of the first level, its own: those of the text come below it.
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5')) {
    const lower = document.createElement(`h${Number(heading.localName.slice(1)) + 1}`)
    lower.append(...heading.childNodes)
    heading.replaceWith(lower)
  }
  // What scrolls must be reachable by keyboard (WCAG 2.1.1).
  for (const scrolling of fragment.querySelectorAll('pre')) scrolling.tabIndex = 0
  return fragment
}
