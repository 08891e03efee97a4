import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleWorker, listFiles } from '../../scripts/build/worker.ts'
import {
  createAccount,
  type RunningWorker,
  startWorker,
  toModules,
  type WorkerModule,
} from '../../scripts/support/runtime.ts'

/** When the process dies: before or after its nth storage call. */
export interface Kill {
  readonly nth: number
  readonly moment: 'before' | 'after'
}

const SECRETS = { AUTH_SECRET: 'only for the service that is killed, 32 characters', RATE_LIMITS: 'off' }

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** How long calls may come after an answer. */
const MAX_DEFERRED_MS = 30_000

async function failAfter(message: string): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, MAX_DEFERRED_MS).unref())
  throw new Error(message)
}

/** The service in a process that can be killed in the middle of a request. It keeps its storage. */
export class KillableService {
  readonly #modules: readonly WorkerModule[]
  readonly #folder: string
  readonly #killer = createServer(() => this.#kill())
  #worker: RunningWorker | null = null
  #died: () => void = () => {}
  #accounts = 0
  kills = 0

  private constructor(modules: readonly WorkerModule[], folder: string) {
    this.#modules = modules
    this.#folder = folder
  }

  static async start(): Promise<KillableService> {
    const folder = await mkdtemp(join(tmpdir(), 'regent-kill-'))
    const build = await bundleWorker('test/faults/killable-worker.ts')
    const service = new KillableService(toModules(listFiles(build)), folder)
    await new Promise<void>((resolve) => service.#killer.listen(0, '127.0.0.1', resolve))
    await service.#restart()
    return service
  }

  async #restart(): Promise<void> {
    this.#worker = await startWorker(this.#modules, this.#folder, SECRETS)
  }

  #kill(): void {
    const pid = this.#worker?.pid
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
    this.kills += 1
    this.#died()
  }

  get #running(): RunningWorker {
    if (this.#worker === null) throw new Error('The service isn’t running')
    return this.#worker
  }

  /** Creates an account and returns its id and API key. */
  async createAccount(): Promise<{ readonly id: string; readonly key: string }> {
    const id = `account-${++this.#accounts}`
    return { id, key: await createAccount(this.#running.database, id) }
  }

  async queryNumber(sql: string, ...parameters: string[]): Promise<number> {
    const row = await this.#running.database
      .prepare(sql)
      .bind(...parameters)
      .first<{ n: number }>()
    return Number(row?.n)
  }

  send(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.#running.url + path, init)
  }

  /** Returns how many storage calls a request makes, those after its response included. */
  async countCalls(path: string, init: RequestInit): Promise<number> {
    const headers = new Headers(init.headers)
    headers.set('X-Count-Calls', '1')
    const response = await this.send(path, { ...init, headers })
    await response.body?.cancel()
    return Number(response.headers.get('X-Calls'))
  }

  /** Sends a request, kills the process in the middle, and starts it again. Returns null if there was no answer. */
  async sendAndKill(path: string, init: RequestInit, { nth, moment }: Kill): Promise<Response | null> {
    const dead = new Promise<void>((resolve) => {
      this.#died = resolve
    })
    const { port } = this.#killer.address() as AddressInfo
    const headers = new Headers(init.headers)
    headers.set('X-Kill-Url', `http://127.0.0.1:${port}`)
    headers.set('X-Kill', `${nth} ${moment}`)
    const answer = this.send(path, { ...init, headers }).then(
      async (response) => new Response(await response.arrayBuffer(), response),
    )
    const arrived = answer.catch(() => null)
    await Promise.race([dead, arrived.then(() => failAfter(`call ${nth} of ${path} never came`))])
    const { pid, stop } = this.#running
    while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 5))
    await stop().catch(() => {})
    this.#worker = null
    const result = await arrived
    await this.#restart()
    return result
  }

  async stop(): Promise<void> {
    await this.#worker?.stop()
    this.#killer.closeAllConnections()
    this.#killer.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
