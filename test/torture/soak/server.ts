import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { CommandError } from '../../../scripts/support/wrangler.ts'

const START_TIMEOUT_MS = 60_000
const MAX_PRINTED = 4_000
const REQUEST_TIMEOUT_MS = 20_000

export interface SoakAnswer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

/** What the traffic needs to know of a service. */
export type SoakTarget = Pick<SoakServer, 'send' | 'epoch' | 'faultRate' | 'lastFaultyEpoch'>

/** The service in a process group of its own, which can be killed and started again on the same storage. */
export class SoakServer {
  readonly #folder: string
  #child: ChildProcess | null = null
  #urls: readonly string[] = []
  #up: Promise<readonly string[]> = Promise.resolve([])
  /** Counts the starts. */
  epoch = 0
  /** The share of storage calls that fail, lose their answers or come late. */
  faultRate = 0
  lastFaultyEpoch = -1

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Starts the service, and returns the API keys of the accounts that it created. */
  start(faultRate: number, accounts = 0): Promise<readonly string[]> {
    this.epoch += 1
    this.faultRate = faultRate
    if (faultRate > 0) this.lastFaultyEpoch = this.epoch
    const args = [join(import.meta.dirname, 'service.ts'), this.#folder, String(faultRate), String(accounts)]
    const child = spawn(process.execPath, args, {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    // The service logs every injected fault. Only what it prints when it can't start is of interest.
    let printed = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      printed = (printed + String(chunk)).slice(-MAX_PRINTED)
    })
    this.#child = child
    this.#up = new Promise((resolve, reject) => {
      const fail = () => reject(new CommandError(`The service didn't start:\n${printed}`))
      const timer = setTimeout(fail, START_TIMEOUT_MS)
      child.once('exit', fail)
      child.once('message', (message) => {
        clearTimeout(timer)
        const { urls, keys } = message as { urls: readonly string[]; keys: readonly string[] }
        this.#urls = urls
        resolve(keys)
      })
    })
    return this.#up
  }

  /** Kills the service as a crash does: nothing gets the chance to finish. */
  async kill(): Promise<void> {
    const child = this.#child
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    process.kill(-child.pid, 'SIGKILL')
    await ended
  }

  /** Runs the scheduled trigger, unless the service is just being killed. */
  runScheduled(): void {
    // Without a callback, a message to a process that has died would end this one.
    if (this.#child?.connected) this.#child.send('scheduled', () => {})
  }

  /** Sends a request to one of the two Workers, once the service is up. Returns null if there is no answer. */
  async send(path: string, init: RequestInit = {}, worker = 0): Promise<SoakAnswer | null> {
    await this.#up
    try {
      const base = this.#urls[worker % this.#urls.length] ?? ''
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
      const response = await fetch(base + path, { redirect: 'manual', signal, ...init })
      return { status: response.status, text: await response.text(), headers: response.headers }
    } catch {
      return null
    }
  }
}
