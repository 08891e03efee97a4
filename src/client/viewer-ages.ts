const MINUTE_MS = 60_000
const DAY = 24 * 60

/** Units in minutes. */
const UNITS = [
  ['year', 365.25 * DAY],
  ['month', 30.4375 * DAY],
  ['day', DAY],
  ['hour', 60],
  ['minute', 1],
] as const

const words = new Intl.RelativeTimeFormat('en')

function refresh(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-age]')) {
    const minutes = (Number(element.dataset.age) - Date.now()) / MINUTE_MS
    const [unit, length] = UNITS.find(([, length]) => Math.abs(minutes) >= length) ?? []
    const soon = minutes > 0 ? 'in less than a minute' : 'just now'
    const age = unit === undefined ? soon : words.format(Math.trunc(minutes / length), unit)
    if (element.textContent !== age) element.textContent = age
  }
}

/** Keeps the words for how long ago and how far ahead something is true. */
export function refreshAges(): void {
  refresh()
  setInterval(refresh, MINUTE_MS / 2)
  // A page that comes back from the browser's memory may be hours old.
  addEventListener('pageshow', refresh)
}
