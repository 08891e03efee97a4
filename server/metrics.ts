import { createServer, type Server } from 'node:http'

/** Figures for Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats), at an address of their own. */

const PREFIX = 'regent_'

/** Counts what the server does. */
export class Metrics {
  /** Counts by method and status. */
  readonly #requests = new Map<string, number>()
  /** Counts by cron expression and outcome. */
  readonly #jobs = new Map<string, number>()
  #requestSeconds = 0
  inFlight = 0

  countRequest(method: string, status: number, seconds: number): void {
    // Clients can make up methods, and each would be a series of its own.
    const known = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) ? method : 'other'
    const labels = `{method="${known}",status="${status}"}`
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1)
    this.#requestSeconds += seconds
  }

  countJob(cron: string, outcome: 'ok' | 'failed'): void {
    const labels = `{cron="${cron.replaceAll('"', '')}",outcome="${outcome}"}`
    this.#jobs.set(labels, (this.#jobs.get(labels) ?? 0) + 1)
  }

  format(): string {
    const { rss } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    return [
      describe('requests_total', 'counter', 'Requests that were answered.', this.#requests),
      describe(
        'request_seconds_total',
        'counter',
        'Time until requests were answered.',
        this.#requestSeconds,
      ),
      describe('requests_in_flight', 'gauge', 'Requests that are being answered.', this.inFlight),
      describe('jobs_total', 'counter', 'Runs of the scheduled jobs.', this.#jobs),
      describe('cpu_seconds_total', 'counter', 'CPU time of the process.', (user + system) / 1e6),
      describe('resident_memory_bytes', 'gauge', 'Memory of the process.', rss),
      describe('uptime_seconds', 'gauge', 'Time since the start of the process.', process.uptime()),
    ].join('')
  }
}

function describe(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  value: number | ReadonlyMap<string, number>,
): string {
  const series = typeof value === 'number' ? [['', value] as const] : [...value]
  const lines = series.map(([labels, number]) => `${PREFIX}${name}${labels} ${number}\n`)
  return `# HELP ${PREFIX}${name} ${help}\n# TYPE ${PREFIX}${name} ${type}\n${lines.join('')}`
}

/** Answers on the loopback address only. */
export const createMetricsServer = (metrics: Metrics): Server =>
  createServer(({ url, method }, response) => {
    const isAsked = url === '/metrics' && (method === 'GET' || method === 'HEAD')
    response.writeHead(isAsked ? 200 : 404, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
    response.end(isAsked && method === 'GET' ? metrics.format() : undefined)
  })
