import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startBrowserServer } from '../../../scripts/browser.ts'
import { launchService } from './launch.ts'
import { WITH_SECRET } from './secret-option.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The service and the browser that test files share, unless they need their own. */
    shared: { readonly base: string; readonly folder: string; readonly log: string; readonly browser: string }
  }
}

/** Starts one service and one browser for all browser tests: starting either takes longer than most tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'regent-'))
  const log = join(folder, 'output.log')
  const output = createWriteStream(log)
  const [service, browser] = await Promise.all([
    launchService({ folder, options: WITH_SECRET, onOutput: (chunk) => output.write(chunk) }),
    startBrowserServer(),
  ])
  project.provide('shared', { base: service.base, folder, log, browser: browser.wsEndpoint() })
  return async () => {
    await Promise.all([browser.close(), service.stop()])
    output.end()
    await rm(folder, { recursive: true, force: true })
  }
}
