import { formatAge } from '../../shared/format.ts'

const REFRESH_MS = 30_000

/** English, like the page, in the reader's variety, such as en-US. */
const getLocale = (): string =>
  navigator.languages.find((language) => /^en(-[A-Z]{2})?$/.test(language)) ?? 'en-GB'

function refresh(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-age]')) {
    const age = formatAge(Number(element.dataset.age), Date.now())
    if (element.textContent !== age) element.textContent = age
  }
}

function localize(): void {
  const format = new Intl.DateTimeFormat(getLocale(), { dateStyle: 'long', timeStyle: 'long' })
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-tip]')) {
    time.dataset.tip = format.format(new Date(time.dateTime))
    const exact = time.querySelector('.exact')
    if (exact) exact.textContent = time.dataset.tip
  }
}

/** Also puts exact times into the reader's time zone. */
export function refreshRelativeTimes(): void {
  refresh()
  localize()
  setInterval(refresh, REFRESH_MS)
  // A page restored from the back/forward cache may be hours old.
  addEventListener('pageshow', refresh)
}
