import { AppError } from '../errors.ts'
import { BoundedMap } from '../shared/bounded-map.ts'
import { type Instant, MINUTE_MS } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'
import type { DocumentStore } from './document-store.ts'
import { findRefusal, isByQuota, isForEverybody, throwRefusal } from './refusal-messages.ts'
import { toTurn } from './turns.ts'

/** How long after a refusal the next writes are checked ahead. */
const MEMORY_MS = MINUTE_MS
const MAX_WRITERS = 10_000

/** The writes of an account or a network are checked ahead until then, because this isolate has refused one. */
export const checkedUntil = new BoundedMap<string, Instant>(MAX_WRITERS)

/** The writer that stands for all: a quota of the server that refuses one writer probably refuses everybody. */
const EVERYBODY = 'everybody'

/**
 * When the present writes of an account or a network have started. A write that ended without a word, because its client is
 * gone, counts for a minute.
 */
export const underWay = new BoundedMap<string, readonly Instant[]>(MAX_WRITERS)

function remember(error: unknown, writer: string, now: Instant): void {
  const refusal = error instanceof AppError ? findRefusal(error.cause) : null
  if (refusal !== null) checkedUntil.set(isForEverybody(refusal) ? EVERYBODY : writer, now + MEMORY_MS)
}

interface Attempt {
  /** The account that writes; null for its network. */
  readonly writerId: string | null
  /**
   * Returns the checks that D1's triggers make, for so many writes like this one that are only about to happen. Returns null
   * if there can't be room for them.
   */
  readonly ahead: (writes: number) => readonly Statement[] | null
  readonly now: Instant
}

/**
 * Calls `run`, which stores content and then the row that refers to it. D1's triggers may refuse the row, because
 * something is blocked or a quota has no room for it. So that a writer can't make us store content again and again for nothing, D1 is
 * asked before, which takes a round trip, for a minute after a refusal and while the same writer is storing something else. If
 * there isn't room for all that they are storing, one comes after the other. The answer is exact: nobody is refused for what they
 * sent before.
 *
 * @throws AppError what `run` throws, `bad_auth`, `rate_limited` or `unavailable` for a refusal.
 */
export async function storeUnlessRefused<Result>(
  { db, turns, getClientAddress }: Pick<DocumentStore, 'db' | 'turns' | 'getClientAddress'>,
  { writerId, ahead, now }: Attempt,
  run: () => Promise<Result>,
): Promise<Result> {
  const writer = writerId ?? getClientAddress() ?? 'unknown'
  const others = (underWay.get(writer) ?? []).filter((startedAt) => startedAt > now - MEMORY_MS)
  const isRemembered = [writer, EVERYBODY].some((key) => (checkedUntil.get(key) ?? 0) > now)
  underWay.set(writer, [...others, now])

  const check = async () => {
    const statements = ahead(1) ?? []
    if (statements.length > 0) await db.idempotentBatch(statements).catch(throwRefusal(now))
  }
  const hasRoomForAll = async (): Promise<boolean> => {
    const statements = ahead(others.length + 1)
    if (statements === null) return false
    try {
      if (statements.length > 0) await db.idempotentBatch(statements)
      return true
    } catch (error) {
      if (isByQuota(findRefusal(error))) return false
      return throwRefusal(now)(error)
    }
  }

  try {
    if (others.length === 0) {
      if (isRemembered) await check()
      return await run()
    }
    if (await hasRoomForAll()) return await run()
    return await turns.take([toTurn.writer(writer)], async () => {
      await check()
      return await run()
    })
  } catch (error) {
    remember(error, writer, now)
    throw error
  } finally {
    const started = underWay.get(writer) ?? []
    const left = started.toSpliced(started.indexOf(now), started.includes(now) ? 1 : 0)
    if (left.length > 0) underWay.set(writer, left)
    else underWay.delete(writer)
  }
}
