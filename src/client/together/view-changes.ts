import { createNotice } from './notice.ts'
import { pollVersion } from './polling.ts'

/** Readers are told within this time, in milliseconds, give or take. */
const BASE_MS = 8_000

const SCROLL_KEY = 'regent.scroll'

/** Keeps the scroll position for the page after a reload: a decrypted text comes too late for the browser's own. */
function keepScroll(id: string): void {
  try {
    sessionStorage.setItem(SCROLL_KEY, JSON.stringify({ id, y: scrollY }))
  } catch {
    // The browser restores it as well as it can.
  }
}

function restoreScroll(id: string): void {
  try {
    const kept = sessionStorage.getItem(SCROLL_KEY)
    if (kept === null) return
    sessionStorage.removeItem(SCROLL_KEY)
    const { id: keptId, y } = JSON.parse(kept)
    // Elsewhere than at the top, the browser has restored the position, or the reader has scrolled since.
    if (keptId === id && typeof y === 'number' && scrollY === 0) scrollTo({ top: y, behavior: 'instant' })
  } catch {
    // It's only the position.
  }
}

/** Tells the reader of a document when somebody has saved or deleted it. Nothing changes until they ask for it. */
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
