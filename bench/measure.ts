import autocannon, { type Request } from 'autocannon'
import type { RunningWorker } from './worker.ts'

export interface Measurement {
  readonly cpuMicrosecondsPerRequest: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface MeasureOptions {
  readonly request: Request
  readonly status: number
  readonly connections: number
  readonly seconds: number
}

/** Drives one Worker for some seconds. Throws when any answer was not the expected one. */
export async function measure(
  worker: RunningWorker,
  { request, status, connections, seconds }: MeasureOptions,
): Promise<Measurement> {
  const before = await worker.cpuSeconds()
  const result = await autocannon({ url: worker.url, connections, duration: seconds, requests: [request] })
  const cpuSeconds = (await worker.cpuSeconds()) - before
  const answers = result.statusCodeStats as Record<string, { count: number }>
  const total = Object.values(answers).reduce((sum, { count }) => sum + count, 0)
  const expected = answers[String(status)]?.count ?? 0
  if (result.errors > 0 || total === 0 || expected !== total) {
    throw new Error(`expected ${status} only: ${JSON.stringify(answers)}, ${result.errors} errors`)
  }
  return {
    cpuMicrosecondsPerRequest: (cpuSeconds / total) * 1e6,
    requestsPerSecond: total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  }
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
