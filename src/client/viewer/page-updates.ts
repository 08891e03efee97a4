import { formatAge } from '../../shared/format.ts'
import { store, takeStored } from '../shared/storage.ts'
import { createNotice } from '../shared/toast.ts'
import { pollVersion } from '../together/polling.ts'
import { loadExtraStyles } from './toolbar.ts'

// What keeps the page of a document up to date while somebody reads it: its times, and news of other versions.

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

const BASE_MS = 8_000

const SCROLL_KEY = 'regent.scroll'

/** For the page after a reload: a decrypted text comes too late for the browser's own memory of it. */
function keepScroll(id: string): void {
  store(() => sessionStorage, SCROLL_KEY, JSON.stringify({ id, y: scrollY }))
}

function restoreScroll(id: string): void {
  const kept = (takeStored(SCROLL_KEY) ?? {}) as { id?: unknown; y?: unknown }
  // Elsewhere than at the top, the browser has restored the position, or the reader has scrolled since.
  if (kept.id === id && typeof kept.y === 'number' && scrollY === 0)
    scrollTo({ top: kept.y, behavior: 'instant' })
}

/** Nothing changes until the reader asks for it. */
export function watchDocument(id: string, version: string): void {
  restoreScroll(id)
  const notice = createNotice()
  pollVersion({
    id,
    version,
    baseMs: BASE_MS,
    onNews: async (news) => {
      await loadExtraStyles()
      if (news === 'gone') {
        notice.show('This document has expired or was deleted. You can still read and copy it here.')
        return
      }
      notice.show('This document has changed.', {
        label: 'Show new version',
        run: () => {
          keepScroll(id)
          // A decrypted document leaves its password for the page after the reload.
          document.dispatchEvent(new CustomEvent('regent:reload'))
          location.reload()
        },
      })
    },
  })
}
