import {
  CITIES,
  type City,
  KV_CENTRAL_REGIONS,
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
import { createRandom, quantile, type Random, sampleExponential, sampleLogNormal } from './random.ts'

function sampleStepMs(random: Random, step: Step, city: City, settings: Settings): number {
  const trip = (...regions: readonly Region[]) =>
    Math.min(...regions.map((region) => ROUND_TRIP_MS[city][region])) *
    sampleLogNormal(random, NETWORK_JITTER)
  if (step.to === 'kv-hot') return sampleLogNormal(random, KV_HOT_MS)
  if (step.to === 'kv-centre') return trip(...KV_CENTRAL_REGIONS) + sampleLogNormal(random, KV_STORE_MS)
  const regions = step.to === 'replica' ? REGIONS : [settings.primary]
  return trip(...regions) + OVERHEAD_MS + sampleExponential(random, threadMs(step, settings))
}

const SAMPLES = 10_000

/**
 * Returns how long a Worker in each city takes from request to response, without any other load. The time between
 * the viewer and the Worker isn't included, because it is the same for every operation.
 */
export function simulateLatency(settings: Settings) {
  const random = createRandom(settings.seed)
  return OPERATIONS.map(({ name, steps }) => ({
    operation: name,
    cities: CITIES.map((city) => {
      const times = Array.from({ length: SAMPLES }, () =>
        steps.reduce((total, step) => total + sampleStepMs(random, step, city, settings), 0),
      )
      return { city, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) }
    }),
  }))
}
