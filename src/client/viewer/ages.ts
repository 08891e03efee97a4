import { formatAge } from '../../shared/format.ts'

const REFRESH_MS = 30_000

function refresh(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-age]')) {
    const age = formatAge(Number(element.dataset.age), Date.now())
    if (element.textContent !== age) element.textContent = age
  }
}

/** Keeps the words for how long ago and how far ahead something is true. */
export function refreshAges(): void {
  refresh()
  setInterval(refresh, REFRESH_MS)
  // A page that comes back from the browser's memory may be hours old.
  addEventListener('pageshow', refresh)
}
