import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startOwnBrowser } from './support/browser.ts'
import {
  chooseLanguage,
  codeEditor,
  fillCodeEditor,
  openCreatePage,
  plainTextBox,
  shareButton,
  shareDocument,
  shareToast,
} from './support/code-editor-page.ts'
import { openTestSite } from './support/test-site.ts'

const site = await openTestSite()

/** As if the server were so far away that the file with the colours arrives before its answer. */
function slowDownSharing(): void {
  const send = fetch
  const loaded = new Promise<void>((resolve) => {
    const observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(({ name }) => name.endsWith('-javascript.js'))) resolve()
    })
    observer.observe({ type: 'resource' })
  })
  globalThis.fetch = async (input, init) => {
    if (init?.method === 'POST') await loaded
    return send(input, init)
  }
}

it('the page after sharing finds the file with its colours in the cache', () =>
  site.withPage(
    async (page) => {
      await page.addInitScript(slowDownSharing)
      await openCreatePage(page)
      await fillCodeEditor(page, 'const answer = 42\n')
      await chooseLanguage(page, 'JavaScript')
      await shareDocument(page)
      await page.waitForFunction(() => CSS.highlights.has('tok-keyword'))
      const sent = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.endsWith('-javascript.js'))
          .map((entry) => (entry as PerformanceResourceTiming).transferSize),
      )
      expect(sent).toEqual([0])
      // Tabs are reused by options, and this one is changed for good.
    },
    { locale: 'en-NZ' },
  ))

it('the message shows the link, and becomes small when nobody uses it', () =>
  site.withPage(async (page) => {
    await openCreatePage(page)
    await fillCodeEditor(page, 'a text')
    await page.clock.install()
    await shareDocument(page)
    const toast = shareToast(page)
    const link = toast.getByLabel('Link', { exact: true })
    expect(await link.textContent()).toBe(page.url())
    await toast.getByRole('button', { name: 'Copy link' }).blur()
    await page.clock.runFor(20_000)
    await link.waitFor({ state: 'hidden' })
    await toast.getByRole('button', { name: 'Show' }).click()
    await toast.getByRole('button', { name: 'Undo' }).waitFor()
    await page.clock.runFor(20_000)
    // The focus is in it.
    expect(await link.isVisible()).toBe(true)
  }))

/** Where the first line is in the window. Its middle doesn't depend on the size of its letters. */
const measureFirstLine = (page: Page, selector: string) =>
  page.locator(selector).evaluate((text) => {
    const letters = document.createTreeWalker(text, NodeFilter.SHOW_TEXT).nextNode()
    if (!letters) throw new Error('no text')
    const range = new Range()
    range.setStart(letters, 0)
    range.setEnd(letters, 1)
    const { left, top, bottom } = range.getBoundingClientRect()
    const { fontSize, lineHeight } = getComputedStyle(text)
    return { left, middle: (top + bottom) / 2, fontSize, lineHeight }
  })

/** The same of a text box, whose text has no elements. */
const measureTextBox = (page: Page) =>
  plainTextBox(page).evaluate((box) => {
    const { left, top } = box.getBoundingClientRect()
    const { paddingLeft, paddingTop, fontSize, lineHeight } = getComputedStyle(box)
    const middle = top + Number.parseFloat(paddingTop) + Number.parseFloat(lineHeight) / 2
    return { left: left + Number.parseFloat(paddingLeft), middle, fontSize, lineHeight }
  })

interface Place {
  readonly left: number
  readonly middle: number
  readonly fontSize: string
  readonly lineHeight: string
}

/** At most a pixel. The letters of a text box on a phone are larger: otherwise the phone would zoom in on it. */
function expectSamePlace(after: Place, before: Place, { sameLetters = true } = {}): void {
  expect(Math.abs(after.left - before.left)).toBeLessThanOrEqual(1)
  expect(Math.abs(after.middle - before.middle)).toBeLessThanOrEqual(1)
  expect(after.lineHeight).toBe(before.lineHeight)
  if (sameLetters) expect(after.fontSize).toBe(before.fontSize)
}

const DESKTOP = { viewport: { width: 1440, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe('sharing, editing and saving leave the text where it is', () => {
  for (const [name, options] of Object.entries({ desktop: DESKTOP, phone: PHONE }))
    for (const lines of [3, 150])
      it(`${name}, ${lines} lines`, () =>
        site.withPage(async (page) => {
          const sameLetters = options === DESKTOP
          await openCreatePage(page)
          await fillCodeEditor(page, 'const answer = 42\n'.repeat(lines))
          await page.keyboard.press('Control+Home')
          await page.locator('.cm-gutterElement', { hasText: /^1$/ }).waitFor()
          await page.locator('.cm-scroller').evaluate((scroller) => scroller.scrollTo(0, 0))
          const written = await measureFirstLine(page, '.cm-line >> nth=0')
          await shareDocument(page)
          const read = await measureFirstLine(page, '#text')
          expectSamePlace(read, written, { sameLetters })
          await page.getByRole('link', { name: 'Edit', exact: true }).click()
          await codeEditor(page).waitFor()
          expectSamePlace(await measureFirstLine(page, '.cm-line >> nth=0'), written)
        }, options))

  for (const [name, options] of Object.entries({ desktop: DESKTOP, phone: PHONE }))
    it(`${name}, without scripts`, () =>
      site.withPage(
        async (page) => {
          await page.goto('/')
          const written = await measureTextBox(page)
          await plainTextBox(page).fill('a text')
          await shareButton(page).click()
          await page.getByRole('link', { name: 'Open document' }).click()
          const read = await measureFirstLine(page, '#text')
          expectSamePlace(read, written, { sameLetters: options === DESKTOP })
        },
        { ...options, javaScriptEnabled: false },
      ))
})

/** Lets a browser open the service under another host, without TLS, as on another device of a network. */
async function startProxy(base: string): Promise<{ readonly server: string; readonly stop: () => void }> {
  const { hostname, port } = new URL(base)
  const proxy = createServer((asked, answered) => {
    const { pathname, search, host } = new URL(asked.url ?? '', 'http://regent.test')
    const forwarded = request(
      { hostname, port, path: pathname + search, method: asked.method, headers: { ...asked.headers, host } },
      (answer) => {
        answered.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(answered)
      },
    )
    asked.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port: proxyPort } = proxy.address() as AddressInfo
  return { server: `http://127.0.0.1:${proxyPort}`, stop: () => proxy.close() }
}

it('without TLS, a document can be shared, undone, edited and deleted', async () => {
  const proxy = await startProxy(site.service.base)
  // Not the browser of the other tests: it would report that headers for secure pages are ignored.
  const browser = await startOwnBrowser()
  try {
    const page = await browser.newPage({ proxy: { server: proxy.server } })
    await page.goto('http://regent.test/')
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    await fillCodeEditor(page, 'a text')
    await shareDocument(page)
    const toast = shareToast(page)
    expect(await toast.getByLabel('Link', { exact: true }).textContent()).toBe(page.url())
    await toast.getByRole('button', { name: 'QR code' }).click()
    await page.getByRole('img', { name: 'QR code for the link' }).waitFor()
    await page.getByRole('link', { name: 'Edit' }).waitFor()
    await toast.getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL('http://regent.test/')
  } finally {
    await browser.close()
    proxy.stop()
  }
})
