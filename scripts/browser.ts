import { existsSync } from 'node:fs'
import { type Browser, chromium as playwright } from 'playwright-core'

const SYSTEM_FONTS = '/etc/fonts'

/**
 * Starts Chromium from the npm package that carries it, so that a machine with nothing but npm has one.
 */
export async function startBrowser(): Promise<Browser> {
  // The package brings the libraries that a bare system lacks, and uses them where it finds this.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs24.x'
  // It brings one font too, of proportional letters: those of the system are as people see pages.
  if (existsSync(`${SYSTEM_FONTS}/fonts.conf`)) process.env.FONTCONFIG_PATH ??= SYSTEM_FONTS
  const { default: chromium } = await import('@sparticuz/chromium')
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
}
