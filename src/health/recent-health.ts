import { logFault } from '../platform/logging.ts'
import { type CheckedHealth, checkHealth } from './check-health.ts'

/** How long an isolate repeats an answer. However many people ask, storage is asked once in this time. */
const MAX_AGE_MS = 5_000

/** How often a request looks whether another one has finished the check that it waits for. */
const POLL_MS = 20

export interface Health extends CheckedHealth {
  /** Milliseconds since 1970. */
  readonly checkedAt: number
}

interface Memory {
  last: Health | null
  /** When the check that is under way began; null if none is. */
  startedAt: number | null
}

/** What this isolate found out last, for its bindings. */
const memories = new WeakMap<object, Memory>()

/** A check takes at most this long. One that takes longer was cut off with its request. */
const MAX_CHECK_MS = 10_000

const isUnderWay = ({ startedAt }: Memory): boolean =>
  startedAt !== null && Date.now() - startedAt < MAX_CHECK_MS

const findRecent = ({ last }: Memory): Health | null =>
  last !== null && Date.now() - last.checkedAt < MAX_AGE_MS ? last : null

/**
 * Returns the result of a check that is a few seconds old at most. Only one request at a time checks. The others wait
 * for it by looking again and again, because a request can't wait for the storage calls of another one.
 */
export async function recentHealth(env: Env, requestId: string): Promise<Health> {
  const memory = memories.get(env) ?? { last: null, startedAt: null }
  memories.set(env, memory)
  for (;;) {
    const recent = findRecent(memory)
    if (recent !== null) return recent
    if (!isUnderWay(memory)) break
    await new Promise((wait) => setTimeout(wait, POLL_MS))
  }
  memory.startedAt = Date.now()
  try {
    const { health, errors } = await checkHealth(env)
    memory.last = { ...health, checkedAt: Date.now() }
    // Cleanup logs what is missing.
    if (health.status === 'failing')
      logFault('health check failed', { request_id: requestId, ...health, errors })
    return memory.last
  } finally {
    memory.startedAt = null
  }
}
