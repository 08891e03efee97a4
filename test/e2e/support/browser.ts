import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, inject } from 'vitest'

/** Connects to the browser that all test files share. Closing the connection leaves it running. */
export const startBrowser = (): Promise<Browser> => chromium.connect(inject('shared').browser)

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Expects that axe finds nothing against WCAG 2.2 AA on the page as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(await axeSource)
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document, { preload: false, resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => violations)`,
  )
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  )
  expect(found).toEqual([])
}

/** Both themes and both widths, of a phone and of a desktop: colours don't depend on the width. */
export const LOOKS = [
  ['light', 390],
  ['dark', 1440],
] as const

/**
 * A page that stands still for longer is frozen, however busy the machine is, in milliseconds. How long its
 * tasks really are is measured, not tested: under 200 where they are alone.
 */
export const FROZEN_MS = 2_000

/** Expects that a page is accessible, says what it is in one heading, and is no wider than its window. */
export async function expectComplete(page: Page): Promise<void> {
  await expectAccessible(page)
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect({ url: page.url(), overflow: Math.max(0, overflow) }).toEqual({ url: page.url(), overflow: 0 })
}

/**
 * A page of a browser of its own, whose every request and complaint is watched: there must be no complaint.
 * It may ask nobody but the service, and whom `others` names.
 */
export async function watchPage(
  browser: Browser,
  base: string,
  options: BrowserContextOptions,
  journey: (page: Page) => Promise<void>,
  others: readonly string[] = [],
): Promise<void> {
  const context = await browser.newContext({ baseURL: base, ...options })
  const complaints: string[] = []
  const page = await context.newPage()
  page.on('console', (message) => {
    // Chromium reports every answer of 400 and above as an error of its own.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (![base, ...others].some((origin) => request.url().startsWith(origin))) complaints.push(request.url())
  })
  try {
    await journey(page)
    expect(complaints).toEqual([])
  } finally {
    await context.close()
  }
}
