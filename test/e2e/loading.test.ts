import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGE_FILES } from '../../src/ui/assets.generated.ts'
import { getCopied } from './support/browser.ts'
import { openTestSite, type TestSite } from './support/test-site.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const DESKTOP = { viewport: { width: 1440, height: 900 } }

let site: TestSite
let paths: Record<'home' | 'code' | 'json' | 'markdown' | 'text', string>

beforeAll(async () => {
  site = await openTestSite()
  const code = await site.create('const a = 1\n'.repeat(200), { language: 'typescript' })
  const markdown = await site.create('# A title\n\nSome *text* with `code`.\n\n'.repeat(50), {
    language: 'markdown',
  })
  const json = await site.create('[\n  "a text",\n  1\n]\n'.repeat(50), { language: 'json' })
  const text = await site.create('a line of text\n'.repeat(200))
  paths = {
    home: '/',
    code: `/${code.id}`,
    json: `/${json.id}`,
    markdown: `/${markdown.id}`,
    text: `/${text.id}`,
  }
})

interface Requested {
  readonly path: string
  /** What asked for it: the HTML, a script, or something else such as a worker. */
  readonly by: string
  readonly cacheControl: string | null
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
    requested.set(requestId, { path: new URL(request.url).pathname, by, cacheControl: null })
  })
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const request = requested.get(requestId)
    const cacheControl = new Headers(response.headers).get('Cache-Control')
    if (request) requested.set(requestId, { ...request, cacheControl })
  })
  const response = await page.goto(path, { waitUntil: 'networkidle' })
  await session.detach()
  return { html: (await response?.text()) ?? '', requested: [...requested.values()] }
}

/** Notes what the browser moves after it was painted: each element, and by how much of the window. */
const watchShifts = () => {
  interface Shift extends PerformanceEntry {
    readonly value: number
    readonly sources: readonly { readonly node: Node | null }[]
  }
  const moved: [element: string, amount: number][] = []
  Object.assign(globalThis, { moved })
  const describeNode = (node: Node | null) =>
    node instanceof Element ? `${node.nodeName} ${node.className}` : `${node?.nodeName} ${node?.nodeValue}`
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Shift[])
      for (const { node } of sources) moved.push([describeNode(node), value])
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Returns what has moved, other than by a few pixels, such as the code editor's line numbers in their own column. */
const getMoved = (page: Page) =>
  page.evaluate(() => {
    const moved: [string, number][] = Reflect.get(globalThis, 'moved')
    return moved.filter(([, amount]) => amount > 0.0003)
  })

/** Opens a page whose content security policy doesn't refuse HTML that a test writes. */
async function openWritable(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setBypassCSP', { enabled: true })
  await page.goto(path)
}

/** Replaces the page by its own HTML, of which each tag arrives after the tags before it were painted. */
const receiveTagByTag = async () => {
  const html = await (await fetch(location.href)).text()
  const [start = '', ...tags] = html.split(/(?=<(?!option|path|span id=|\/))/)
  const head = tags.splice(
    0,
    tags.findIndex((tag) => tag.startsWith('<body')),
  )
  document.open()
  document.write(start + head.join(''))
  for (const tag of tags) {
    document.write(tag)
    await new Promise(requestAnimationFrame)
  }
  document.close()
}

const PAGES = ['home', 'code', 'json', 'markdown', 'text'] as const
const DEVICES = [
  { device: 'a phone', options: PHONE as BrowserContextOptions },
  { device: 'a desktop', options: DESKTOP },
]
const CASES = PAGES.flatMap((name) => DEVICES.map((device) => ({ name, ...device })))

