import type { Database } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'

export async function addViews(db: Database, viewsById: ReadonlyMap<string, number>): Promise<void> {
  await db.all(
    [
      `UPDATE documents SET views = views + counted.number
        FROM (SELECT value ->> 0 AS id, value ->> 1 AS number FROM json_each(?1)) AS counted
        WHERE documents.id = counted.id`,
      JSON.stringify([...viewsById]),
    ],
    { onlyViews: true },
  )
}

interface Count {
  /** Views that no write includes yet. */
  pending: number
  /** The highest count that this isolate has returned. */
  shown: number
  /** Is true if the document has had no view since the flush before. */
  settled: boolean
}

/** How long views accumulate before one UPDATE writes all of them. */
const FLUSH_DELAY_MS = 1_000
/** How long a planned flush is waited for. Then it counts as lost, together with the request that planned it. */
const FLUSH_PLAN_TTL_MS = 10_000

/** No response waits for a count or fails because of it. An isolate's last second of views may be lost with it. */
export class ViewCounter {
  readonly #counts = new Map<string, Count>()
  #plannedAt = Number.NEGATIVE_INFINITY

  /** @param stored the views in the row that was read for this view. */
  count(id: string, stored: number): number {
    const count = this.#counts.get(id) ?? { pending: 0, shown: 0, settled: false }
    count.pending += 1
    count.settled = false
    // During a flush it's unknown whether `stored` includes it already. The count returned before does.
    count.shown = Math.max(count.shown + 1, stored + count.pending)
    this.#counts.set(id, count)
    return count.shown
  }

  current(id: string, stored: number): number {
    const count = this.#counts.get(id)
    return count ? Math.max(count.shown, stored + count.pending) : stored
  }

  planFlush(now: Instant): boolean {
    if (now < this.#plannedAt + FLUSH_PLAN_TTL_MS) return false
    this.#plannedAt = now
    return true
  }

  /** If `write` fails, the views wait for the next flush: a write that took effect after all counts them twice. */
  async flush(write: (views: ReadonlyMap<string, number>) => Promise<void>): Promise<void> {
    this.#plannedAt = Number.NEGATIVE_INFINITY
    const views = new Map<string, number>()
    for (const [id, count] of this.#counts) {
      if (count.pending > 0) views.set(id, count.pending)
      // A row that was read before the last flush may be remembered for another second. A copy of the database that is
      // further behind may still show fewer views.
      else if (count.settled) this.#counts.delete(id)
      else count.settled = true
      count.pending = 0
    }
    if (views.size === 0) return
    try {
      await write(views)
    } catch (error) {
      for (const [id, number] of views) {
        const count = this.#counts.get(id) ?? { pending: 0, shown: 0, settled: false }
        count.pending += number
        this.#counts.set(id, count)
      }
      throw error
    }
  }
}

export const viewCounter = new ViewCounter()

export const waitForViews = () => new Promise((resolve) => setTimeout(resolve, FLUSH_DELAY_MS))

interface ViewStore {
  readonly db: Database
  readonly views: ViewCounter
  readonly defer: (work: () => Promise<unknown>) => void
}

const FLUSH_ATTEMPTS = 3

async function writeViews({ db, views }: ViewStore): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await waitForViews()
    try {
      return await views.flush((pendingViews) => addViews(db, pendingViews))
    } catch (error) {
      // The views aren't lost: the next view in this isolate plans the next flush.
      if (attempt === FLUSH_ATTEMPTS) throw error
    }
  }
}

export function countView(
  store: ViewStore,
  document: { readonly id: string; readonly views: number },
  now: Instant,
): number {
  const count = store.views.count(document.id, document.views)
  if (store.views.planFlush(now)) {
    store.defer(() => writeViews(store))
  }
  return count
}
