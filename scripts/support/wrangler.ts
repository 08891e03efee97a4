import { type SpawnOptions, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** An error that the person at the terminal can fix. They see its message and nothing else. */
export class CommandError extends Error {}

/** Runs a command and returns its exit code. A CommandError prints one line. */
export async function runCommand(
  command: () => Promise<void>,
  printError: (text: string) => void,
): Promise<number> {
  try {
    await command()
    return 0
  } catch (error) {
    if (!(error instanceof CommandError) && !isUsageError(error)) throw error
    printError(`${error.message}\n`)
    return 1
  }
}

/** Runs a script's main function. A CommandError prints one line and sets exit code 1. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  const code = await runCommand(main, (text) => process.stderr.write(text))
  if (code !== 0) process.exitCode = code
}

/** Recognizes what `util.parseArgs` throws for unknown or incomplete options. */
const isUsageError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

/** Starts this project's wrangler, whichever one is on PATH. */
export function startWrangler(args: readonly string[], { env, ...options }: SpawnOptions = {}) {
  return spawn(process.execPath, [join(ROOT, 'node_modules/wrangler/bin/wrangler.js'), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', ...process.env, ...env },
    ...options,
  })
}

/** What wrangler printed, and its exit code. */
export interface WranglerOutput {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs wrangler until it exits and returns what it printed. */
export async function runWrangler(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<WranglerOutput> {
  const child = startWrangler(args, { stdio: ['ignore', 'pipe', 'pipe'], env })
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
