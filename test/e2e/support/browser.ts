import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, type Page, chromium as playwright } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Starts Chromium from the npm package that carries it, so that a machine with nothing but npm has one.
 */
export async function startBrowser(): Promise<Browser> {
  // The package brings the libraries that a bare system lacks, and uses them where it finds this.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs24.x'
  const { default: chromium } = await import('@sparticuz/chromium')
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
}

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Expects that axe finds nothing against WCAG 2.2 AA on the page as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(await axeSource)
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => violations)`,
  )
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  )
  expect(found).toEqual([])
}
