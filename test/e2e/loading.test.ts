import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openTestSite, type TestSite } from './support/test-site.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const DESKTOP = { viewport: { width: 1440, height: 900 } }

let site: TestSite
let paths: Record<'home' | 'code' | 'markdown' | 'text', string>

beforeAll(async () => {
  site = await openTestSite()
  const code = await site.create('const a = 1\n'.repeat(200), { language: 'typescript' })
  const markdown = await site.create('# A title\n\nSome *text* with `code`.\n\n'.repeat(50), {
    language: 'markdown',
  })
  const text = await site.create('a line of text\n'.repeat(200))
  paths = { home: '/', code: `/${code.id}`, markdown: `/${markdown.id}`, text: `/${text.id}` }
})

interface Requested {
  readonly path: string
  /** What asked for it: the HTML, a script, or something else such as a worker. */
  readonly by: string
  readonly cacheControl: string | undefined
}

/** Opens a page as on a slow network, where it's painted before its scripts arrive. Returns its HTML and what it asked for. */
async function openSlowly(page: Page, path: string): Promise<{ html: string; requested: Requested[] }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 100,
    downloadThroughput: 200_000,
    uploadThroughput: 200_000,
  })
  const requested = new Map<string, Requested>()
  session.on('Network.requestWillBeSent', ({ requestId, request, initiator }) => {
    const by = initiator.type
    requested.set(requestId, { path: new URL(request.url).pathname, by, cacheControl: undefined })
  })
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const request = requested.get(requestId)
    if (request) requested.set(requestId, { ...request, cacheControl: response.headers['Cache-Control'] })
  })
  const response = await page.goto(path, { waitUntil: 'networkidle' })
  return { html: (await response?.text()) ?? '', requested: [...requested.values()] }
}

const watchShifts = () => {
  Object.assign(globalThis, { shift: 0 })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
      Object.assign(globalThis, { shift: Reflect.get(globalThis, 'shift') + entry.value })
  }).observe({ type: 'layout-shift', buffered: true })
}

const PAGES = ['home', 'code', 'markdown', 'text'] as const

describe('a page that loads slowly', () => {
  it.each(
    PAGES.flatMap((name) => [
      { name, device: 'a phone', options: PHONE as BrowserContextOptions },
      { name, device: 'a desktop', options: DESKTOP },
    ]),
  )('moves nothing once it is painted: $name on $device', async ({ name, options }) => {
    await site.withPage(async (page) => {
      await page.addInitScript(watchShifts)
      await openSlowly(page, paths[name])
      const shift = await page.evaluate(() => Number(Reflect.get(globalThis, 'shift')))
      // The code editor's line numbers move by a few pixels in their own column: 0.0002.
      expect(shift).toBeLessThan(0.0005)
    }, options)
  })

  it.each(PAGES)('names in its HTML what it needs at once, and keeps it for a year: %s', async (name) => {
    await site.withPage(async (page) => {
      const { html, requested } = await openSlowly(page, paths[name])
      const [document, ...files] = requested
      expect(document?.cacheControl).toBe(name === 'home' ? undefined : 'private, no-cache')
      // The browser reports no response for the script of a worker.
      const kept = files.filter(({ by }) => by !== 'other').map(({ cacheControl }) => cacheControl)
      expect(new Set(kept)).toEqual(new Set(['public, max-age=31536000, immutable']))
      // No file waits until a script that needs it has arrived. Only the viewer's worker is started by a script.
      const unnamed = files.filter(({ path, by }) => by !== 'other' && !html.includes(path))
      expect(unnamed).toEqual([])
    })
  })
})
