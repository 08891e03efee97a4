import {
  BUSIEST_REPLICA,
  CITIES,
  GATHER_SECONDS,
  NETWORK_JITTER,
  OPERATIONS,
  OVERHEAD_MS,
  ROUND_TRIP_MS,
  type Settings,
  threadMs,
  VIEW_ROW_MS,
} from './platform.ts'
import { exponential, quantile, randomFrom, sample } from './random.ts'

interface Job {
  readonly perSecond: number
  readonly serviceMs: number
}

/** Part of the time that the thread is busy; at 1 the queue grows for ever. */
const utilisation = (jobs: readonly Job[]) =>
  jobs.reduce((sum, { perSecond, serviceMs }) => sum + (perSecond * serviceMs) / 1000, 0)

/**
 * The p99 of the first kind of job in ms, as a Worker sees it whose round trip to the database is `tripMs`.
 * D1 docs, "FAQs": a database "is inherently single-threaded, and processes queries one at a time"; what is too
 * much is queued, then refused as "overloaded". So M/G/1: Poisson arrivals, as they are from many isolates, and
 * a mixture of service times, each kind of job exponential around its mean.
 */
function simulateQueue(jobs: readonly Job[], { tripMs, seed }: { tripMs: number; seed: number }): number {
  const random = randomFrom(seed)
  const perSecond = jobs.reduce((sum, job) => sum + job.perSecond, 0)
  const times: number[] = []
  let waitMs = 0
  for (let arrival = 0; arrival < 60_000; arrival++) {
    let pick = random() * perSecond
    const kind = jobs.findIndex((job) => {
      pick -= job.perSecond
      return pick < 0
    })
    const serviceMs = exponential(random, jobs[kind]?.serviceMs ?? 0)
    if (kind === 0) times.push(tripMs * sample(random, NETWORK_JITTER) + OVERHEAD_MS + waitMs + serviceMs)
    // Lindley: who comes next waits for what is left of this one's wait and service.
    waitMs = Math.max(0, waitMs + serviceMs - exponential(random, 1000 / perSecond))
  }
  return quantile(times, 0.99)
}

/** The largest rate that `holds`, which it does up to some rate and never above; within 0.2%. */
function largest(holds: (perSecond: number) => boolean): number {
  let [low, high] = [0, 1_000_000]
  while (high - low > Math.max(0.1, low / 500)) {
    const middle = low === 0 ? high / 8 : (low + high) / 2
    if (holds(middle)) low = middle
    else high = middle
  }
  return low
}

interface Plan {
  readonly coalesced: boolean
  readonly replicas: boolean
  readonly isolates: number
}

/** Jobs of the primary, and of the busiest replica, which is taken to replay changes for nothing. */
function jobsAt(readsPerSecond: number, { coalesced, replicas, isolates }: Plan, settings: Settings) {
  const { readMs, writeMs, readsPerCreate } = settings
  // An isolate gathers from its next view on, and only then: few views in many isolates are not gathered much.
  const flushes = coalesced ? isolates / (GATHER_SECONDS + isolates / readsPerSecond) : readsPerSecond
  const views: Job = {
    perSecond: flushes,
    serviceMs: writeMs + (readsPerSecond / flushes - 1) * VIEW_ROW_MS,
  }
  const creates: Job = { perSecond: readsPerSecond / readsPerCreate, serviceMs: writeMs }
  const reads: Job = { perSecond: readsPerSecond, serviceMs: readMs }
  if (!replicas) return { primary: [reads, creates, views] }
  return {
    primary: [creates, views],
    replica: [{ ...reads, perSecond: readsPerSecond * BUSIEST_REPLICA }],
  }
}

export function simulateLoad(settings: Settings) {
  const { seed, primary } = settings
  const plans: Plan[] = [false, true].flatMap((replicas) => [
    ...settings.isolates.map((isolates) => ({ coalesced: true, replicas, isolates })),
    { coalesced: false, replicas, isolates: 0 },
  ])
  return plans.map((plan) => {
    const databases = (rate: number) => Object.entries(jobsAt(rate, plan, settings))
    const bears = (jobs: readonly Job[]) => utilisation(jobs) < 1
    const tripMs = Math.min(...CITIES.map((city) => ROUND_TRIP_MS[city][primary]))
    const calm = (jobs: readonly Job[]) => {
      const alone = jobs.slice(0, 1).map((job) => ({ ...job, perSecond: 0.001 }))
      const p99 = (load: readonly Job[]) => simulateQueue(load, { tripMs, seed })
      return bears(jobs) && p99(jobs) < 2 * p99(alone)
    }
    const saturated = largest((rate) => databases(rate).every(([, jobs]) => bears(jobs)))
    const busiest = databases(saturated).sort(([, a], [, b]) => utilisation(b) - utilisation(a))[0]
    return {
      ...plan,
      readsPerSecond: saturated,
      createsPerSecond: saturated / settings.readsPerCreate,
      readsPerSecondAtTwiceP99: largest((rate) => databases(rate).every(([, jobs]) => calm(jobs))),
      busiest: busiest?.[0] ?? '',
    }
  })
}

/** How many of one kind a second the primary bears when there is nothing else. */
export const loadOfEach = (settings: Settings) =>
  OPERATIONS.filter(({ steps }) => steps.every(({ to }) => to !== 'replica' && to !== 'kv-hot'))
    .filter(({ name }) => name !== 'read, content in KV, cold')
    .map(({ name, steps, later = [] }) => ({
      operation: name,
      perSecond: 1000 / [...steps, ...later].reduce((sum, step) => sum + threadMs(step, settings), 0),
    }))
