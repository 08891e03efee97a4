import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Request } from 'playwright-core'
import { startBrowser } from '../scripts/support/browser.ts'
import { launchService } from '../scripts/support/launch.ts'
import { parseOptions } from '../scripts/support/script.ts'
import { CommandError } from '../scripts/support/wrangler.ts'
import { encryptJwe, GENERATED_PASSWORD_ITERATIONS } from '../src/shared/jwe.ts'
import {
  BARE_STEPS,
  type CreatedText,
  measureHostilePages,
  measureHostileTexts,
  PLACES,
  type SentText,
  STEPS,
} from './hostile-pages.ts'
import { formatTable, median } from './load.ts'

const HELP = `Measures what people wait for in a browser: Chromium on a processor that is four times slower than this one, with
the network that DevTools calls "Fast 3G". Nothing is in the browser's cache.

Usage: npm run bench -- browser [options]

  --runs N      how often each page is opened (default 5)
  --only TEXT   only pages whose name contains TEXT
  --hostile     open Markdown that is meant to freeze the page instead, once by default and without a slow network, in
                the viewer, as an embed and in the preview of the code editor, and scroll through it
  --hostile-texts
                the same for other texts, in their views: they are scrolled, wrapped, searched, selected, printed and
                edited. Takes the best of the runs, since programs beside it make the figures larger. Bare is a page
                without scripts that has only the text, in the same boxes

Text is the first contentful paint. Colours is when the first colours of code are set. Interactive is when the page's
tools answer. Script is the CPU time of scripts on this machine, not slowed down. Blocked is the longest task, during which
the page can't answer. Shift is the cumulative layout shift. KiB and requests include those of web workers. Figures are
medians, with their range if it isn't empty. The server is "wrangler dev" on the same machine. Takes about ten minutes, and
up to an hour for hostile Markdown.
`

/** DevTools, `NetworkManager.ts`: 1.6 Mbit/s down and 750 kbit/s up, less a tenth, and 3.75 times 150 ms. */
const FAST_3G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: ((1.6 * 1024 * 1024) / 8) * 0.9,
  uploadThroughput: ((750 * 1024) / 8) * 0.9,
}
const CPU_SLOWDOWN = 4
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
/** A document of 10 MiB takes a minute. */
const TIMEOUT_MS = 180_000
/** The page is settled once nothing has blocked it for this long, and all it asked for is there. */
const QUIET_MS = 1_000
/** The viewer loads some of its code two seconds after it has started. */
const LATER_MS = 3_000

const KiB = 1024

/** Beside plain text, the languages that people share most. */
const LINES: Readonly<Record<string, (n: number) => string>> = {
  javascript: (n) => `const value${n} = (input) => input.length * ${n} // a comment\n`,
  python: (n) => `def value_${n}(text: str) -> int:\n    return len(text) * ${n}  # a comment\n`,
  json: (n) => `{ "name": "value ${n}", "values": [${n}, true, null] }\n`,
  bash: (n) => `for name in *.${n}; do echo "$name"; done # a comment\n`,
  html: (n) => `<p class="a${n}">Some <b>text</b></p>\n`,
  css: (n) => `main > .a${n} { color: #123456; margin: 0 ${n}px } /* a comment */\n`,
  sql: (n) => `SELECT name, count(*) FROM texts WHERE id = ${n} GROUP BY name; -- a comment\n`,
  yaml: (n) => `name${n}: a text\nvalues: [${n}, two, "three"] # a comment\n`,
  java: (n) => `class A${n} { static int twice(int n) { return n * 2; } } // a comment\n`,
  typescript: (n) =>
    `export const value${n} = (input: string): number => input.length * ${n} // ${n % 7 === 0 ? 'a longer comment' : ''}\n`,
  markdown: (n) =>
    n % 12 === 0
      ? `\n## Part ${n}\n\n`
      : `Some *text* with a [link](https://example.org/${n}) and \`code\`.\n`,
  plaintext: (n) => `${n} a line of text, as in a log or a note, about sixty characters\n`,
}

function fillText(language: string, bytes: number): string {
  const getLine = LINES[language]
  if (!getLine) throw new Error(`No lines in ${language}`)
  let text = ''
  for (let n = 0; text.length < bytes; n++) text += getLine(n)
  return text.slice(0, bytes)
}

