import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { HOSTILE_MARKDOWN } from './hostile-markdown.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'

const TIMEOUT_MS = 180_000
/** A page is settled once its Markdown is rendered and nothing has blocked it for this long. */
const QUIET_MS = 300
/** Where the reader scrolls to, as shares of the text. */
const SCROLL_STOPS = [0.01, 0.5, 1]

/** Where Markdown is rendered. */
export const PLACES = ['viewer', 'embed', 'preview'] as const
export type Place = (typeof PLACES)[number]

interface Opening {
  readonly base: string
  /** The path of the document. */
  readonly path: string
  readonly content: string
  readonly place: Place
  readonly cpuSlowdown: number
}

declare global {
  var hostile: { lastBlockedAt: number; isRendered: boolean; asked: number }
}

/** Runs in the page, before its scripts: notes long tasks, what workers are asked, and when Markdown is rendered. */
function watch(): void {
  globalThis.hostile = { lastBlockedAt: 0, isRendered: false, asked: 0 }
  new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries()) hostile.lastBlockedAt = startTime + duration
  }).observe({ type: 'longtask', buffered: true })
  const finish = () => {
    hostile.isRendered = true
    hostile.lastBlockedAt = performance.now()
  }
  globalThis.Worker = class extends Worker {
    #asked = 0
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args)
      this.addEventListener('message', ({ data }) => {
        if (!('part' in data)) this.#count(-1)
        if ('html' in data && data.last) finish()
      })
    }
    #count(by: number): void {
      this.#asked += by
      hostile.asked += by
      hostile.lastBlockedAt = performance.now()
    }
    override postMessage(message: unknown): void {
      super.postMessage(message)
      this.#count(1)
    }
    override terminate(): void {
      super.terminate()
      this.#count(-this.#asked)
      finish()
    }
  }
}

async function settle(page: Page): Promise<void> {
  await page.waitForFunction(
    (quietMs) => hostile.isRendered && performance.now() > hostile.lastBlockedAt + quietMs,
    QUIET_MS,
    { timeout: TIMEOUT_MS },
  )
}

/** Waits until the code editor has highlighted the text, which isn't part of the preview. */
async function settleCodeEditor(page: Page): Promise<void> {
  await page.evaluate(() => {
    hostile.lastBlockedAt = performance.now()
  })
  await page.waitForFunction((quietMs) => performance.now() > hostile.lastBlockedAt + quietMs, 2 * QUIET_MS)
}

/** Opens the page, up to the step that renders the Markdown. */
async function prepare(page: Page, { base, path, content, place }: Opening): Promise<() => Promise<unknown>> {
  if (place === 'viewer') return () => page.goto(base + path, { timeout: TIMEOUT_MS })
  if (place === 'embed') return () => page.goto(`${base}${path}/embed`, { timeout: TIMEOUT_MS })
  await page.goto(base)
  await page.locator('.cm-content').waitFor()
  const file = { name: 'hostile.md', mimeType: 'text/markdown', buffer: Buffer.from(content) }
  await page.locator('input[type=file]').setInputFiles(file)
  const button = page.getByRole('button', { name: 'Preview', exact: true })
  await button.waitFor({ timeout: TIMEOUT_MS })
  await settleCodeEditor(page)
  return () => button.evaluate((element) => (element as HTMLElement).click())
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** CPU time of the thread, in microseconds. Other programs on the machine don't add to it. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

function getLongestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(String(trace)) as { readonly traceEvents: readonly TraceEvent[] }
  const getThread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(getThread),
  )
  const tasks = traceEvents.filter(
    (event) => event.name === 'ThreadControllerImpl::RunTask' && mainThreads.has(getThread(event)),
  )
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1_000
}

