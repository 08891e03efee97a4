import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../../../scripts/support/script.ts'

export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly child: ChildProcess
  /** Resolves with the exit code, or the signal. */
  readonly ended: Promise<number | string | null>
  /** What it has printed. */
  readonly output: () => string
  /** What of that is on standard output. */
  readonly stdout: () => string
}

interface EndedProcess {
  readonly code: number | string | null
  readonly output: string
}

function launch(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  wrapper: readonly string[] = [],
) {
  const { PATH = '', TMPDIR = '' } = process.env
  const env: NodeJS.ProcessEnv = Object.assign(Object.create(null), {
    PATH,
    ...(TMPDIR && { TMPDIR }),
    REGENT_SETTINGS: '',
    RATE_LIMITS: 'off',
    ...environment,
  })
  const [program = '', ...rest] = [
    ...wrapper,
    process.execPath,
    ...flags,
    join(ROOT, 'server/run.js'),
    ...args,
  ]
  const child: ChildProcess = spawn(program, rest, {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let stdout = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk
    stdout += chunk
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('close', (code, signal) => resolve(signal ?? code)),
  )
  return { child, ended, output: () => output, stdout: () => stdout }
}

/** Runs a server that must not start, and returns what it printed. `wrapper` is a program that runs it, with arguments. */
export async function runToEnd(
  args: readonly string[],
  environment = {},
  wrapper: readonly string[] = [],
): Promise<EndedProcess> {
  const { ended, output } = launch(args, environment, [], wrapper)
  return { code: await ended, output: output() }
}

/** Starts a server in a process of its own, for what ends a process. `flags` are Node's, and `wrapper` is as above. */
export async function startProcess(
  folder: string,
  environment = {},
  flags: readonly string[] = [],
  wrapper: readonly string[] = [],
): Promise<ServerProcess> {
  const launched = launch(['--data', folder], { PORT: '0', ...environment }, flags, wrapper)
  const { child, ended, output } = launched
  const started = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const url = /"server started","url":"([^"]+)"/.exec(output())?.[1]
      if (url !== undefined) resolve(url)
    })
    ended.then(() => reject(new Error(`The server ended: ${output()}`)), reject)
  })
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { ...launched, url: await started, [Symbol.asyncDispose]: stop }
}
