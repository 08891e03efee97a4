import { store, takeStored } from '../shared/storage.ts'
import { createNotice } from './notice.ts'
import { pollVersion } from './polling.ts'

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
    onNews: (news) => {
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
