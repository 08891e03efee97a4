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

const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules that depend on colours and sizes. The others check the HTML, which is the same in every look. */
const LOOK_RULES = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

/** Expects that axe finds nothing against WCAG 2.2 AA on the page as it is now, or once it's loaded. */
export async function expectAccessible(page: Page, rules: readonly string[] = ALL_RULES): Promise<void> {
  await page.waitForLoadState()
  // The script is so long that sending it takes about as much time as running it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await axeSource)
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document, { preload: false, resultTypes: ['violations'], runOnly: ${JSON.stringify(rules)} })
      .then(({ violations }) => violations)`,
  )
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  )
  expect(found).toEqual([])
}

/** Both themes, and the widths of a phone and a desktop. Colours don't depend on the width. */
export const LOOKS = [
  ['light', 390],
  ['dark', 1440],
] as const

/**
 * A task that takes longer freezes the page, even on a busy machine. On an idle machine no task takes longer than
 * 200 ms.
 */
export const FROZEN_MS = 2_000

/** Expects that a page is accessible, has one main heading, and is no wider than its window. */
export async function expectComplete(page: Page, rules?: readonly string[]): Promise<void> {
  await expectAccessible(page, rules)
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect({ url: page.url(), overflow: Math.max(0, overflow) }).toEqual({ url: page.url(), overflow: 0 })
}

/** Expects that a page is complete in every look, as it is now. */
export async function expectCompleteInLooks(page: Page): Promise<void> {
  for (const [index, [colorScheme, width]] of LOOKS.entries()) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await expectComplete(page, index === 0 ? ALL_RULES : LOOK_RULES)
  }
}

/**
 * Opens a page in a new browser profile that asks for reduced motion: axe would look at colours in the middle of a
 * transition. Expects that the browser reports no error, and that the page requests nothing except from the service
 * and from `others`.
 */
export async function watchPage(
  browser: Browser,
  base: string,
  options: BrowserContextOptions,
  journey: (page: Page) => Promise<void>,
  others: readonly string[] = [],
): Promise<void> {
  const context = await browser.newContext({ baseURL: base, reducedMotion: 'reduce', ...options })
  const problems: string[] = []
  const page = await context.newPage()
  page.on('console', (message) => {
    // Chromium also reports every response with a status of 400 or above.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('request', (request) => {
    if (![base, ...others].some((origin) => request.url().startsWith(origin))) problems.push(request.url())
  })
  try {
    await journey(page)
    expect(problems).toEqual([])
  } finally {
    await context.close()
  }
}