/** Renders hostile Markdown and scrolls through it. Returns the CPU time of the longest task, in milliseconds. */
async function openPlace(browser: Browser, page: Page, opening: Opening): Promise<number> {
  await page.addInitScript(watch)
  const show = await prepare(page, opening)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: opening.cpuSlowdown })
  await browser.startTracing(page, { categories: ['toplevel'] })
  await show()
  await settle(page)
  for (const share of SCROLL_STOPS) {
    await page.evaluate(async (share) => {
      const article = document.querySelector('.previewing > .rendered')
      const scroller = article ?? document.documentElement
      scroller.scrollTop = share * scroller.scrollHeight
      hostile.lastBlockedAt = performance.now()
      await new Promise(requestAnimationFrame)
    }, share)
    await settle(page)
  }
  return getLongestTask(await browser.stopTracing())
}

interface Measuring {
  readonly only: string
  readonly runs: number
  readonly cpuSlowdown: number
  readonly device: BrowserContextOptions
  readonly base: string
  readonly createDocument: (content: string) => Promise<string>
}

/** Yields a row for each hostile text: the longest task in each place, in milliseconds of CPU time. */
export async function* measureHostilePages(browser: Browser, measuring: Measuring): AsyncGenerator<string[]> {
  const { only, runs, cpuSlowdown, device, base, createDocument } = measuring
  for (const [name, createContent] of Object.entries(HOSTILE_MARKDOWN)) {
    if (!name.includes(only)) continue
    const content = createContent()
    const path = await createDocument(content)
    const row = [name]
    for (const place of PLACES) {
      let longest = 0
      for (let run = 0; run < runs; run++) {
        const context = await browser.newContext(device)
        try {
          const page = await context.newPage()
          longest = Math.max(
            longest,
            await openPlace(browser, page, { base, path, content, place, cpuSlowdown }),
          )
        } finally {
          await context.close()
        }
      }
      row.push(longest.toFixed(0))
    }
    yield row
  }
}

/** The steps of a reader with a text, one after the other. */
export const STEPS = ['open', 'scroll', 'wrap', 'find', 'select', 'print', 'edit'] as const
/** The steps that are possible on a page without scripts, which has nothing but the text in the same boxes. */
export const BARE_STEPS = ['open', 'scroll'] as const

interface TextOpening extends Pick<Opening, 'base' | 'path' | 'cpuSlowdown'>, Pick<CreatedText, 'token'> {
  readonly password: string | null
  readonly isBare: boolean
}

const BARE_STYLES =
  '<style>pre { margin: 0; font: 13px/20px monospace } .text { display: flex; overflow: auto } ' +
  '.wrapped pre { min-width: 0; white-space: pre-wrap; overflow-wrap: anywhere }</style>'

/** Leaves the text of a page, with the styles of long texts. */
function toBarePage(html: string): string {
  const [section = ''] = /<section class="text[\s\S]*<\/section>/.exec(html) ?? []
  const [styles = ''] = /<link rel="stylesheet" href="[^"]*long-text[^"]*"\/?>/.exec(html) ?? []
  return `<!doctype html><meta name="viewport" content="width=device-width">${BARE_STYLES}${styles}${section}`
}

/** Stores a token as if the document had been created in this browser, whose code editor opens it. */
function rememberToken(created: { readonly id: string; readonly token: string }): void {
  const createdAt = Date.now()
  const document = { ...created, title: null, createdAt, expiresAt: createdAt + 86_400_000 }
  localStorage.setItem('regent.documents', JSON.stringify([document]))
}

async function settleText(page: Page): Promise<void> {
  await page.waitForFunction(
    (quietMs) =>
      document.readyState === 'complete' &&
      hostile.asked === 0 &&
      performance.now() > hostile.lastBlockedAt + quietMs,
    2 * QUIET_MS,
    { timeout: TIMEOUT_MS },
  )
}

