import { type SpawnOptions, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A failure that the person at the terminal can do something about: its message is all they see. */
export class CommandError extends Error {}

/** Runs a script's main function; a CommandError ends it with one line and exit code 1. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof CommandError) && !isUsageError(error)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

/** What `util.parseArgs` throws for options that do not exist. */
const isUsageError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

/** Starts wrangler, the one of this project, whatever is on PATH. */
export function startWrangler(args: readonly string[], options: SpawnOptions = {}) {
  return spawn(process.execPath, [join(ROOT, 'node_modules/wrangler/bin/wrangler.js'), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', ...process.env },
    ...options,
  })
}

interface Output {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs wrangler to its end and returns what it printed. */
export async function runWrangler(args: readonly string[]): Promise<Output> {
  const child = startWrangler(args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const read = async (stream: AsyncIterable<Buffer> | null) => {
    const chunks: Buffer[] = []
    for await (const chunk of stream ?? []) chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8')
  }
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
  const [stdout, stderr, code] = await Promise.all([read(child.stdout), read(child.stderr), ended])
  return { code, stdout, stderr }
}
