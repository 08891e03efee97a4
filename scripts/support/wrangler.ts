import { type SpawnOptions, spawn } from 'node:child_process'
import { join } from 'node:path'
import { writeConfig } from './config.ts'
import { CommandError, ROOT } from './script.ts'

export { CommandError, ROOT, runCommand, runScript } from './script.ts'

/** Returns true if the options of wrangler choose a configuration. */
const namesConfig = (args: readonly string[]): boolean =>
  args.some((arg) => arg === '-c' || /^--config(=|$)/.test(arg))

/**
 * Keeps wrangler to its task. It would record URLs and statements, which contain passwords and tokens, in files that every
 * user of the machine can read, and its local explorer gives the whole database to everyone who can reach the server.
 */
const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_WRITE_LOGS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  X_LOCAL_OBSERVABILITY: 'false',
  X_LOCAL_EXPLORER: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

/** Starts this project's wrangler, whichever one is on PATH, with the configuration that takes effect. */
export function startWrangler(args: readonly string[], { env, ...options }: SpawnOptions = {}) {
  const config = namesConfig(args) ? [] : ['--config', writeConfig()]
  const command = [join(ROOT, 'node_modules/wrangler/bin/wrangler.js'), ...args, ...config]
  return spawn(process.execPath, command, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...QUIET, ...process.env, ...env },
    ...options,
  })
}

/** The output of wrangler, and its exit code. */
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

/**
 * Explains a failure for which wrangler tells a program what it would ask a person: it isn't signed in, or knows several
 * accounts. Returns null for any other.
 */
export function explainSignIn({ stdout, stderr }: Pick<WranglerOutput, 'stdout' | 'stderr'>): string | null {
  const text = `${stderr}\n${stdout}`
  if (/set a CLOUDFLARE_API_TOKEN|not (logged in|authenticated)|Did not login/i.test(text))
    return "Wrangler isn't signed in to Cloudflare. Run: npx wrangler login"
  if (!text.includes('More than one account available')) return null
  const accounts = [...text.matchAll(/`([^`]+)`: `([0-9a-f]{32})`/g)].map(
    ([, name, id]) => `  ${id}  ${name}`,
  )
  return `Wrangler is signed in to several accounts. Choose one: put its id into regent.toml, as account_id = "…".
${accounts.join('\n')}`
}

/** Throws a CommandError if wrangler failed because it isn't signed in, or to several accounts. */
export function requireSignedIn(output: WranglerOutput): void {
  const reason = output.code === 0 ? null : explainSignIn(output)
  if (reason !== null) throw new CommandError(reason)
}