/** Returns the CPU time of the longest task of each step, in milliseconds. */
async function readText(browser: Browser, page: Page, opening: TextOpening): Promise<number[]> {
  const { base, path, token, password, isBare, cpuSlowdown } = opening
  if (isBare) {
    await page.route(base + path, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: toBarePage(await response.text()) })
    })
  }
  await page.addInitScript(watch)
  await page.addInitScript(rememberToken, { id: path.slice(1), token })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  const link = password === null ? path : `${path}#${password}`
  const scroll = async () => {
    for (const share of SCROLL_STOPS) {
      await page.evaluate(async (share) => {
        const inner = [...document.querySelectorAll('.json-scroller, .table-scroller, section.text')]
        for (const scroller of [document.documentElement, ...inner]) {
          scroller.scrollTop = share * scroller.scrollHeight
          scroller.scrollLeft = share * scroller.scrollWidth
        }
        hostile.lastBlockedAt = performance.now()
        await new Promise(requestAnimationFrame)
      }, share)
      await settleText(page)
    }
  }
  const steps: Record<(typeof STEPS)[number], () => Promise<unknown>> = {
    open: async () => {
      await page.goto(base + link, { timeout: TIMEOUT_MS })
      if (isBare) return
      await page
        .locator('[data-tool="find"][aria-expanded]')
        .waitFor({ state: 'attached', timeout: TIMEOUT_MS })
    },
    scroll,
    wrap: () => page.keyboard.press('w'),
    find: async () => {
      await page.keyboard.press('/')
      await page.keyboard.type('1')
    },
    select: async () => {
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+a')
    },
    print: async () => {
      // As browsers do: emulating alone would lay out the text as on a screen first.
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
      await page.emulateMedia({ media: 'print' })
      await page.evaluate(() => document.body.getBoundingClientRect().height)
      await page.emulateMedia({ media: null })
    },
    edit: async () => {
      await page.goto(`${base}${path}/edit${password === null ? '' : `#${password}`}`, {
        timeout: TIMEOUT_MS,
      })
      await page.locator('.cm-content').waitFor({ timeout: TIMEOUT_MS })
    },
  }
  const longest: number[] = []
  for (const step of isBare ? BARE_STEPS : STEPS) {
    await browser.startTracing(page, { categories: ['toplevel'] })
    try {
      await steps[step]()
      await settleText(page)
    } finally {
      longest.push(getLongestTask(await browser.stopTracing()))
    }
  }
  return longest
}

export interface SentText {
  readonly content: string
  readonly language: string
  readonly password: string | null
}

export interface CreatedText {
  readonly path: string
  /** Lets the browser edit it. */
  readonly token: string
}

interface MeasuringTexts extends Omit<Measuring, 'createDocument'> {
  readonly createDocument: (text: SentText) => Promise<CreatedText>
}

/**
 * Yields a row for each hostile text: the longest task of each step, in milliseconds of CPU time, then those of a bare page.
 * The best of the runs.
 */
export async function* measureHostileTexts(
  browser: Browser,
  measuring: MeasuringTexts,
): AsyncGenerator<string[]> {
  const { only, runs, cpuSlowdown, device, base, createDocument } = measuring
  for (const [name, { language, create, isEncrypted }] of Object.entries(HOSTILE_TEXTS)) {
    if (!name.includes(only)) continue
    const password = isEncrypted ? 'correcthorse' : null
    const { path, token } = await createDocument({ content: create(), language, password })
    const read = async (isBare: boolean): Promise<string[]> => {
      let best: number[] | null = null
      for (let run = 0; run < runs; run++) {
        const context = await browser.newContext(device)
        try {
          await context.request.post(`${base}${path}/manage`, { form: { token }, headers: { Origin: base } })
          const opening = { base, path, token, password, isBare, cpuSlowdown }
          const figures = await readText(browser, await context.newPage(), opening)
          best = figures.map((figure, index) => Math.min(figure, best?.[index] ?? figure))
        } finally {
          await context.close()
        }
      }
      return (best ?? []).map((figure) => figure.toFixed(0))
    }
    // A page without scripts can't decrypt.
    yield [name, ...(await read(false)), ...(password === null ? await read(true) : ['', ''])]
  }
}
