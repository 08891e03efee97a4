import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { ROOT } from './wrangler.ts'

/** Returns a port that nothing listens on. */
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

async function waitForExit(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => child.once('exit', resolve))
}

interface LaunchOptions {
  /** Where the service keeps its database. */
  readonly folder: string
  /** Further options of `npm run dev`. */
  readonly options: readonly string[]
  /** Environment variables that it has besides those of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** Called with each piece of output. */
  readonly onOutput: (chunk: string) => void
}

/** Starts the service as `npm run dev` does, and waits until it says that it is ready. It gives up by itself. */
export async function launchService({ folder, options, env, onOutput }: LaunchOptions) {
  const port = await freePort()
  // All requests come from this machine, more than one person would send.
  const limits = ['--var', 'RATE_LIMITS:off']
  const args = ['scripts/dev.ts', '--port', String(port), '--persist-to', folder, ...limits, ...options]
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let printed = ''
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      const text = String(chunk)
      printed += text
      onOutput(text)
      if (printed.includes('Ctrl+C')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => reject(new Error(`ended:\n${printed}`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await waitForExit(child)
  }
  try {
    await ready
  } catch (error) {
    await stop()
    throw error
  }
  return { base: `http://127.0.0.1:${port}`, stop }
}

/** Returns the link in the latest email to an address, in what a service has printed. */
export function findEmailedLink(printed: string, base: string, to: string): string | undefined {
  const start = printed.lastIndexOf(`Email to ${to}:`)
  if (start === -1) return undefined
  return printed
    .slice(start)
    .split('\n')
    .find((line) => line.startsWith(`${base}/`))
}
