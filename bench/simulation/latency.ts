import {
  CITIES,
  type City,
  KV_CENTRES,
  KV_HOT_MS,
  KV_STORE_MS,
  NETWORK_JITTER,
  OPERATIONS,
  OVERHEAD_MS,
  REGIONS,
  type Region,
  ROUND_TRIP_MS,
  type Settings,
  type Step,
  threadMs,
} from './platform.ts'
import { exponential, quantile, type Random, randomFrom, sample } from './random.ts'

function sampleStep(random: Random, step: Step, city: City, settings: Settings): number {
  const trip = (...regions: readonly Region[]) =>
    Math.min(...regions.map((region) => ROUND_TRIP_MS[city][region])) * sample(random, NETWORK_JITTER)
  if (step.to === 'kv-hot') return sample(random, KV_HOT_MS)
  if (step.to === 'kv-centre') return trip(...KV_CENTRES) + sample(random, KV_STORE_MS)
  const regions = step.to === 'replica' ? REGIONS : [settings.primary]
  return trip(...regions) + OVERHEAD_MS + exponential(random, threadMs(step, settings))
}

const SAMPLES = 10_000

/**
 * How long the Worker of a city needs, from request to response, with nobody else about. What lies between
 * the reader and the Worker is left out: it is the same for all.
 */
export function simulateLatency(settings: Settings) {
  const random = randomFrom(settings.seed)
  return OPERATIONS.map(({ name, steps }) => ({
    operation: name,
    cities: CITIES.map((city) => {
      const times = Array.from({ length: SAMPLES }, () =>
        steps.reduce((total, step) => total + sampleStep(random, step, city, settings), 0),
      )
      return { city, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) }
    }),
  }))
}
