import { AppError } from '../errors.ts'
import { BoundedMap } from '../shared/bounded-map.ts'
import { type Instant, MINUTE_MS } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'
import { throwBlockError } from './block-check.ts'
import type { DocumentStore } from './document-store.ts'
import { throwQuotaError } from './quotas.ts'

/** How long after a refusal the next writes are checked ahead. */
const MEMORY_MS = MINUTE_MS
const MAX_WRITERS = 10_000

interface Writer {
  underWay: number
  checkedUntil: Instant
}

/** Accounts and networks that this isolate has refused lately, or that are storing something. */
const writers = new BoundedMap<string, Writer>(MAX_WRITERS)

/** What a quota of the server refuses to one writer, it probably refuses to all. */
let allCheckedUntil: Instant = 0

/** By the messages of D1's triggers: those that the server's quotas gave, and those that concern one writer. */
const REFUSED = /quota: (?:(anonymous|server)|account) |blocked (?:address|content|domain)/

function remember(error: unknown, writer: Writer, now: Instant): void {
  const cause = error instanceof AppError ? error.cause : null
  const [refused, server] = (cause instanceof Error && REFUSED.exec(cause.message)) || []
  if (refused === undefined) return
  if (server === undefined) writer.checkedUntil = now + MEMORY_MS
  else allCheckedUntil = now + MEMORY_MS
}

interface Write {
  /** The account that writes; null for its network. */
  readonly writerId: string | null
  /** What D1's triggers check, for a write that is only about to happen. */
  readonly ahead: readonly Statement[]
  readonly now: Instant
}

/**
 * Stores content and then the row that refers to it, which D1's triggers may refuse: what's blocked, and what a quota has no
 * room for. So that a writer can't make us store content again and again for nothing, D1 is asked before, which takes
 * a round trip, for a minute after a refusal and while the same writer is storing something else. The answer is exact:
 * nobody is refused for what they sent before.
 *
 * @throws AppError what `store` throws, `bad_auth`, `rate_limited` or `unavailable` for a refusal.
 */
export async function storeUnlessRefused<Result>(
  { db, getClientAddress }: Pick<DocumentStore, 'db' | 'getClientAddress'>,
  { writerId, ahead, now }: Write,
  store: () => Promise<Result>,
): Promise<Result> {
  const key = writerId ?? getClientAddress?.() ?? ''
  const writer = writers.get(key) ?? { underWay: 0, checkedUntil: 0 }
  writers.set(key, writer)
  writer.underWay += 1
  try {
    const isChecked = writer.underWay > 1 || Math.max(writer.checkedUntil, allCheckedUntil) > now
    if (isChecked && ahead.length > 0)
      await db.idempotentBatch(ahead).catch(throwBlockError).catch(throwQuotaError(now))
    return await store()
  } catch (error) {
    remember(error, writer, now)
    throw error
  } finally {
    writer.underWay -= 1
    if (writer.underWay === 0 && writer.checkedUntil <= now && writers.get(key) === writer)
      writers.delete(key)
  }
}
