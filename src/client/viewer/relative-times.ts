import { formatAge } from '../../shared/format.ts'

const REFRESH_MS = 30_000

function refresh(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-age]')) {
    const age = formatAge(Number(element.dataset.age), Date.now())
    if (element.textContent !== age) element.textContent = age
  }
}

/** Keeps relative times such as "5 minutes ago" up to date. */
export function refreshRelativeTimes(): void {
  refresh()
  setInterval(refresh, REFRESH_MS)
  // A page restored from the back/forward cache may be hours old.
  addEventListener('pageshow', refresh)
}
