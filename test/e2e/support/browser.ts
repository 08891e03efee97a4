import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, TestRunner } from 'vitest'
import { hasBrowser, startBrowser } from '../../../scripts/support/browser.ts'
import { waitForViewer } from './viewer-page.ts'

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  readonly id: string
  readonly nodes: readonly {
    readonly html: string
    readonly failureSummary?: string
    readonly any: readonly { readonly data: { readonly messageKey?: string } | null }[]
  }[]
}

/** What axe leaves to people: a word in the colour of its background, which may be meant to be invisible. None of ours is. */
const INVISIBLE = 'equalRatio'

const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules that depend on colours and sizes. The others check the HTML, which is the same in every look. */
const LOOK_RULES = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

/** Expects that axe finds no violation of WCAG 2.2 AA on the page as it is now, or once it's loaded. */
export async function expectAccessible(page: Page, rules: readonly string[] = ALL_RULES): Promise<void> {
  await page.waitForLoadState()
  await waitForViewer(page)
  // The script is so long that sending it takes about as much time as running it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await axeSource)
  const { violations, incomplete } = await page.evaluate<Record<'violations' | 'incomplete', Finding[]>>(
    `axe.run(document, { preload: false, resultTypes: ['violations', 'incomplete'], runOnly: ${JSON.stringify(rules)} })
      .then(({ violations, incomplete }) => ({ violations, incomplete }))`,
  )
  // Forced colours are unknown to axe, and replace both.
  const forced = await page.evaluate(() => matchMedia('(forced-colors: active)').matches)
  const invisible = incomplete.map(({ id, nodes }) => ({
    id,
    nodes: nodes.filter(({ any }) => !forced && any.some(({ data }) => data?.messageKey === INVISIBLE)),
  }))
  const found = [...violations, ...invisible].flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  )
  expect(found).toEqual([])
}

/** Expects that a page is no wider than its window. */
async function expectToFit(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect({ url: page.url(), overflow: Math.max(0, overflow) }).toEqual({ url: page.url(), overflow: 0 })
}

/** Expects that a page is accessible, has one main heading, and is no wider than its window. */
export async function expectComplete(page: Page, rules?: readonly string[]): Promise<void> {
  await expectAccessible(page, rules)
  expect(await page.locator('h1:visible').count()).toBe(1)
  await expectToFit(page)
}

/** Both colour schemes, and the widths of a phone and a desktop. Colours don't depend on the width. */
const LOOKS = [
  ['light', 390],
  ['dark', 1440],
] as const

/** A desktop window that is zoomed to 400% (WCAG 1.4.10), and the narrowest phone. */
const NARROWEST = 320

/** Expects that a page is complete in every look, as it is now. */
export async function expectCompleteInLooks(page: Page): Promise<void> {
  await page.waitForLoadState()
  await waitForViewer(page)
  await page.setViewportSize({ width: NARROWEST, height: 844 })
  await expectToFit(page)
  for (const [index, [colorScheme, width]] of LOOKS.entries()) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await expectComplete(page, index === 0 ? ALL_RULES : LOOK_RULES)
  }
}

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

/** The browser of this process, which runs many test files. It ends with the process. */
let browser: Promise<Browser> | undefined

declare global {
  interface Window {
    /** Violations of the page's content security policy. */
    violations: string[]
    readonly recordCopy: (text: string) => Promise<void>
  }
}

/** Runs in every page before its own scripts: notes violations and what the page copies. */
const observe = () => {
  window.violations = []
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    window.violations.push(`${violatedDirective} ${blockedURI}`)
  })
  const { clipboard } = navigator
  // A page in a sandbox has none.
  if (!clipboard) return
  const [write, writeText] = [clipboard.write.bind(clipboard), clipboard.writeText.bind(clipboard)]
  clipboard.write = async (items) => {
    await write(items)
    for (const item of items) {
      if (item.types.includes('text/plain'))
        await window.recordCopy(await (await item.getType('text/plain')).text())
    }
  }
  clipboard.writeText = async (text) => {
    await writeText(text)
    await window.recordCopy(text)
  }
}

const copied = new WeakMap<Page, string>()

/**
 * Returns the last text that a tab has copied. All tests share the system's clipboard, so reading it could return a text
 * from another test.
 */
export const getCopied = (page: Page): string => copied.get(page) ?? ''

