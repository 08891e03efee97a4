import { AppError } from '../errors.ts'
import { BoundedMap } from '../shared/bounded-map.ts'
import { type Instant, MINUTE_MS } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'
import { throwBlockError } from './block-check.ts'
import type { DocumentStore } from './document-store.ts'
import { throwQuotaError } from './quotas.ts'
import { toTurn } from './turns.ts'

/** How long after a refusal the next writes are checked ahead. */
const MEMORY_MS = MINUTE_MS
const MAX_WRITERS = 10_000

/** The writes of an account or a network are checked ahead until then, because this isolate has refused one. */
export const checkedUntil = new BoundedMap<string, Instant>(MAX_WRITERS)

/** The writer that stands for all: a quota of the server that refuses one writer probably refuses everybody. */
const EVERYBODY = 'everybody'

/** How many writes of an account or a network are under way. */
const underWay = new Map<string, number>()

/** Goes by the messages of D1's triggers: those that the server's quotas gave, and those that concern one writer. */
const REFUSED = /quota: (?:(anonymous|server)|account) |blocked (?:address|content|domain)/

function remember(error: unknown, writer: string, now: Instant): void {
  const cause = error instanceof AppError ? error.cause : null
  const [refused, server] = (cause instanceof Error && REFUSED.exec(cause.message)) || []
  if (refused !== undefined) checkedUntil.set(server === undefined ? writer : EVERYBODY, now + MEMORY_MS)
}

interface Attempt {
  /** The account that writes; null for its network. */
  readonly writerId: string | null
  /** Returns the checks that D1's triggers make, for so many writes like this one that are only about to happen. */
  readonly ahead: (writes: number) => readonly Statement[]
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
  const check = async (writes: number) => {
    const statements = ahead(writes)
    if (statements.length > 0)
      await db.idempotentBatch(statements).catch(throwBlockError).catch(throwQuotaError(now))
  }
  const others = underWay.get(writer) ?? 0
  const isRemembered = [writer, EVERYBODY].some((key) => (checkedUntil.get(key) ?? 0) > now)
  underWay.set(writer, others + 1)
  try {
    if (others === 0 && !isRemembered) return await run()
    const refusal = await check(others + 1).then(
      () => null,
      (error: unknown) => ({ error }),
    )
    if (refusal === null) return await run()
    if (others === 0) throw refusal.error
    return await turns.take([toTurn.writer(writer)], async () => {
      await check(1)
      return await run()
    })
  } catch (error) {
    remember(error, writer, now)
    throw error
  } finally {
    const left = (underWay.get(writer) ?? 1) - 1
    if (left > 0) underWay.set(writer, left)
    else underWay.delete(writer)
  }
}
