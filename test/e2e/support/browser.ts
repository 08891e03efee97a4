import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
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

/** Expects that axe finds no violation of WCAG 2.2 AA on the page as it is now, or once it's loaded. */
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

/** Opens a browser profile that asks for reduced motion: axe would look at colours in the middle of a transition. */
const openProfile = (browser: Browser, base: string, options: BrowserContextOptions) =>
  browser.newContext({ baseURL: base, reducedMotion: 'reduce', ...options })

/**
 * Expects that the browser reports no error about a page, and that the page requests nothing except from these
 * origins.
 */
async function watch(
  page: Page,
  origins: readonly string[],
  journey: (page: Page) => Promise<void>,
): Promise<void> {
  const problems: string[] = []
  page.on('console', (message) => {
    // Chromium also reports every response with a status of 400 or above.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('request', (request) => {
    if (!origins.some((origin) => request.url().startsWith(origin))) problems.push(request.url())
  })
  await journey(page)
  expect(problems).toEqual([])
}

/** Opens a page in a new browser profile. Fails if it reports errors, or requests anything from other origins. */
export async function watchPage(
  browser: Browser,
  base: string,
  options: BrowserContextOptions,
  journey: (page: Page) => Promise<void>,
  others: readonly string[] = [],
): Promise<void> {
  const profile = await openProfile(browser, base, options)
  try {
    await watch(await profile.newPage(), [base, ...others], journey)
  } finally {
    await profile.close()
  }
}

/** Opens a page in a profile that contains only cached files. */
async function openEmptied(profile: BrowserContext, base: string): Promise<Page> {
  const page = await profile.newPage()
  const session = await profile.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin: base, storageTypes: 'all' })
  await session.detach()
  await profile.clearCookies()
  return page
}

/**
 * Returns a `watchPage` that reuses profiles, and clears everything but the browser's cache in between. A new profile
 * would load and compile every script again, which takes longer than most tests.
 */
export function createProfiles(
  browser: Browser,
  base: string,
): (options: BrowserContextOptions, journey: (page: Page) => Promise<void>) => Promise<void> {
  const idle = new Map<string, BrowserContext[]>()
  return async (options, journey) => {
    // A profile with a signed-in user isn't reused.
    if (options.storageState) return watchPage(browser, base, options, journey)
    const key = JSON.stringify(options)
    const profiles = idle.get(key) ?? []
    idle.set(key, profiles)
    const profile = profiles.pop() ?? (await openProfile(browser, base, options))
    const page = await openEmptied(profile, base)
    try {
      await watch(page, [base], journey)
    } catch (error) {
      await profile.close()
      throw error
    }
    for (const open of profile.pages()) await open.close()
    profiles.push(profile)
  }
}
