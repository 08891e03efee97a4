import {
  BUSIEST_REPLICA_SHARE,
  CITIES,
  NETWORK_JITTER,
  OPERATIONS,
  OVERHEAD_MS,
  ROUND_TRIP_MS,
  type Settings,
  threadMs,
  VIEW_FLUSH_SECONDS,
  VIEW_ROW_MS,
} from './platform.ts'
import { createRandom, quantile, sampleExponential, sampleLogNormal } from './random.ts'

interface Job {
  readonly perSecond: number
  readonly serviceMs: number
}

/** Returns the share of time that the thread is busy. At 1 the queue grows forever. */
const getUtilisation = (jobs: readonly Job[]) =>
  jobs.reduce((sum, { perSecond, serviceMs }) => sum + (perSecond * serviceMs) / 1000, 0)

/**
 * Returns the p99 latency in ms of the first kind of job, for a Worker `tripMs` away from the database.
 *
 * D1 docs, "FAQs": a database "is inherently single-threaded, and processes queries one at a time". Excess
 * queries wait in a queue, and are refused as "overloaded" when it is full. This is an M/G/1 queue: arrivals from many isolates are
 * Poisson, and the service times are a mixture, each kind of job exponential around its mean.
 */
function simulateQueue(jobs: readonly Job[], { tripMs, seed }: { tripMs: number; seed: number }): number {
  const random = createRandom(seed)
  const perSecond = jobs.reduce((sum, job) => sum + job.perSecond, 0)
  const times: number[] = []
  let waitMs = 0
  for (let arrival = 0; arrival < 60_000; arrival++) {
    let pick = random() * perSecond
    const kind = jobs.findIndex((job) => {
      pick -= job.perSecond
      return pick < 0
    })
    const serviceMs = sampleExponential(random, jobs[kind]?.serviceMs ?? 0)
    if (kind === 0)
      times.push(tripMs * sampleLogNormal(random, NETWORK_JITTER) + OVERHEAD_MS + waitMs + serviceMs)
    // Lindley's recursion: the next job waits for the rest of this job's wait and service.
    waitMs = Math.max(0, waitMs + serviceMs - sampleExponential(random, 1000 / perSecond))
  }
  return quantile(times, 0.99)
}

/** Returns the largest rate for which `holds` is true, within 0.2%. It must be true below that rate and false above. */
function findLargestRate(holds: (perSecond: number) => boolean): number {
  let [low, high] = [0, 1_000_000]
  while (high - low > Math.max(0.1, low / 500)) {
    const middle = low === 0 ? high / 8 : (low + high) / 2
    if (holds(middle)) low = middle
    else high = middle
  }
  return low
}

interface Scenario {
  readonly batchedViews: boolean
  readonly replicas: boolean
  readonly isolates: number
}

/** Returns the jobs of the primary and of the busiest replica. Replaying changes on a replica is assumed to be free. */
function getJobs(readsPerSecond: number, { batchedViews, replicas, isolates }: Scenario, settings: Settings) {
  const { readMs, writeMs, readsPerCreate } = settings
  // An isolate's buffer starts with its next view, so few views over many isolates share few writes.
  const flushes = batchedViews ? isolates / (VIEW_FLUSH_SECONDS + isolates / readsPerSecond) : readsPerSecond
  const views: Job = {
    perSecond: flushes,
    serviceMs: writeMs + (readsPerSecond / flushes - 1) * VIEW_ROW_MS,
  }
  const creates: Job = { perSecond: readsPerSecond / readsPerCreate, serviceMs: writeMs }
  const reads: Job = { perSecond: readsPerSecond, serviceMs: readMs }
  if (!replicas) return { primary: [reads, creates, views] }
  return {
    primary: [creates, views],
    replica: [{ ...reads, perSecond: readsPerSecond * BUSIEST_REPLICA_SHARE }],
  }
}

export function simulateLoad(settings: Settings) {
  const { seed, primary } = settings
  const scenarios: Scenario[] = [false, true].flatMap((replicas) => [
    ...settings.isolates.map((isolates) => ({ batchedViews: true, replicas, isolates })),
    { batchedViews: false, replicas, isolates: 0 },
  ])
  return scenarios.map((scenario) => {
    const databases = (rate: number) => Object.entries(getJobs(rate, scenario, settings))
    const isStable = (jobs: readonly Job[]) => getUtilisation(jobs) < 1
    const tripMs = Math.min(...CITIES.map((city) => ROUND_TRIP_MS[city][primary]))
    const isResponsive = (jobs: readonly Job[]) => {
      const idle = jobs.slice(0, 1).map((job) => ({ ...job, perSecond: 0.001 }))
      const p99 = (load: readonly Job[]) => simulateQueue(load, { tripMs, seed })
      return isStable(jobs) && p99(jobs) < 2 * p99(idle)
    }
    const saturated = findLargestRate((rate) => databases(rate).every(([, jobs]) => isStable(jobs)))
    const busiest = databases(saturated).sort(([, a], [, b]) => getUtilisation(b) - getUtilisation(a))[0]
    return {
      ...scenario,
      readsPerSecond: saturated,
      createsPerSecond: saturated / settings.readsPerCreate,
      readsPerSecondAtTwiceP99: findLargestRate((rate) =>
        databases(rate).every(([, jobs]) => isResponsive(jobs)),
      ),
      busiest: busiest?.[0] ?? '',
    }
  })
}

/** Returns how many operations of each kind per second saturate the primary on its own. */
export const simulateEachOperation = (settings: Settings) =>
  OPERATIONS.filter(({ steps }) => steps.every(({ to }) => to !== 'replica' && to !== 'kv-hot'))
    .filter(({ name }) => name !== 'read, content in KV store')
    .map(({ name, steps, later = [] }) => ({
      operation: name,
      perSecond: 1000 / [...steps, ...later].reduce((sum, step) => sum + threadMs(step, settings), 0),
    }))
