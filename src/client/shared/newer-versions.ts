import { loadExtraStyles } from '../viewer/toolbar.ts'
import { announce, createButton, createElement } from './elements.ts'
import { store, takeStored } from './storage.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Pages that stay open ask less often, so that many of them behind one address stay within its limit of reads. */
const SLOWER = [
  { afterMs: 3 * MINUTE, delayMs: 20 * SECOND },
  { afterMs: 15 * MINUTE, delayMs: MINUTE },
] as const

const MAX_DELAY_MS = 10 * MINUTE

interface DelayOptions {
  /** The pause between requests while the document may change at any moment. */
  readonly baseMs: number
  readonly quietMs: number
  /** Requests in a row without an answer. */
  readonly failures: number
  readonly retryAfterMs: number
  /** A number from 0 to 1, so that pages opened together don't ask together. */
  readonly random: number
}

export function getDelay({ baseMs, quietMs, failures, retryAfterMs, random }: DelayOptions): number {
  const slow = SLOWER.findLast(({ afterMs }) => quietMs >= afterMs)?.delayMs ?? 0
  const delay = Math.min(MAX_DELAY_MS, Math.max(baseMs, slow) * 2 ** Math.min(failures, 10))
  return Math.max(delay, retryAfterMs) * (1 + random / 4)
}

type News = 'same' | 'changed' | 'gone'

interface Answer {
  readonly news: News | 'unknown'
  readonly retryAfterMs: number
}

/** Reads the entity tag of a raw text, which a proxy may have made weak. */
export const parseVersion = (etag: string | null): string | null =>
  /^(?:W\/)?"[a-z]+-([^"-]+)/.exec(etag ?? '')?.[1] ?? null

/** Takes one query and no content, counts no view and burns nothing. Without a cookie, nobody is looked up. */
async function fetchNews(id: string, version: string): Promise<Answer> {
  const response = await fetch(`/r/${id}`, {
    method: 'HEAD',
    cache: 'no-store',
    credentials: 'omit',
    headers: { 'If-None-Match': `"raw-${version}"` },
  })
  const retryAfterMs = Number(response.headers.get('Retry-After') ?? 0) * SECOND || 0
  const answer = (news: Answer['news']) => ({ news, retryAfterMs })
  if (response.status === 404) return answer('gone')
  if (response.status === 304) return answer('same')
  if (!response.ok) return answer('unknown')
  const current = parseVersion(response.headers.get('ETag'))
  // A document that burns after reading has no entity tag, and nobody is told about it any more.
  if (current === null) return answer('unknown')
  return answer(current === version ? 'same' : 'changed')
}

interface PollOptions {
  readonly id: string
  readonly version: string
  readonly baseMs: number
  readonly onNews: (news: 'changed' | 'gone') => void
}

/** Asks for newer versions while the page is visible. Returns a function to stop. */
function pollVersion({ id, version, baseMs, onNews }: PollOptions): () => void {
  const startedAt = Date.now()
  const ended = new AbortController()
  let [checkedAt, failures] = [startedAt, 0]
  let timer: ReturnType<typeof setTimeout> | undefined

  const isHidden = () => document.visibilityState === 'hidden'
  const schedule = (retryAfterMs = 0) => {
    clearTimeout(timer)
    if (ended.signal.aborted || isHidden()) return
    const quietMs = Date.now() - startedAt
    const delay = getDelay({ baseMs, quietMs, failures, retryAfterMs, random: Math.random() })
    // A page that was hidden asks sooner.
    timer = setTimeout(() => void check(), Math.max(SECOND, checkedAt + delay - Date.now()))
  }
  const check = async () => {
    checkedAt = Date.now()
    const { news, retryAfterMs } = await fetchNews(id, version).catch(
      (): Answer => ({ news: 'unknown', retryAfterMs: 0 }),
    )
    if (ended.signal.aborted) return
    if (news === 'changed' || news === 'gone') {
      stop()
      return onNews(news)
    }
    failures = news === 'unknown' ? failures + 1 : 0
    schedule(retryAfterMs)
  }
  const stop = () => {
    clearTimeout(timer)
    ended.abort()
  }
  document.addEventListener('visibilitychange', () => schedule(), { signal: ended.signal })
  schedule()
  return stop
}

