const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Many readers behind one address stay within its limit of reads. */
const SLOWER = [
  { afterMs: 3 * MINUTE, delayMs: 20 * SECOND },
  { afterMs: 15 * MINUTE, delayMs: MINUTE },
] as const

const MAX_DELAY_MS = 10 * MINUTE

interface DelayOptions {
  /** While the document may change at any moment. */
  readonly baseMs: number
  readonly quietMs: number
  /** Requests in a row without an answer. */
  readonly failures: number
  readonly retryAfterMs: number
  /** From 0 to 1, so that pages opened together don't ask together. */
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

/** Of the entity tag of a raw text, which a proxy may have made weak. */
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

/** While the page is visible. Returns a function to stop. */
export function pollVersion({ id, version, baseMs, onNews }: PollOptions): () => void {
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
