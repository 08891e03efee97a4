import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../scripts/support/browser.ts'
import { launchService } from '../scripts/support/launch.ts'
import { parseOptions } from '../scripts/support/script.ts'
import { createDocument } from './browser.ts'
import { formatTable } from './load.ts'

const HELP = `Measures for how long pages with large texts can't answer while somebody uses them, in Chromium on this machine, and how
long printing takes.

Usage: npm run bench -- large-pages [-- --only TEXT]

  --only TEXT   only what contains TEXT

Blocked is the longest task since the first paint, in which the page can't answer. The server is "wrangler dev" on the same
machine. Takes about two minutes.
`

const MIB = 1024 * 1024
const TIMEOUT_MS = 180_000

interface LargePage {
  readonly name: string
  readonly language: string
  readonly text: () => string
  readonly use: (page: Page) => Promise<void>
}

const repeatLine = (line: string, bytes: number) => line.repeat(Math.floor(bytes / line.length))
const createLines = (count: number, toLine: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => toLine(index + 1)).join('')

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const scrollToEnd = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element.scrollTo(0, element.scrollHeight))

/** Searches for something that is only in the last line. */
async function find(page: Page, text: string): Promise<void> {
  await press(page, 'Find')
  await page.getByRole('searchbox', { name: 'Find in text' }).fill(text)
  await page.locator('#text-status').getByText('1 of 1', { exact: true }).waitFor()
}

const toLogEntry = (entry: number) =>
  `${new Date(Date.UTC(2026, 10, 22) + entry * 500).toISOString()} ${entry % 10 ? 'INFO' : 'ERROR'} request ${entry}\n${
    entry % 10 ? '' : `Error: it broke\n${'    at run (/srv/app.js:10:5)\n'.repeat(10)}`
  }`

const LARGE_PAGES: readonly LargePage[] = [
  {
    name: 'a table of 100,000 rows is sorted and filtered',
    language: 'csv',
    text: () =>
      `id,name,value\n${createLines(100_000, (row) => `${row},name ${(row * 7_919) % 100_000},${row % 97}\n`)}`,
    use: async (page) => {
      await page.getByText('100,000 rows').waitFor()
      await scrollToEnd(page, '.table-scroller')
      await page.locator('.table-scroller').getByRole('button', { name: 'name' }).click()
      await page.getByLabel('Filter').fill('name 99999')
      await page.getByText('1 of 100,000 rows').waitFor()
    },
  },
  {
    name: 'JSON of 10 million characters is unfolded and scrolled',
    language: 'json',
    text: () =>
      JSON.stringify(
        Array.from({ length: 80_000 }, (_, id) => ({
          id,
          name: `name ${id}`,
          tags: ['a', 'b'],
          text: 'x'.repeat(60),
        })),
      ),
    use: async (page) => {
      await press(page, 'Expand all')
      await page.getByText('"id": 0,').first().waitFor()
      await scrollToEnd(page, '.json-scroller')
      await page.getByText('"name 79999"', { exact: true }).waitFor()
    },
  },
  {
    name: 'a log of 80,000 entries is filtered and folded',
    language: 'log',
    text: () => createLines(80_000, toLogEntry),
    use: async (page) => {
      await press(page, 'Error 8,000')
      await press(page, 'Fold traces')
      await page.getByLabel('Filter', { exact: true }).fill('request 79990')
      await page.locator('#log-status').getByText('12 of 168,000 lines').waitFor()
    },
  },
  {
    name: '200,000 lines of code are searched',
    language: 'typescript',
    text: () => createLines(200_000, (line) => `${line} ${'the quick brown fox '.repeat(2)}\n`),
    use: (page) => find(page, '200000 '),
  },
  {
    name: 'one line of 10 MiB is searched',
    language: 'plaintext',
    text: () => `${repeatLine('abc def ', 10 * MIB - 8)}the end`,
    use: (page) => find(page, 'the end'),
  },
  {
    name: 'a screen full of long lines is coloured',
    language: 'javascript',
    text: () => `${'a=1;'.repeat(2_499)}\n`.repeat(60),
    use: async (page) => {
      await page.waitForFunction(() => CSS.highlights.has('tok-number'))
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      await page.waitForFunction(() => {
        const [, chunk] = [...document.querySelectorAll('#text .chunk')].reverse()
        return [...(CSS.highlights.get('tok-number') ?? [])].some((range) =>
          chunk?.contains(range.startContainer),
        )
      })
    },
  },
]

