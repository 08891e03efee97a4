import type { SoakServer } from './server.ts'

/** What the driver knows about a document. */
export interface Known {
  readonly id: string
  /** The headers of its creator. */
  readonly owner: Readonly<Record<string, string>>
  readonly hasAccount: boolean
  /** The password of an encrypted document. */
  readonly password: string | null
  /** In milliseconds since 1970; null: it never expires while this runs. */
  readonly expiresAt: number | null
  /** What it may contain: the last acknowledged text, and those of edits without an answer. */
  readonly texts: Set<string>
  /** `unsure`: a deletion had no answer. It may still take effect. */
  state: 'live' | 'unsure' | 'gone'
  /** How often somebody tried to read it. */
  attempts: number
  /** When it was delivered, while nothing failed. Null once something could have lost a view. */
  deliveries: number[] | null
  readonly epoch: number
  readonly history: string[]
}

const MAX_HISTORY = 40

/** A write to the database takes a second to gather views, and more on a busy machine. */
const VIEWS_SETTLE_MS = 8_000

/** Collects what went wrong. */
export class Verdict {
  readonly violations: string[] = []
  readonly counts = new Map<string, number>()

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  violate(what: string, history: readonly string[] = []): void {
    this.violations.push([what, ...history.map((line) => `    ${line}`)].join('\n'))
  }
}

export function remember(known: Known, what: string, status: number | null): void {
  known.history.push(`${new Date().toISOString().slice(11, 23)} ${what} → ${status ?? 'no answer'}`)
  if (known.history.length > MAX_HISTORY) known.history.splice(1, 1)
}

/** Returns true for an answer that leaves the outcome open. A 500 is never right. */
export function isOpen(status: number | null, verdict: Verdict, what: string): boolean {
  if (status === 500) verdict.violate(`${what}: status 500`)
  if (status === 503) verdict.count('503')
  if (status === null) verdict.count('no answer')
  return status === null || status >= 500
}

interface ReadResult {
  readonly status: number
  readonly startedAt: number
  readonly endedAt: number
  /** Returns true if the answer delivers this text. */
  readonly shows: (text: string) => boolean
}

/** Compares an answer to a read with what must be true. */
export function checkRead(known: Known, result: ReadResult, verdict: Verdict): void {
  const { status, startedAt, endedAt, shows } = result
  const violate = (what: string) => verdict.violate(`${known.id}: ${what}`, known.history)
  if (status === 200) {
    if (known.state === 'gone') violate('a deleted document was delivered')
    if (known.expiresAt !== null && startedAt >= known.expiresAt) violate('an expired document was delivered')
    if (![...known.texts].some(shows)) violate('another text was delivered')
  } else if (status === 404) {
    const hasExpired = known.expiresAt !== null && endedAt >= known.expiresAt
    if (known.state === 'live' && !hasExpired) violate('an acknowledged document is missing')
    known.state = 'gone'
  } else violate(`reading it got ${status}`)
}

/** Checks the number of views that an answer shows. */
export function checkViews(known: Known, views: number, server: SoakServer, verdict: Verdict): void {
  // A write of views that takes effect but reports an error is repeated, so it counts them twice.
  const most = known.epoch > server.lastFaultyEpoch ? known.attempts : 2 * known.attempts
  if (views > most)
    verdict.violate(`${known.id}: ${views} views after ${known.attempts} reads`, known.history)
  if (server.faultRate > 0 || server.epoch !== known.epoch) known.deliveries = null
  const settled = known.deliveries?.filter((at) => at < Date.now() - VIEWS_SETTLE_MS).length ?? 0
  if (views < settled)
    verdict.violate(`${known.id}: ${views} views after ${settled} deliveries`, known.history)
}
