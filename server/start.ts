import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener, RequestError } from '@hono/node-server'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { CommandError } from '../scripts/support/script.ts'
import { logError } from '../src/platform/log.ts'
import { Assets } from './assets.ts'
import { CLIENT, COMPRESSED, WORKER } from './build.ts'
import { Connections } from './connections.ts'
import type { SqliteNamespace } from './contents.ts'
import { SqliteDatabase } from './database.ts'
import { explainFaults, migrateFolder, openFiles } from './files.ts'
import { lockFolder, prepareFolder, readSecret } from './folder.ts'
import { Jobs } from './jobs.ts'
import { openMail } from './mail.ts'
import { createMetricsServer, Metrics } from './metrics.ts'
import { acceptRequest } from './proxy.ts'
import { MemoryRateLimit } from './rate-limits.ts'
import { getIconFile, isLoopbackHost, type Settings } from './settings.ts'
import { loadWorker, type Worker } from './worker.ts'

/** Requests that have begun may take so long when the server stops, and after that what they have deferred. */
const STOP_MS = 10_000

/** How many expired contents one run deletes, at most. */
const MAX_EXPIRED = 1_000

/** How many unused pages of 4 KiB one run gives back: about 10 ms, in which no request is answered. */
const SHRINK_PAGES = 1_000

/** A request that moves more bytes leaves much memory behind. */
const LARGE_BYTES = 1024 * 1024

const COLLECT_AFTER_MS = 1_000

export interface RunningServer {
  /** Has no trailing slash. */
  readonly url: string
  readonly metricsUrl: string | null
  /** The copy of the database that was made before a migration, if there is one. */
  readonly copy: string | null
  /** The bindings and variables that the app gets. */
  readonly env: Env
  /** Runs a scheduled job. */
  readonly runScheduled: (cron: string) => Promise<void>
  /** Finishes what has begun, and closes the files. */
  readonly stop: () => Promise<void>
}

interface Place {
  readonly host: string
  readonly port: number
  /** How to choose another port. */
  readonly portOption: string
}

function explainListenError(
  { code, message }: NodeJS.ErrnoException,
  { host, port, portOption }: Place,
): string {
  const reason = code ?? message
  if (/^(?:EADDRNOTAVAIL|EAFNOSUPPORT|ENOTFOUND|EAI_AGAIN)$/.test(reason))
    return `Can't listen on ${host}, which is no address of this machine (${reason}). Choose another one: --host HOST`
  const text = reason === 'EADDRINUSE' ? 'another program uses it' : reason
  return `Can't listen on ${host}, port ${port}: ${text}. Choose another port: ${portOption}`
}

/** @throws CommandError if it can't listen there. */
async function listen(server: Server, place: Place): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new CommandError(explainListenError(error, place))))
    server.listen(place.port, place.host, () => resolve(server.address() as AddressInfo))
  })
}

const formatUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** The work that goes on after an answer. */
class DeferredWork {
  readonly #work = new Set<Promise<unknown>>()

  add(work: Promise<unknown>): void {
    const ended = work
      .catch((error: unknown) => logError('deferred work failed', '', error))
      .finally(() => this.#work.delete(ended))
    this.#work.add(ended)
  }

  async finish(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work)
  }
}

/** Resolves once the work has ended, or after some time. */
async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, timeout])
  clearTimeout(timer)
}

