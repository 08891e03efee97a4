import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { inject, vi } from 'vitest'
import { findEmailedLink } from '../../../scripts/support/launch.ts'
import { launchService, ROOT } from './launch.ts'
import { WITH_SECRET } from './secret-option.ts'

export { freePort, ROOT } from './launch.ts'

const run = promisify(execFile)

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

/** Runs a line as if it were pasted into a terminal, and returns what it prints. */
export const runInShell = async (line: string): Promise<string> => (await run('bash', ['-c', line])).stdout

/** Returns the curl commands that a service has printed. */
export const findCurls = (printed: string): string[] =>
  printed.split('\n').filter((line) => line.startsWith('curl '))

export interface Service {
  readonly base: string
  /** The folder of its database. */
  readonly folder: string
  /** Returns everything it has printed. */
  readonly printed: () => string
  /** Returns the link of the latest email to an address, once it's printed. */
  readonly mailedLink: (to: string) => Promise<string>
  readonly stop: () => Promise<void>
}

function linkReader(base: string, printed: () => string) {
  return async (to: string): Promise<string> => {
    const link = () => findEmailedLink(printed(), base, to)
    // The response to the form may arrive before the terminal's line.
    await vi.waitUntil(() => link() !== undefined, { timeout: 10_000 })
    return link() ?? ''
  }
}

/** Returns the service that all test files share; its accounts and documents are visible to all of them. */
function sharedService(): Service {
  const { base, folder, log } = inject('shared')
  const printed = () => readFileSync(log, 'utf8')
  return { base, folder, printed, mailedLink: linkReader(base, printed), stop: async () => {} }
}

/**
 * Returns a running service: the shared one, or a new one for a test file that needs its own database.
 *
 * @param folder the folder of its own database.
 */
export async function startService(folder?: string): Promise<Service> {
  if (folder === undefined) return sharedService()
  let output = ''
  const onOutput = (chunk: string) => {
    output += chunk
  }
  const { base, stop } = await launchService({ folder, options: WITH_SECRET, onOutput })
  return {
    base,
    folder,
    printed: () => output,
    mailedLink: linkReader(base, () => output),
    stop,
  }
}