/** Returns the path of the document. */
export async function createDocument(base: string, language: string, content: string): Promise<string> {
  const form = new URLSearchParams({ content, language })
  const response = await fetch(`${base}/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: base },
    body: form,
  })
  const path = response.headers.get('Location')?.split('?', 1)[0]
  if (!path) throw new CommandError(`The document wasn't created: ${response.status}`)
  return path
}

/** Creates a document as the page's script does, which gets the token. */
async function createText(base: string, { content, language, password }: SentText): Promise<CreatedText> {
  const form = new FormData()
  form.set('language', language)
  if (password !== null) form.set('client_encrypted', 'yes')
  const stored =
    password === null
      ? content
      : await encryptJwe(new TextEncoder().encode(content), password, GENERATED_PASSWORD_ITERATIONS)
  form.set('content', new Blob([stored]), 'content')
  const response = await fetch(`${base}/`, {
    method: 'POST',
    headers: { Origin: base, Accept: 'application/json' },
    body: form,
  })
  if (!response.ok) throw new CommandError(`The text wasn't created: ${response.status}`)
  const { data } = (await response.json()) as { data: { id: string; token: string } }
  return { path: `/${data.id}`, token: data.token }
}

interface Page {
  readonly name: string
  readonly path: string
}

async function createPages(base: string): Promise<Page[]> {
  const pages: Page[] = [{ name: 'home page', path: '/' }]
  const documents: [language: string, sizes: readonly number[]][] = [
    ...['javascript', 'python', 'json', 'bash', 'html', 'css', 'sql', 'yaml', 'java'].map(
      (language): [string, number[]] => [language, [1]],
    ),
    ['typescript', [1, 100, 1_024, 10_200]],
    ['markdown', [1, 100, 1_024]],
    ['plaintext', [1, 10_200]],
  ]
  for (const [language, sizes] of documents) {
    for (const size of sizes) {
      const name =
        size < 1_024 ? `${size} KiB of ${language}` : `${Math.round(size / 1_024)} MiB of ${language}`
      pages.push({ name, path: await createDocument(base, language, fillText(language, size * KiB)) })
    }
  }
  return pages
}

interface Figures {
  readonly textMs: number
  /** NaN without colours. */
  readonly coloursMs: number
  readonly interactiveMs: number
  readonly scriptMs: number
  readonly blockedMs: number
  readonly shift: number
  readonly kib: number
  readonly requests: number
}

declare global {
  /** The measurements that `watch` has made. */
  var seen: {
    blockedMs: number
    lastBlockedAt: number
    shift: number
    coloursMs: number
    interactiveMs: number
  }
}

/** Runs in the page, before its scripts: notes what the browser tells only to those who watch. */
function watch(): void {
  globalThis.seen = {
    blockedMs: 0,
    lastBlockedAt: 0,
    shift: 0,
    coloursMs: Number.NaN,
    interactiveMs: Number.NaN,
  }
  const setHighlight = HighlightRegistry.prototype.set
  HighlightRegistry.prototype.set = function (...highlight) {
    if (Number.isNaN(seen.coloursMs)) seen.coloursMs = performance.now()
    return setHighlight.apply(this, highlight)
  }
  // The scripts of both pages change these elements when they are ready.
  const isInteractive = () =>
    document.querySelector('[data-tool="find"][aria-expanded], #language-search') !== null
  const watchTools = () => {
    if (isInteractive()) seen.interactiveMs = performance.now()
    else setTimeout(watchTools, 10)
  }
  watchTools()
  new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries()) {
      seen.blockedMs = Math.max(seen.blockedMs, duration)
      seen.lastBlockedAt = startTime + duration
    }
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
      seen.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}

