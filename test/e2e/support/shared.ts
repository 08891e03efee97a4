import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { hasBrowser, NO_BROWSER, prepareBrowser } from '../../../scripts/support/browser.ts'
import { launchService } from '../../../scripts/support/launch.ts'
import { GITHUB_APP } from '../../support/fake-github/control.ts'
import { startFakeGitHub } from '../../support/fake-github/server.ts'
import { saveAddress } from './database.ts'
import { AUTH_SECRET } from './session.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The service and its GitHub, which test files share unless they need their own. */
    shared: {
      readonly base: string
      readonly folder: string
      readonly log: string
      readonly gitHub: string
    }
  }
}

/** Starts one service for all browser tests: starting it takes longer than most tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Here, so that the workers don't each unpack one.
  if (hasBrowser()) await prepareBrowser()
  else project.vitest.logger.warn(`Browser tests are skipped. ${NO_BROWSER}`)
  const folder = await mkdtemp(join(tmpdir(), 'regent-'))
  const log = join(folder, 'output.log')
  const output = createWriteStream(log)
  const gitHub = await startFakeGitHub()
  const vars = {
    AUTH_SECRET,
    GITHUB_URL: gitHub.url,
    GITHUB_API_URL: gitHub.url,
    GITHUB_CLIENT_ID: GITHUB_APP.clientId,
    GITHUB_CLIENT_SECRET: GITHUB_APP.clientSecret,
  }
  const options = Object.entries(vars).flatMap(([name, value]) => ['--var', `${name}:${value}`])
  const service = await launchService({
    folder,
    options,
    // The tests query its database through wrangler's local explorer.
    env: { X_LOCAL_EXPLORER: 'true' },
    onOutput: (chunk) => output.write(chunk),
  })
  saveAddress(folder, service.base)
  project.provide('shared', {
    base: service.base,
    folder,
    log,
    gitHub: gitHub.url,
  })
  return async () => {
    await Promise.all([service.stop(), gitHub.stop()])
    output.end()
    await rm(folder, { recursive: true, force: true })
  }
}
