import type { Spread } from './random.ts'

export const CITIES = ['Frankfurt', 'Washington', 'São Paulo', 'Cape Town', 'Tokyo', 'Sydney'] as const
export type City = (typeof CITIES)[number]
export type Region = 'weur' | 'enam' | 'apac' | 'oc'

/**
 * Round trips in ms from the Worker's city to a D1 region. The regions are assumed to be in London, Washington,
 * Tokyo and Sydney. Source: IBM Cloud docs, "Network latency", September 2024; for Cape Town cloudping.co, "AWS
 * Region Latency Matrix". Assumed: 5 ms within a region, because a database may be in another city.
 */
export const ROUND_TRIP_MS: Record<City, Record<Region, number>> = {
  Frankfurt: { weur: 13, enam: 91, apac: 228, oc: 250 },
  Washington: { weur: 76, enam: 5, apac: 166, oc: 214 },
  'São Paulo': { weur: 187, enam: 119, apac: 285, oc: 328 },
  'Cape Town': { weur: 150, enam: 227, apac: 286, oc: 295 },
  Tokyo: { weur: 242, enam: 166, apac: 5, oc: 115 },
  Sydney: { weur: 261, enam: 216, apac: 115, oc: 5 },
}
/** D1 docs, "Global read replication": one replica per region, none in South America or Africa. */
export const REGIONS: readonly Region[] = ['weur', 'enam', 'apac', 'oc']
/** KV docs, "How KV works": "a small number of centralized data centers". Assumed: one on each side of the Atlantic. */
export const KV_CENTRAL_REGIONS: readonly Region[] = ['weur', 'enam']

/** Cloudflare docs, "Choose a data or storage product": hot keys take 500 µs to 10 ms. */
export const KV_HOT_MS: Spread = { p50: 3, p99: 10 }
/**
 * The time the central store takes for a read or a write. Assumed: between the two p99 figures of "Redesigning
 * Workers KV" (Cloudflare blog, 2025), under 5 ms for small objects now and 200 ms before.
 */
export const KV_STORE_MS: Spread = { p50: 20, p99: 100 }
/** Assumed: one round trip in a hundred takes half as long again. */
export const NETWORK_JITTER: Spread = { p50: 1, p99: 1.5 }
/** Assumed: routing to D1 and the Worker's own work. A published round trip from Frankfurt to Eastern Europe took 19 ms. */
export const OVERHEAD_MS = 5
/** Assumed: what each further row adds to the UPDATE of views, if every view is of a different document. */
export const VIEW_ROW_MS = 0.02
/** How long an isolate collects views before it writes them (src/documents/view-counter.ts). */
export const VIEW_FLUSH_SECONDS = 1
/** Assumed: the share of all reads that the busiest replica gets. */
export const BUSIEST_REPLICA_SHARE = 0.4
/** D1 docs, "Limits", on the paid plan. It can't be raised. */
export const DATABASE_BYTES = 10e9

export type Step =
  | { readonly to: 'kv-hot' | 'kv-centre' }
  /** One call. A batch counts as one commit. Calls to `replica` go to the nearest copy. */
  | { readonly to: 'primary' | 'replica'; readonly reads: number; readonly commits: number }

const query = (to: 'primary' | 'replica' = 'primary'): Step => ({ to, reads: 1, commits: 0 })
const change = (alsoReads: number): Step => ({ to: 'primary', reads: alsoReads, commits: 1 })
const kvHot: Step = { to: 'kv-hot' }
const kvCentre: Step = { to: 'kv-centre' }

interface Operation {
  readonly name: string
  /** In sequence, as the code awaits them. */
  readonly steps: readonly Step[]
  /** Calls after the response. */
  readonly later?: readonly Step[]
}

/** The storage calls of src/documents. A create with a key and an edit look up the account first. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'read, content in memory', steps: [query()] },
  { name: 'read, content in KV cache', steps: [query(), kvHot] },
  { name: 'read, content in KV store', steps: [query(), kvCentre] },
  { name: 'replica read, content in memory', steps: [query('replica')] },
  { name: 'replica read, content in KV cache', steps: [query('replica'), kvHot] },
  { name: 'replica read, content in KV store', steps: [query('replica'), kvCentre] },
  { name: 'create, anonymous', steps: [kvCentre, change(0)] },
  { name: 'create with a key', steps: [query(), kvCentre, change(1)] },
  { name: 'edit', steps: [query(), query(), kvCentre, change(1)] },
  { name: 'burn', steps: [query(), kvCentre, change(2)], later: [kvCentre, change(0)] },
]

export interface Settings {
  readonly primary: Region
  readonly readMs: number
  readonly writeMs: number
  readonly readsPerCreate: number
  readonly isolates: readonly number[]
  readonly seed: number
}

/** Returns how long a step occupies D1's only thread, on average. */
export const threadMs = (step: Step, { readMs, writeMs }: Settings) =>
  'reads' in step ? step.reads * readMs + step.commits * writeMs : 0
