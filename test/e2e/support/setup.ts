import type { TestProject } from 'vitest/node'
import { hasBrowser, NO_BROWSER, prepareBrowser } from '../../../scripts/support/browser.ts'
import { ensureBuilt } from '../../../server/build.ts'

/** Makes what the workers use, so that they don't each make it. */
export default async function setup({ vitest }: TestProject): Promise<void> {
  if (hasBrowser()) await prepareBrowser()
  else vitest.logger.warn(`Browser tests are skipped. ${NO_BROWSER}`)
  await ensureBuilt((text) => vitest.logger.log(text))
}