/** Starts a browser that a test has for itself. Without one on this machine, the test is reported as skipped. */
export function startOwnBrowser(): Promise<Browser> {
  if (!hasBrowser()) TestRunner.getCurrentTest()?.context.skip('there is no browser')
  return startBrowser()
}

/** Opens a browser profile that asks for reduced motion: axe would look at colours in the middle of a transition. */
async function openProfile(options: BrowserContextOptions): Promise<BrowserContext> {
  browser ??= startOwnBrowser()
  const profile = await (await browser).newContext({
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  await profile.exposeBinding('recordCopy', ({ page }, text: string) => void copied.set(page, text))
  await profile.addInitScript(observe)
  return profile
}

/** A page, and whether a test has added something to it that stays. */
interface Tab {
  readonly page: Page
  changed: boolean
}

async function openTab(profile: BrowserContext): Promise<Tab> {
  const page = await profile.newPage()
  const tab: Tab = { page, changed: false }
  const addInitScript = page.addInitScript.bind(page)
  const exposeFunction = page.exposeFunction.bind(page)
  page.addInitScript = (...script) => {
    tab.changed = true
    return addInitScript(...script)
  }
  page.exposeFunction = (...named) => {
    tab.changed = true
    return exposeFunction(...named)
  }
  return tab
}

/** A page without scripts, styles or storage. */
const PLAIN_PAGE = '/robots.txt'

/** Removes what a test has left in a page. */
async function resetPage(page: Page, { javaScriptEnabled }: BrowserContextOptions): Promise<void> {
  page.removeAllListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  copied.delete(page)
  if (javaScriptEnabled !== false) await page.evaluate(() => sessionStorage.clear())
  // The browser would start a new process for a page of another site, such as about:blank.
  await page.goto(PLAIN_PAGE)
}

/** Returns a tab of a profile that contains only cached files: the present tab if a test left nothing in it. */
async function renewTab(used: Tab, base: string, options: BrowserContextOptions): Promise<Tab> {
  const profile = used.page.context()
  const reusable = !used.changed && used.page.url().startsWith(base)
  const tab = reusable ? used : await openTab(profile)
  for (const open of profile.pages()) if (open !== tab.page) await open.close()
  if (reusable) await resetPage(tab.page, options)
  const session = await profile.newCDPSession(tab.page)
  await session.send('Storage.clearDataForOrigin', { origin: base, storageTypes: 'all' })
  await session.detach()
  await profile.clearCookies()
  return tab
}

/** What an open tab can change, so that a test which needs another look needs no profile of its own. */
const LOOK_OPTIONS = ['colorScheme', 'viewport'] as const

async function setLook(page: Page, options: BrowserContextOptions): Promise<void> {
  const { colorScheme, forcedColors, viewport } = options
  await page.emulateMedia({
    media: null,
    colorScheme: colorScheme ?? 'light',
    forcedColors: forcedColors ?? 'none',
    reducedMotion: 'reduce',
  })
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 })
}

/** Tabs that no test uses at the moment, by the options of their profiles. */
const idle = new Map<string, Tab[]>()

/**
 * Opens a page in a browser profile that seems new, and that may use the clipboard. Fails if the page reports errors, or
 * requests anything from other origins. Tabs are reused: a new one would load, compile and optimise every script again,
 * which takes longer than most tests.
 *
 * @param others further origins that the page may request.
 */
export async function watchPage(
  base: string,
  { storageState, ...look }: BrowserContextOptions,
  journey: (page: Page) => Promise<void>,
  others: readonly string[] = [],
): Promise<void> {
  const options = { ...look }
  for (const name of LOOK_OPTIONS) delete options[name]
  const key = JSON.stringify({ base, options })
  const tabs = idle.get(key) ?? []
  idle.set(key, tabs)
  const tab = tabs.pop() ?? (await openTab(await openProfile({ baseURL: base, ...options })))
  const profile = tab.page.context()
  try {
    // A tab in the background paints nothing, so scripts that wait for a frame would wait for ever.
    await tab.page.bringToFront()
    await setLook(tab.page, look)
    if (typeof storageState === 'object') await profile.addCookies(storageState.cookies)
    await watch(tab.page, [base, ...others], journey)
  } catch (error) {
    const shown = await tab.page
      .locator('body')
      .innerText({ timeout: 1_000 })
      .catch(() => '')
    await profile.close()
    throw new Error(`${error}\nThe page showed: ${shown.slice(0, 1_000)}`, { cause: error })
  }
  tabs.push(await renewTab(tab, base, options))
}