async function openPage(browser: Browser, address: string): Promise<Figures> {
  const context = await browser.newContext(PHONE)
  try {
    const page = await context.newPage()
    await page.addInitScript(watch)
    const session = await context.newCDPSession(page)
    // Otherwise, Chromium would decode the whole page for DevTools once it's there, in the page's main thread.
    await session.send('Network.enable', { maxTotalBufferSize: 1, maxResourceBufferSize: 1 })
    await session.send('Network.emulateNetworkConditions', FAST_3G)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await session.send('Performance.enable')
    const sent: Request[] = []
    // With those of workers, which the session doesn't report.
    page.on('requestfinished', (request) => {
      // The page asks again and again whether there is a newer version.
      if (request.resourceType() !== 'fetch') sent.push(request)
    })
    await page.goto(address, { waitUntil: 'networkidle', timeout: TIMEOUT_MS })
    const isSettled = ([quietMs, laterMs]: readonly [number, number]) =>
      performance.now() > Math.max(seen.lastBlockedAt + quietMs, seen.interactiveMs + laterMs)
    await page.waitForFunction(isSettled, [QUIET_MS, LATER_MS] as const, { timeout: TIMEOUT_MS })
    await page.waitForLoadState('networkidle', { timeout: TIMEOUT_MS })
    const { metrics } = await session.send('Performance.getMetrics')
    const scriptMs = (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN) * 1_000
    const sizes = await Promise.all(sent.map((request) => request.sizes()))
    const bytes = sizes.reduce((sum, size) => sum + size.responseHeadersSize + size.responseBodySize, 0)
    const figures = await page.evaluate(() => {
      const [paint] = performance.getEntriesByName('first-contentful-paint')
      return {
        textMs: paint?.startTime ?? Number.NaN,
        ...seen,
      }
    })
    return { ...figures, scriptMs, kib: bytes / KiB, requests: sent.length }
  } finally {
    await context.close()
  }
}

function formatFigures(name: string, runs: readonly Figures[]): string[] {
  const format = (field: keyof Figures, digits: number, unit = 1) => {
    const values = runs.map((run) => run[field]).filter((value) => !Number.isNaN(value))
    if (values.length === 0) return ''
    const write = (value: number) => (value / unit).toFixed(digits)
    const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map(write)
    return least === most ? `${middle}` : `${middle} (${least}–${most})`
  }
  return [
    name,
    format('textMs', 1, 1000),
    format('coloursMs', 1, 1000),
    format('interactiveMs', 1, 1000),
    format('scriptMs', 0),
    format('blockedMs', 0),
    format('shift', 3),
    format('kib', 0),
    format('requests', 0),
  ]
}

export async function measureBrowser(): Promise<void> {
  const values = parseOptions(HELP, {
    runs: { type: 'string' },
    only: { type: 'string', default: '' },
    hostile: { type: 'boolean', default: false },
    'hostile-texts': { type: 'boolean', default: false },
  })
  const folder = await mkdtemp(join(tmpdir(), 'regent-browser-'))
  const service = await launchService({ folder, options: [], onOutput: () => {} })
  const browser = await startBrowser()
  try {
    const { base } = service
    const { hostile, 'hostile-texts': hostileTexts, only } = values
    const { runs: runsPerPage = hostile || hostileTexts ? '1' : '5' } = values
    if (hostile || hostileTexts) {
      const measuring = { base, only, runs: Number(runsPerPage), cpuSlowdown: CPU_SLOWDOWN, device: PHONE }
      const rows = hostile
        ? measureHostilePages(browser, {
            ...measuring,
            createDocument: (content) => createDocument(base, 'markdown', content),
          })
        : measureHostileTexts(browser, { ...measuring, createDocument: (text) => createText(base, text) })
      const textSteps = [...STEPS, ...BARE_STEPS.map((step) => `${step}, bare`)]
      process.stdout.write(formatTable(['', ...(hostile ? PLACES : textSteps)], []))
      for await (const row of rows) process.stdout.write(`| ${row.join(' | ')} |\n`)
      return
    }
    const rows: string[][] = []
    for (const { name, path } of await createPages(base)) {
      if (!name.includes(only)) continue
      const runs: Figures[] = []
      for (let run = 0; run < Number(runsPerPage); run++) runs.push(await openPage(browser, base + path))
      rows.push(formatFigures(name, runs))
    }
    const times = ['text, s', 'colours, s', 'interactive, s', 'script, ms', 'blocked, ms']
    const head = ['', ...times, 'shift', 'KiB', 'requests']
    process.stdout.write(formatTable(head, rows))
  } finally {
    await browser.close()
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
