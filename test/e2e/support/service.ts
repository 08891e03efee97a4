import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { inject, vi } from 'vitest'
import { findEmailedLink } from '../../../scripts/support/launch.ts'
import type { Bindings } from '../../../scripts/support/storage.ts'
import { ROOT } from '../../../scripts/support/wrangler.ts'
import { GITHUB_APP } from '../../support/fake-github/control.ts'
import { addAccount } from './accounts.ts'
import { AUTH_SECRET } from './session.ts'
import { createFolder, startTestServer } from './test-server.js'

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

export interface Service {
  readonly base: string
  /** Its database and its contents. */
  readonly env: Bindings
  /** The folder of its data, for commands. */
  readonly folder: string
  /** The key of the account "demo". */
  readonly demoKey: string
  /** Returns the link of the latest email to an address, once it's sent. */
  readonly mailedLink: (to: string) => Promise<string>
}

/** The emails that the server has printed. */
let emails = ''

/** Keeps emails, and prints everything else. */
function keepEmails(): void {
  const { log } = console
  if (log.name === 'keepEmail') return
  console.log = function keepEmail(...values: unknown[]) {
    const [text] = values
    if (typeof text === 'string' && text.startsWith('\nEmail to ')) emails += text
    else log(...values)
  }
}

async function start(): Promise<Service> {
  const folder = await createFolder()
  const gitHub = inject('gitHubUrl')
  const { url: base, env } = await startTestServer(
    {
      AUTH_SECRET,
      GITHUB_URL: gitHub,
      GITHUB_API_URL: gitHub,
      GITHUB_CLIENT_ID: GITHUB_APP.clientId,
      GITHUB_CLIENT_SECRET: GITHUB_APP.clientSecret,
      MAIL_FROM: 'terminal',
    },
    folder,
  )
  const findLink = (to: string) => findEmailedLink(emails, base, to)
  return {
    base,
    env,
    folder,
    demoKey: (await addAccount(env, 'demo')).key,
    mailedLink: async (to) => {
      // The response to the form may arrive before the email is sent.
      await vi.waitUntil(() => findLink(to) !== undefined, { timeout: 10_000 })
      return findLink(to) ?? ''
    },
  }
}

/** The server of this process, which runs many test files. It ends with the process. */
let service: Promise<Service> | undefined

/** Returns the server that test files share; its accounts and documents are visible to all of them. */
export function startService(): Promise<Service> {
  keepEmails()
  service ??= start()
  return service
}