/** Makes the body a stream of bytes, as on Workers. Who cancels it doesn't close the connection, which needs an answer. */
function withByteStream(request: Request, incoming: Readable): Request {
  let body: ReadableStream | undefined
  const open = () => {
    const chunks = incoming.iterator({ destroyOnReturn: false })
    return new ReadableStream({
      type: 'bytes',
      pull: async (controller) => {
        const { done, value } = await chunks.next()
        // Other chunks may lie in the same memory, which the stream takes over.
        if (!done) return controller.enqueue(new Uint8Array(value))
        controller.close()
        controller.byobRequest?.respond(0)
      },
    })
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    Object.defineProperty(request, 'body', { get: () => (body ??= open()) })
  return request
}

/**
 * V8 keeps the memory of large texts until it needs it itself. This gives it back once the last of them is done, which takes
 * 40 to 100 ms, in which no request is answered. Then V8 compiles again what hasn't been used for a while: after small
 * texts, that would cost more than it's worth.
 */
function createCollector(): () => void {
  let timer: NodeJS.Timeout | undefined
  const collect = () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  return () => {
    clearTimeout(timer)
    timer = setTimeout(collect, COLLECT_AFTER_MS).unref()
  }
}

/** Deletes expired contents, a few at a time. In between, requests get as much time as that took. */
async function deleteExpired(contents: SqliteNamespace, isStopping: () => boolean): Promise<void> {
  for (let deleted = 0; deleted < MAX_EXPIRED && !isStopping(); ) {
    const startedAt = performance.now()
    const count = await contents.deleteExpired(MAX_EXPIRED - deleted)
    if (count === 0) return
    deleted += count
    await sleep(performance.now() - startedAt)
  }
}

function createListener(
  {
    worker,
    env,
    assets,
    trustedProxies,
  }: {
    readonly worker: Worker
    readonly env: Env
    readonly assets: Assets
    readonly trustedProxies: Settings['trustedProxies']
  },
  { deferred, metrics }: { readonly deferred: DeferredWork; readonly metrics: Metrics },
) {
  const context = {
    waitUntil: (work: Promise<unknown>) => deferred.add(work),
    passThroughOnException: () => {},
    props: {},
  } as ExecutionContext
  // Assets have been compressed by the build, and what programs read keeps its strong tags, which compression would weaken.
  const compressPage = compress({ contentTypeFilter: /^text\/html\b/ })
  const app = new Hono()
    .onError((error) => {
      logError('request failed', '', error)
      return new Response('Internal server error\n', { status: 500 })
    })
    // Looking for an answer's type makes objects of all its headers, which programs would wait for in vain.
    .use((c, next) => (c.req.header('Accept')?.includes('text/html') ? compressPage(c, next) : next()))
    .all('*', async ({ req: { raw } }) => (await assets.find(raw)) ?? worker.fetch(raw, env, context))
  const listener = getRequestListener(
    (request, { incoming }) => app.fetch(withByteStream(request, incoming)),
    {
      errorHandler: (error) => {
        // A client's mistake, such as an address that is none, isn't logged: anybody could fill the log.
        if (!(error instanceof RequestError)) logError('request failed', '', error)
        return new Response('Bad request\n', { status: 400 })
      },
    },
  )
  const collectLater = createCollector()
  return (request: IncomingMessage, response: Parameters<typeof listener>[1]) => {
    const startedAt = performance.now()
    const { socket } = request
    const movedBefore = socket.bytesRead + socket.bytesWritten
    metrics.inFlight += 1
    response.once('close', () => {
      metrics.inFlight -= 1
      if (socket.bytesRead + socket.bytesWritten - movedBefore > LARGE_BYTES) collectLater()
      metrics.countRequest(request.method ?? '', response.statusCode, (performance.now() - startedAt) / 1_000)
    })
    acceptRequest(request, trustedProxies)
    return listener(request, response)
  }
}

/** Runs the server until it's stopped. Changes nothing outside its folder, and reads no environment. */
export async function startServer(settings: Settings): Promise<RunningServer> {
  const { folder, host, port, metricsPort } = settings
  const closing: (() => unknown)[] = []
  const closeAll = async () => {
    for (const close of closing.splice(0).toReversed()) await close()
  }
  try {
    await prepareFolder(folder)
    closing.push(
      await explainFaults(folder, () => lockFolder(folder, port === 0 ? host : formatUrl(host, port))),
    )
    const secret = settings.variables.AUTH_SECRET || (await readSecret(folder))
    const { database, contents, close } = await openFiles(folder)
    closing.push(close)
    const copy = await migrateFolder(folder, database)
    const assets = await Assets.open(CLIENT, COMPRESSED, getIconFile(settings.variables))
    const mail = settings.smtpUrl === null ? null : openMail(settings.smtpUrl)
    if (mail) closing.push(() => mail.close())
    const limits = Object.entries(settings.rateLimits).map(([name, policy]) => [
      name,
      new MemoryRateLimit(policy) satisfies RateLimit,
    ])
    const env: Env = Object.assign(Object.create(null), {
      ...settings.variables,
      AUTH_SECRET: secret,
      ...Object.fromEntries(limits),
      DB: new SqliteDatabase(database) satisfies D1Database,
      CONTENTS: contents,
      ASSETS: assets.binding,
      ...(mail && { EMAIL: mail.binding }),
    })
    const worker = await loadWorker(WORKER)
    const deferred = new DeferredWork()
    const metrics = new Metrics()
    let isStopping = false
    const runScheduled = async (cron: string) => {
      const noRetry = () => {}
      try {
        await worker.scheduled({ cron, scheduledTime: Date.now(), noRetry }, env)
      } finally {
        // KV deletes expired content by itself. So this happens even if a job fails, and on a read-only server.
        await deleteExpired(contents, () => isStopping)
        await contents.shrink(SHRINK_PAGES)
      }
    }
    const jobs = new Jobs({
      crons: settings.crons,
      run: (cron) =>
        runScheduled(cron).then(
          () => metrics.countJob(cron, 'ok'),
          (error: unknown) => {
            metrics.countJob(cron, 'failed')
            logError('scheduled jobs failed', `cron ${cron}`, error)
          },
        ),
    })
    const listener = createListener(
      { worker, env, assets, trustedProxies: settings.trustedProxies },
      { deferred, metrics },
    )
    let metricsUrl: string | null = null
    if (metricsPort !== null) {
      const metricsServer = createMetricsServer(metrics)
      const place = { host: '127.0.0.1', port: metricsPort, portOption: 'METRICS_PORT=N' }
      const { port: bound } = await listen(metricsServer, place)
      metricsUrl = `${formatUrl('127.0.0.1', bound)}/metrics`
      closing.push(() => metricsServer.close())
    }
    const server = createServer()
    const connections = new Connections(server, listener)
    const address = await listen(server, { host, port, portOption: '--port N' })
    closing.push(async () => {
      isStopping = true
      await waitAtMost(STOP_MS, connections.close())
      server.closeAllConnections()
      await waitAtMost(STOP_MS, Promise.all([deferred.finish(), jobs.stop()]))
    })
    const url = formatUrl(isLoopbackHost(host) ? host : address.address, address.port)
    jobs.start()
    return { url, metricsUrl, copy, env, runScheduled, stop: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}