describe('a page that loads slowly', () => {
  it.each(CASES)(
    'moves nothing, and names in its HTML what it needs: $name on $device',
    async ({ name, options }) => {
      await site.withPage(async (page) => {
        await page.addInitScript(watchShifts)
        const { html, requested } = await openSlowly(page, paths[name])
        expect(await getMoved(page)).toEqual([])
        const [document, ...files] = requested
        expect(document?.cacheControl).toBe(name === 'home' ? null : 'private, no-cache')
        // The browser reports no response for the script of a worker.
        const kept = files.filter(({ by }) => by !== 'other').map(({ cacheControl }) => cacheControl)
        expect(new Set(kept)).toEqual(new Set(['public, max-age=31536000, immutable']))
        // No file waits until a script that needs it has arrived. Only the viewer's worker is started by a script.
        const unnamed = files.filter(({ path, by }) => by !== 'other' && !html.includes(path))
        expect(unnamed).toEqual([])

        await openWritable(page, paths[name])
        await page.evaluate(receiveTagByTag)
        expect(await getMoved(page)).toEqual([])
      }, options)
    },
  )
})

/** Short texts in ten of the languages that people share most. */
const SHORT_TEXTS: Readonly<Record<string, string>> = {
  javascript: 'const answer = 42 // a comment\n',
  typescript: 'export const double = (n: number): number => n * 2\n',
  python: 'def double(n):\n    return n * 2  # a comment\n',
  json: '{ "name": "a text", "values": [1, 2, null] }\n',
  bash: 'for name in *.txt; do echo "$name"; done # a comment\n',
  html: '<p class="a">A <b>text</b></p>\n<script>const a = 1</script>\n',
  css: 'main > p { color: #123456; margin: 0 1rem } /* a comment */\n',
  sql: "SELECT name, count(*) FROM texts WHERE name = 'a' GROUP BY name;\n",
  yaml: 'name: a text\nvalues: [1, two, "three"] # a comment\n',
  java: 'class A { static int double_(int n) { return n * 2; } }\n',
}

interface Sent {
  readonly path: string
  readonly by: string
  bytes: number
}

describe('a short text', () => {
  it.each(Object.entries(SHORT_TEXTS))(
    'in %s is coloured without a worker, in at most 8 requests',
    async (language, line) => {
      const { id } = await site.create(line.repeat(Math.ceil(1_024 / line.length)), { language })
      await site.withPage(async (page) => {
        // No time passes: a worker would help a page that has taken 40 ms.
        await page.addInitScript(() => {
          performance.now = () => 0
        })
        const session = await page.context().newCDPSession(page)
        await session.send('Network.enable')
        await session.send('Network.setCacheDisabled', { cacheDisabled: true })
        const sent = new Map<string, Sent>()
        session.on('Network.requestWillBeSent', ({ requestId, request, initiator }) => {
          sent.set(requestId, { path: new URL(request.url).pathname, by: initiator.type, bytes: 0 })
        })
        session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
          const request = sent.get(requestId)
          if (request) request.bytes = encodedDataLength
        })
        await page.goto(`/${id}?view=source`)
        await page.waitForFunction(() => CSS.highlights.size > 1)
        // What is loaded later is loaded when the page is used, too.
        await page.keyboard.press('Shift')
        await page.waitForLoadState('networkidle')
        expect(page.workers()).toEqual([])
        const requests = [...sent.values()]
        expect(requests.length).toBeLessThanOrEqual(8)
        expect(requests.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(120 * 1024)
        const colours = requests.filter(({ path }) => path === `${LANGUAGE_FILES}${language}.js`)
        // The HTML asks for it, so that it doesn't wait for the viewer.
        expect(colours.map(({ by }) => by)).toEqual(['parser'])
      })
    },
  )

  it('stays readable and usable without the file of its language', async () => {
    await site.withPage(async (page) => {
      await page.route(`**${LANGUAGE_FILES}*.js`, (route) => route.abort())
      await page.goto(paths.code)
      await page.keyboard.press('/')
      await page.locator('#find').fill('const')
      await page.getByText('1 of 200').waitFor()
      expect(await page.evaluate(() => CSS.highlights.has('tok-keyword'))).toBe(false)
    })
  })
})

