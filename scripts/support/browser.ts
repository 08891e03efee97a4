import { existsSync } from 'node:fs'
import { type Browser, chromium as playwright } from 'playwright-core'

const SYSTEM_FONTS = '/etc/fonts'

async function launchOptions() {
  // If this is set, the package uses its own libraries, because a bare system lacks some.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs24.x'
  // The package has one proportional font. With the system's fonts, pages look as they do for users.
  if (existsSync(`${SYSTEM_FONTS}/fonts.conf`)) process.env.FONTCONFIG_PATH ??= SYSTEM_FONTS
  const { default: chromium } = await import('@sparticuz/chromium')
  return {
    executablePath: await chromium.executablePath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  }
}

/** Starts Chromium from an npm package, so that the machine needs only npm. */
export const startBrowser = async (): Promise<Browser> => playwright.launch(await launchOptions())