/** News about the page, which never takes the focus. */
function createNotice() {
  const notice = createElement('aside', { className: 'toast', ariaLabel: 'Changes' })
  // Screen readers only announce changes of a live region that is there before.
  const region = createElement('div', { className: 'visually-hidden', ariaLive: 'polite' })
  document.body.append(region, notice)
  const hide = () => {
    notice.replaceChildren()
    announce(region, '')
  }
  return {
    /** Replaces the message before. Screen readers announce it. */
    show: (message: string, action?: { label: string; run: () => void }) => {
      announce(region, message)
      const text = createElement('p', {}, message)
      const dismiss = createButton('Dismiss', hide, 'tool')
      const buttons = action ? [createButton(action.label, action.run), dismiss] : [text, dismiss]
      const row = createElement('div', { className: 'row end' }, ...buttons)
      notice.replaceChildren(...(action ? [text, row] : [row]))
    },
    hide,
  }
}

/** Somebody who may edit the document only reads it now. */
const READING_MS = 8_000

const SCROLL_KEY = 'regent.scroll'

function restoreScroll(id: string): void {
  const kept = (takeStored(SCROLL_KEY) ?? {}) as { id?: unknown; y?: unknown }
  // Elsewhere than at the top, the browser has restored the position, or the user has scrolled since.
  if (kept.id === id && typeof kept.y === 'number' && scrollY === 0)
    scrollTo({ top: kept.y, behavior: 'instant' })
}

/** Tells somebody who may edit the document. The page stays as it is until they ask for the new version. */
export function watchDocument(id: string, version: string): void {
  restoreScroll(id)
  const notice = createNotice()
  pollVersion({
    id,
    version,
    baseMs: READING_MS,
    onNews: async (news) => {
      await loadExtraStyles()
      if (news === 'gone') {
        notice.show('This document has expired or was deleted. You can still read and copy it here.')
        return
      }
      notice.show('This document has changed.', {
        label: 'Show new version',
        run: () => {
          // A decrypted text comes too late for the browser's own memory of the position.
          store('sessionStorage', SCROLL_KEY, JSON.stringify({ id, y: scrollY }))
          location.reload()
        },
      })
    },
  })
}

/** Somebody who is editing is told sooner, since both may be typing. */
const EDITING_MS = 5_000

const FAILED = 'The new version couldn’t be loaded. Your text is still here. Try again in a moment.'

interface Options {
  readonly id: string
  /** The tag of the version that the form started from, or has merged since. */
  readonly etag: () => string
  readonly hasChanges: () => boolean
  readonly findAuthor: () => Promise<string | null>
  /** Returns what the user has to know about the merge. */
  readonly mergeSavedVersion: () => Promise<string>
  /** The merge is in the code editor. */
  readonly onConflict: (message: string) => void
}

/**
 * Tells editors about newer versions. Their text doesn't change until they ask for it. Returns a function to call after
 * a merge, when the notice is out of date.
 */
export function watchEditedDocument(options: Options): () => void {
  const { id, etag, hasChanges, findAuthor, mergeSavedVersion, onConflict } = options
  const notice = createNotice()
  let stop = () => {}

  const load = async () => {
    const hadChanges = hasChanges()
    try {
      const message = await mergeSavedVersion()
      if (hadChanges || hasChanges()) onConflict(message)
      else notice.show('The new version is loaded.')
    } catch (error) {
      notice.show(error instanceof Error && error.message !== '' ? error.message : FAILED, {
        label: 'Try again',
        run: () => void load(),
      })
    }
  }
  const tell = async () => {
    const version = etag()
    const author = await findAuthor().catch(() => null)
    // Saving may have merged it in the meantime.
    if (etag() !== version) return
    const changed = hasChanges()
    notice.show(
      `${author ?? 'Somebody else'} has saved a new version. ${changed ? 'Your changes are still here.' : ''}`.trim(),
      { label: changed ? 'Show changes' : 'Load it', run: () => void load() },
    )
  }
  const watch = () => {
    stop()
    const version = parseVersion(etag())
    if (version === null) return
    stop = pollVersion({
      id,
      version,
      baseMs: EDITING_MS,
      onNews: (news) => {
        if (news === 'changed') return void tell()
        notice.show('This document has expired or was deleted. Copy your text if you need it.')
      },
    })
  }
  watch()
  return () => {
    notice.hide()
    watch()
  }
}
