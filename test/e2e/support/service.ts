import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { inject, vi } from 'vitest'
import { findEmailedLink } from '../../../scripts/support/launch.ts'
import { ROOT } from '../../../scripts/support/wrangler.ts'

export { freePort } from '../../../scripts/support/launch.ts'
export { ROOT } from '../../../scripts/support/wrangler.ts'

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
}

/** Returns the service that all test files share; its accounts and documents are visible to all of them. */
export async function startService(): Promise<Service> {
  const { base, folder, log } = inject('shared')
  const printed = () => readFileSync(log, 'utf8')
  const findLink = (to: string) => findEmailedLink(printed(), base, to)
  return {
    base,
    folder,
    printed,
    mailedLink: async (to) => {
      // The response to the form may arrive before the terminal's line.
      await vi.waitUntil(() => findLink(to) !== undefined, { timeout: 10_000 })
      return findLink(to) ?? ''
    },
  }
}
