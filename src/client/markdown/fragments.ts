/** What DOMPurify puts before each id of the author. */
const ID_PREFIX = 'user-content-'

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** The likeliest first. As on GitHub, the case doesn't matter: the ids of headings are in lower case. */
export function getTargetIds(hash: string): string[] {
  const fragment = decode(hash.slice(1))
  const name = fragment.startsWith(ID_PREFIX) ? fragment.slice(ID_PREFIX.length) : fragment
  if (name === '') return []
  return [...new Set([name, name.toLowerCase()])].map((id) => ID_PREFIX + id)
}

export function findTarget(within: HTMLElement, hash: string): HTMLElement | null {
  for (const id of getTargetIds(hash)) {
    const found = within.ownerDocument.getElementById(id)
    if (found && within.contains(found)) return found
  }
  return null
}

export function openDetailsAround(node: Node | null): void {
  for (let element = node?.parentElement; element; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement) element.open = true
  }
}

/** The keyboard goes on from there, as for a link in a browser. */
export function goToTarget(target: HTMLElement): void {
  openDetailsAround(target)
  if (target.tabIndex < 0) target.tabIndex = -1
  target.focus({ preventScroll: true })
  target.scrollIntoView()
}

/** The ids of headings and footnotes start with a prefix that addresses don't have. */
export function startFragmentLinks(article: HTMLElement): void {
  const follow = () => {
    const target = article.hidden || !article.isConnected ? null : findTarget(article, location.hash)
    if (target) goToTarget(target)
  }
  addEventListener('hashchange', follow)
  // A link to the current fragment doesn't trigger `hashchange`.
  article.addEventListener('click', ({ target }) => {
    const link = target instanceof Element && target.closest('a[href^="#"]')
    if (link && link.getAttribute('href') === location.hash) follow()
  })
}
