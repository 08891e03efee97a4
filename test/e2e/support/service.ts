import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { vi } from 'vitest'

const run = promisify(execFile)

export const ROOT = new URL('../../..', import.meta.url).pathname

const STARTS_WITHIN_MS = 90_000

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs one of the project's commands to its end. */
export async function command(script: string, ...args: string[]): Promise<Result> {
  try {
    const { stdout, stderr } = await run(process.execPath, [`scripts/${script}.ts`, ...args], { cwd: ROOT })
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as Result
    return { code, stdout, stderr }
  }
}

export interface Service {
  readonly base: string
  /** Where its database is. */
  readonly folder: string
  /** All it has printed. */
  readonly printed: () => string
  /** The link of the latest mail to an address, which is printed once it is sent. */
  readonly mailedLink: (to: string) => Promise<string>
  readonly stop: () => Promise<void>
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => child.once('exit', resolve))
}

/** Starts the service as `npm run dev` does, and waits until it says where it is. */
export async function startService(folder?: string, options: readonly string[] = []): Promise<Service> {
  const port = await freePort()
  const persistTo = folder ?? (await mkdtemp(join(tmpdir(), 'regent-')))
  const args = ['scripts/dev.ts', '--port', String(port), '--persist-to', persistTo, ...options]
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not started:\n${printed}`)), STARTS_WITHIN_MS)
    const read = (chunk: Buffer) => {
      printed += chunk
      if (printed.includes('Ctrl+C stops it')) {
        clearTimeout(timer)
        resolve()
      }
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => {
      clearTimeout(timer)
      reject(new Error(`ended:\n${printed}`))
    })
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended(child)
    if (folder === undefined) await rm(persistTo, { recursive: true, force: true })
  }
  try {
    await ready
  } catch (error) {
    await stop()
    throw error
  }
  const mailedLink = async (to: string) => {
    const base = `http://127.0.0.1:${port}`
    const link = () => {
      const mail = printed.slice(printed.lastIndexOf(`Mail to ${to}:`))
      return mail.split('\n').find((line) => line.startsWith(`${base}/`) && mail.startsWith('Mail'))
    }
    // The answer to the form may be there before the terminal's line.
    await vi.waitUntil(() => link() !== undefined, { timeout: 10_000 })
    return link() ?? ''
  }
  return { base: `http://127.0.0.1:${port}`, folder: persistTo, printed: () => printed, mailedLink, stop }
}