/** Runs in the page, before its scripts. */
function watch(): void {
  globalThis.longest = 0
  new PerformanceObserver((list) => {
    const painted =
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.POSITIVE_INFINITY
    for (const { startTime, duration } of list.getEntries()) {
      if (startTime > painted) globalThis.longest = Math.max(globalThis.longest, duration)
    }
  }).observe({ type: 'longtask', buffered: true })
}

declare global {
  var longest: number
}

async function withPage<Result>(
  browser: Browser,
  journey: (page: Page) => Promise<Result>,
  javaScriptEnabled = true,
): Promise<Result> {
  const context = await browser.newContext({ javaScriptEnabled })
  context.setDefaultTimeout(TIMEOUT_MS)
  const page = await context.newPage()
  await page.addInitScript(watch)
  try {
    return await journey(page)
  } finally {
    await context.close()
  }
}

const getLongest = (page: Page) => page.evaluate(() => globalThis.longest)

/** Opens a file in the code editor, and replaces it by what is pasted. */
async function edit(page: Page, base: string): Promise<void> {
  await page.goto(base)
  await page.locator('.cm-content').waitFor()
  await page.evaluate(() => {
    const text = 'a line of a text that is rather long, “as logs are” 😀\n'.repeat(171_890)
    const [drop, paste] = [new DataTransfer(), new DataTransfer()]
    drop.items.add(new File([text], 'big.log'))
    paste.setData('text/plain', text)
    const editor = document.querySelector('.cm-content')
    editor?.dispatchEvent(new DragEvent('drop', { dataTransfer: drop, bubbles: true, cancelable: true }))
    Object.assign(globalThis, { paste })
  })
  await page.getByText('Opened “big.log”.').waitFor()
  await page.keyboard.press('Control+a')
  await page.evaluate(() => {
    const { paste } = globalThis as typeof globalThis & { paste: DataTransfer }
    const editor = document.querySelector('.cm-content')
    editor?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: paste, bubbles: true, cancelable: true }),
    )
  })
  await page.keyboard.type('end')
}

async function print(page: Page, address: string, withNumbers: boolean): Promise<number> {
  await page.goto(address)
  if (withNumbers) {
    await page.emulateMedia({ media: 'print' })
    await page.locator('.print-lines').waitFor()
  }
  const started = performance.now()
  await page.pdf()
  return performance.now() - started
}

export async function measureLargePages(): Promise<void> {
  const { only } = parseOptions(HELP, { only: { type: 'string', default: '' } })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'regent-large-pages-'))
  const service = await launchService({ folder: folder.path, options: [], onOutput: () => {} })
  const browser = await startBrowser()
  const rows: string[][] = []
  const measure = async (name: string, run: () => Promise<number>) => {
    if (name.includes(only)) rows.push([name, (await run()).toFixed(0)])
  }
  try {
    for (const { name, language, text, use } of LARGE_PAGES) {
      await measure(`blocked: ${name}`, async () => {
        const address = service.base + (await createDocument(service.base, language, text()))
        return withPage(browser, async (page) => {
          await page.goto(address)
          await use(page)
          return getLongest(page)
        })
      })
    }
    await measure('blocked: 10 MiB are opened, pasted and changed in the code editor', () =>
      withPage(browser, async (page) => {
        await edit(page, service.base)
        return getLongest(page)
      }),
    )
    const printed =
      service.base +
      (await createDocument(
        service.base,
        'plaintext',
        'const a = compute(1, "some text of usual length")\n'.repeat(10_000),
      ))
    await measure('printing 10,000 lines without scripts', () =>
      withPage(browser, (page) => print(page, printed, false), false),
    )
    await measure('printing 10,000 lines with their numbers', () =>
      withPage(browser, (page) => print(page, printed, true)),
    )
    process.stdout.write(formatTable(['', 'ms'], rows))
  } finally {
    await browser.close()
    await service.stop()
  }
}