/** Notes whether the styles of long texts are there when a text comes into the page. */
const watchText = () => {
  const seen = { hasText: false, hasStyles: false }
  Object.assign(globalThis, { seen })
  new MutationObserver(() => {
    if (seen.hasText || !document.querySelector('#text')) return
    seen.hasText = true
    seen.hasStyles = [...document.styleSheets].some(({ href }) => href?.includes('/long-text-') === true)
  }).observe(document, { childList: true, subtree: true })
}

describe('a long text', () => {
  // Otherwise a moving pointer would make the browser lay out the whole text without styles.
  it.each(['', '/embed'])('is only read once the styles for its layout are there: ID%s', async (suffix) => {
    const { id } = await site.create('some *text* with words\n\n'.repeat(900), { language: 'markdown' })
    await site.withPage(async (page) => {
      await page.addInitScript(watchText)
      const html = Promise.withResolvers<void>()
      page.on('requestfinished', (request) => {
        if (request.isNavigationRequest()) html.resolve()
      })
      await page.route('**/long-text-*.css', async (route) => {
        await html.promise
        await route.continue()
      })
      await page.goto(`/${id}${suffix}`)
      expect(await page.evaluate(() => Reflect.get(globalThis, 'seen'))).toEqual({
        hasText: true,
        hasStyles: true,
      })
    })
  })
})

describe('a long text that arrives slowly', () => {
  const line = (number: number) => `export const value${number} = ${number} // a comment\n`
  const LINES = 20_000
  let path = ''

  beforeAll(async () => {
    const text = Array.from({ length: LINES }, (_, index) => line(index + 1)).join('')
    path = `/${(await site.create(text, { language: 'typescript' })).id}`
  })

  it('can be used, and its beginning is coloured, before all of it is there', async () => {
    await site.withPage(async (page) => {
      await page.addInitScript(watchShifts)
      const session = await page.context().newCDPSession(page)
      await session.send('Network.enable')
      const slow = { offline: false, latency: 20, downloadThroughput: 20_000, uploadThroughput: 20_000 }
      await session.send('Network.emulateNetworkConditions', slow)
      await page.goto(`${path}#L19000`, { waitUntil: 'commit' })
      await page.waitForFunction(() => CSS.highlights.has('tok-keyword'))
      await page.keyboard.press('w')
      await page.locator('section.text.wrapped').waitFor()
      await page.keyboard.press('w')
      await page.getByRole('button', { name: 'Copy', exact: true }).click()
      await page.getByText('Loading the rest of the text…').waitFor()
      expect(await page.evaluate(() => document.readyState)).toBe('loading')

      await session.send('Network.emulateNetworkConditions', { ...slow, downloadThroughput: -1 })
      await page.waitForLoadState('load')
      await page.getByText('Copied.').waitFor()
      expect(getCopied(page).split('\n').length).toBe(LINES + 1)
      // The line that the address links to wasn't there at first.
      await page.waitForFunction(() => scrollY > 100_000)
      const numbers = page.locator('.numbers')
      expect(await numbers.count()).toBe(1)
      expect(await numbers.evaluate((element) => element.textContent?.split('\n').length)).toBe(LINES)
      // The message about the copy slides in.
      expect((await getMoved(page)).filter(([element]) => !element.endsWith('toast'))).toEqual([])
    }, DESKTOP)
  })

  it('has all of its numbers without scripts', async () => {
    await site.withPage(
      async (page) => {
        await page.goto(path)
        const numbers = page.locator('.numbers').filter({ visible: true })
        expect(await numbers.evaluate((element) => element.textContent?.split('\n').length)).toBe(LINES)
        const [left, text] = await Promise.all([numbers.boundingBox(), page.locator('#text').boundingBox()])
        expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(text?.x ?? 0)
      },
      { javaScriptEnabled: false },
    )
  })
})
