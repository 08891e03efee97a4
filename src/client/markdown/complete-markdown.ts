import { createIcon } from './markdown-icons.ts'

/** Words of the alerts that GitHub has. */
const ALERTS = {
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
} as const

const LINK_REL = 'noopener nofollow ugc'

export interface CompleteOptions {
  /** The ids of the parts before this one. Of several elements with one id, the first keeps it. */
  readonly ids: Set<string>
  /** What the links within the text start with: `#`, and for decrypted documents the prefix of ids. */
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
    const link = document.createElement('a')
    link.className = 'md-anchor'
    link.rel = LINK_REL
    link.href = `${fragmentStart}${encodeURIComponent(heading.id.replace(/^user-content-/, ''))}`
    link.ariaLabel = `Link to “${heading.textContent?.trim()}”`
    heading.append(link)
  }
}

function addAlertTitles(fragment: DocumentFragment): void {
  for (const [kind, word] of Object.entries(ALERTS) as [keyof typeof ALERTS, string][]) {
    for (const alert of fragment.querySelectorAll(`.md-alert-${kind}`)) {
      const title = document.createElement('p')
      title.className = 'md-alert-title'
      title.append(createIcon(kind), word)
      alert.prepend(title)
    }
  }
}

function addCheckboxes(fragment: DocumentFragment): void {
  for (const item of fragment.querySelectorAll('.md-task')) {
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.disabled = true
    // The attribute, because the element is copied with its attributes.
    box.defaultChecked = item.classList.contains('md-done')
    box.ariaLabel = box.defaultChecked ? 'Done' : 'To do'
    item.prepend(box)
  }
}

/** Wraps elements that may be wider than the page, so that they scroll within themselves. */
function wrapWideElements(fragment: DocumentFragment): void {
  for (const table of fragment.querySelectorAll('table')) {
    if (table.parentElement?.closest('table')) continue
    const scroller = document.createElement('div')
    scroller.className = 'md-scroller'
    scroller.role = 'group'
    scroller.ariaLabel = 'Table'
    // A scrollable element must be reachable by keyboard (WCAG 2.1.1).
    scroller.tabIndex = 0
    table.replaceWith(scroller)
    scroller.append(table)
  }
  for (const block of fragment.querySelectorAll('pre:not(.md-source)')) {
    block.setAttribute('tabindex', '0')
    if (!block.querySelector('code')) continue
    const wrapper = document.createElement('div')
    wrapper.className = 'md-code'
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'md-copy'
    button.ariaLabel = 'Copy code'
    button.title = 'Copy code'
    button.append(createIcon('copy'))
    block.replaceWith(wrapper)
    wrapper.append(block, button)
  }
}

/** Completes sanitized Markdown with what its author can't write: links to headings, titles of alerts, checkboxes, buttons. */
export function completeMarkdown(fragment: DocumentFragment, { ids, fragmentStart }: CompleteOptions): void {
  // The page has its own first-level heading, so the headings of the text move down one level.
  lowerHeadings(fragment)
  makeIdsUnique(fragment, ids)
  completeLinks(fragment, fragmentStart)
  addHeadingLinks(fragment, fragmentStart)
  addAlertTitles(fragment)
  addCheckboxes(fragment)
  wrapWideElements(fragment)
}
