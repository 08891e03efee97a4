import autocannon, { type Request } from 'autocannon'
import type { RunningWorker } from './worker.ts'

export interface Measurement {
  readonly cpuMicrosecondsPerRequest: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface LoadTestOptions {
  readonly request: Request
  readonly expectedStatus: number
  readonly connections: number
  readonly seconds: number
}

/** Sends one request over and over. Throws if any response has another status than expected. */
export async function runLoadTest(
  worker: RunningWorker,
  { request, expectedStatus, connections, seconds }: LoadTestOptions,
): Promise<Measurement> {
  const before = await worker.cpuSeconds()
  const result = await autocannon({ url: worker.url, connections, duration: seconds, requests: [request] })
  const cpuSeconds = (await worker.cpuSeconds()) - before
  const responses = result.statusCodeStats as Record<string, { count: number }>
  const total = Object.values(responses).reduce((sum, { count }) => sum + count, 0)
  const expected = responses[String(expectedStatus)]?.count ?? 0
  if (result.errors > 0 || total === 0 || expected !== total) {
    throw new Error(`expected only ${expectedStatus}: ${JSON.stringify(responses)}, ${result.errors} errors`)
  }
  return {
    cpuMicrosecondsPerRequest: (cpuSeconds / total) * 1e6,
    requestsPerSecond: total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  }
}
