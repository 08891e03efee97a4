import { parseOptions } from '../scripts/support/script.ts'
import { formatTable } from './load.ts'

const HELP = `Calculates how long people wait for D1 and KV, by city, with the database in Western Europe.

Usage: npm run bench -- world

Nothing here is measured: it multiplies round trips with published latencies. "Before" is one call after the other to the
primary, as Regent made them until version 0.2. Prints tables in Markdown.
`

/**
 * Milliseconds from each city to a database in London, to its nearest copy, and to one of KV's central stores in London
 * and Washington. Source: IBM Cloud docs, "Network latency", September 2024; for Cape Town cloudping.co, "AWS Region
 * Latency Matrix". D1 has copies in Europe, North America, Asia and Oceania, none in Africa or South America (D1 docs,
 * "Global read replication"). Assumed: 5 ms to a database in the same region.
 */
const CITIES: Readonly<Record<string, { primary: number; copy: number; store: number }>> = {
  Frankfurt: { primary: 13, copy: 13, store: 13 },
  Washington: { primary: 76, copy: 5, store: 5 },
  'São Paulo': { primary: 187, copy: 119, store: 119 },
  'Cape Town': { primary: 150, copy: 150, store: 150 },
  Tokyo: { primary: 242, copy: 5, store: 166 },
  Sydney: { primary: 261, copy: 5, store: 216 },
}

/** Assumed: routing to D1, and its own work. A published round trip of 13 ms took 19. */
const D1_MS = 5
/** Assumed: what a central store of KV takes itself. */
const STORE_MS = 20

interface City {
  readonly primary: number
  readonly copy: number
  readonly put: number
}

/** The time that each operation waits for. `test/documents/round-trips.test.ts` counts the round trips. */
const OPERATIONS: readonly {
  readonly name: string
  readonly before: (city: City) => number
  readonly now: (city: City) => number
}[] = [
  { name: 'read, the second within a second', before: ({ primary }) => primary, now: () => 0 },
  { name: 'read', before: ({ primary }) => primary, now: ({ copy }) => copy },
  {
    name: 'read with a key or a session',
    before: ({ primary }) => 2 * primary,
    now: ({ primary }) => primary,
  },
  { name: 'create', before: ({ primary, put }) => put + primary, now: ({ primary, put }) => put + primary },
  {
    name: 'create with a key',
    before: ({ primary, put }) => 2 * primary + put,
    now: ({ primary, put }) => 2 * primary + put,
  },
  {
    name: 'edit',
    before: ({ primary, put }) => 3 * primary + put,
    now: ({ primary, put }) => 2 * primary + put,
  },
  { name: 'delete', before: ({ primary }) => 3 * primary, now: ({ primary }) => 2 * primary },
]

export async function measureWorld(): Promise<void> {
  parseOptions(HELP, {})
  const cities = Object.values(CITIES).map(({ primary, copy, store }) => ({
    primary: primary + D1_MS,
    copy: copy + D1_MS,
    put: store + STORE_MS,
  }))
  const rows = OPERATIONS.map(({ name, before, now }) => [
    name,
    ...cities.map((city) => `${before(city)} → ${now(city)}`),
  ])
  process.stdout.write(formatTable(['ms, before → now', ...Object.keys(CITIES)], rows))
}
