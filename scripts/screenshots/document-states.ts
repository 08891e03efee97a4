import type { Page } from 'playwright-core'
import { CHANGE_STATES } from './change-states.ts'
import { EDIT_STATES } from './edit-states.ts'
import {
  CODE,
  click,
  create,
  DIFF,
  HIDDEN,
  isPhone,
  LOG,
  LONG_LINES,
  MANY_LINES,
  MARKDOWN,
  NO_SCRIPTS,
  ONE_LINE,
  openDocument,
  RIGHT_TO_LEFT,
  type State,
  TERMINAL,
  type World,
  waitForColours,
} from './world.ts'

/** A log as GitHub Actions writes it, longer than a window. */
const CI_LOG = `##[group]Run npm ci
added 412 packages in 9s
##[endgroup]
##[group]Run npm test
${Array.from({ length: 60 }, (_, index) => `ok ${index} - answers a request in ${(index * 7) % 31} ms\n`).join('')}##[endgroup]
##[warning]Node.js 20 actions are deprecated.
##[error]Process completed with exit code 1.
${LOG.repeat(4)}`

/** Logs of several programs, with addresses, a progress bar and sequences that only a terminal understands. */
const MIXED_LOG = `\x1B]0;deploy\x07\x1B(B[2026-11-20 08:00:00] production.ERROR: Payment failed, see https://status.pay.example/incidents/42.
[08:00:02] [Server thread/WARN]: Can't keep up! Is the server overloaded?
::error file=src/app.ts,line=12::Missing semicolon
Uploading  12%\rUploading  57%\rUploading 100%
2026-11-20T08:00:05Z INFO listening on http://localhost:8787/ (docs: https://example.org/docs)
2026-11-20T08:00:06Z no level here, only an error in a sentence
2026-11-20T08:00:07Z DEBUG https://example.com@evil.example/ isn't a link
`
const ADDRESSES = `# See https://example.org/guide (or https://en.wikipedia.org/wiki/URL_(disambiguation)).
API = "https://api.example.org/v1?limit=10&after=abc"  # mailto:ada@example.org
LONG = "https://example.org/${'a-long-path/'.repeat(14)}"

def get(path):
    return fetch(API + path)
`

/** A frame as on another site. */
const FRAME = { viewport: { width: 720, height: 360 }, isMobile: false, hasTouch: false } as const

/** Creates a document and opens its embed. */
const openEmbed =
  (content: string, settings: object, query = '', then: (page: Page) => Promise<unknown> = async () => {}) =>
  async (page: Page, world: World) => {
    const { id } = await create(world, content, settings)
    await page.goto(`/${id}/embed${query}`)
    await then(page)
  }

const TYPESCRIPT = { language: 'typescript' } as const

/** Documents in frames of other sites, and the page with their code. */
const EMBED_STATES: State[] = [
  { name: 'embed', whole: false, context: FRAME, open: openEmbed(CODE, TYPESCRIPT, '', waitForColours) },
  {
    name: 'embed-phone',
    whole: false,
    context: { viewport: { width: 340, height: 360 } },
    open: openEmbed(LONG_LINES, { language: 'json', title: 'a-rather-long-name-of-a-file.json' }),
  },
  {
    name: 'embed-lines',
    whole: false,
    context: FRAME,
    open: openEmbed(CODE, TYPESCRIPT, '?lines=3-9', waitForColours),
  },
  {
    name: 'embed-themed',
    whole: false,
    context: FRAME,
    open: openEmbed(CODE, TYPESCRIPT, '?theme=dark', waitForColours),
  },
  {
    name: 'embed-markdown',
    whole: false,
    context: FRAME,
    open: openEmbed(MARKDOWN, { language: 'markdown' }, '', (page) => page.locator('.rendered').waitFor()),
  },
  { name: 'embed-long', whole: false, context: FRAME, open: openEmbed(MANY_LINES, {}) },
  {
    name: 'embed-hidden-characters',
    whole: false,
    context: FRAME,
    open: openEmbed(HIDDEN, { language: 'c' }, '', (page) => page.locator('[data-code]').first().waitFor()),
  },
  {
    name: 'embed-without-scripts',
    whole: false,
    context: { ...FRAME, ...NO_SCRIPTS },
    open: openEmbed(CODE, TYPESCRIPT),
  },
  {
    name: 'embed-not-available',
    whole: false,
    context: FRAME,
    open: openEmbed('x', { encrypted: true }),
  },
  {
    name: 'embed-code',
    open: async (page, world) => {
      const { id } = await create(world, CODE, TYPESCRIPT)
      await page.goto(`/${id}/embed/code?lines=2-12`)
      const preview = page.frameLocator('.embed-preview')
      await preview.locator('#text').waitFor()
    },
  },
  {
    name: 'embed-code-problem',
    open: async (page, world) => {
      const { id } = await create(world, CODE, TYPESCRIPT)
      await page.goto(`/${id}/embed/code?lines=ten`)
    },
  },
]

const waitForRendered = (page: Page) => page.locator('.rendered table').first().waitFor()

/** Metadata, text from right to left, and struck text. */
const METADATA = `---
title: "Release plan: the winter version"
authors: [Ada, Grace]
date: 2026-11-25
version: 1.10
links:
  - name: Board
    to: https://example.org/board
  - name: Notes
    to: https://example.org/notes
description: A rather long description of what this document says, so that it takes more than one line on a phone.
---

The plan for ~~December~~ ~November~ January.

# שלום עולם

זה מסמך בעברית עם **מילים** ב-English ומספרים 123.

- פריט ראשון
- פריט שני עם \`code\`
- An item in English

1. مرحبا بالعالم

2. النص العربي يبدأ من اليمين

> ציטוט: הכול יהיה בסדר.

| שם | ערך |
| --- | --- |
| ראשון | 1 |
`

const CSV = `Country,Capital,Population,Area (km²),Founded,Notes
${['Norway,Oslo,5550203,385207,1814-05-17,"Long coast, many fjords"', 'Japan,東京,123201945,377975,,', 'Egypt,القاهرة,107300000,1010408,1922-02-28,"Most people live near the Nile, in a strip of land that is only a few kilometres wide"', 'Chile,Santiago,18549457,756102,1810-09-18,', 'Iceland,Reykjavík,389444,103000,1944-06-17,""'].join('\n')}
`
const MANY_ROWS = `id,name,price,date,comment\n${Array.from({ length: 100_000 }, (_, row) => `${row + 1},Product ${(row * 7919) % 100_003},${((row * 37) % 10_000) / 100},2026-${String((row % 12) + 1).padStart(2, '0')}-01,${row % 9 === 0 ? 'A comment that is rather long and will not fit into the column of a table' : ''}\n`).join('')}`
const JSON_LINE = JSON.stringify({
  id: 'c0ffee',
  total: 1250.5,
  paid: true,
  customer: { name: 'Ada Lovelace', email: 'ada@example.org', address: null },
  items: [
    { sku: 'A-1', quantity: 2, tags: ['new', 'blue'] },
    { sku: 'B-7', quantity: 1, tags: [] },
  ],
})

const waitForTable = (page: Page) => page.getByRole('searchbox', { name: 'Filter rows' }).waitFor()
const waitForTree = (page: Page) => page.locator('.json-row').first().waitFor()

const waitForLog = (page: Page) => page.locator('.log-bar').waitFor({ state: 'attached' })

async function openMenu(page: Page, name: string): Promise<void> {
  await click(page, name)
  await page.locator('.menu:popover-open').waitFor()
}

/** Any key loads the script that numbers the lines for print. */
async function print(page: Page): Promise<void> {
  await page.keyboard.press('Shift')
  await page.emulateMedia({ media: 'print' })
  await page.locator('.print-lines').waitFor({ state: 'attached' })
}

/** Opens a document in one of the named themes. */
const themed = (
  theme: string,
  content: string,
  settings: object,
  wait: (page: Page) => Promise<unknown>,
) => ({
  name: `theme-${theme}`,
  open: async (page: Page, world: World) => {
    await page.context().addCookies([{ name: 'theme', value: theme, url: world.base }])
    await openDocument(content, settings, wait)(page, world)
  },
})

/** The page of a document in each view, menu, tool and theme, and on paper. */
const READER_STATES: State[] = [
  { name: 'document-rendered', open: openDocument(MARKDOWN, { language: 'markdown' }, waitForRendered) },
  {
    name: 'document-markdown-source',
    open: openDocument(MARKDOWN, { language: 'markdown', expiration: null }, async (page, { id }) => {
      await page.goto(`/${id}?view=source`)
      await waitForColours(page)
    }),
  },
  {
    name: 'document-keys',
    whole: false,
    open: openDocument(LOG, { language: 'log' }, async (page) => {
      await waitForLog(page)
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    }),
  },
  { name: 'document-metadata', open: openDocument(METADATA, { language: 'markdown' }, waitForRendered) },
  { name: 'document-table', open: openDocument(CSV, { language: 'csv' }, waitForTable) },
  {
    name: 'document-table-sorted',
    whole: false,
    open: openDocument(MANY_ROWS, { language: 'csv', title: 'products.csv' }, async (page) => {
      await waitForTable(page)
      await click(page, 'price')
      await page.locator('[aria-sort]').waitFor()
    }),
  },
  {
    name: 'document-table-without-scripts',
    context: NO_SCRIPTS,
    open: openDocument(CSV, { language: 'csv' }),
  },
  { name: 'document-tree', open: openDocument(JSON_LINE, { language: 'json' }, waitForTree) },
  {
    name: 'document-tree-folded',
    open: openDocument(JSON_LINE, { language: 'json' }, async (page) => {
      await waitForTree(page)
      await click(page, 'Collapse all')
      await page.locator('.json-count').first().waitFor()
    }),
  },
  { name: 'document-terminal', open: openDocument(TERMINAL, {}, waitForColours) },
  { name: 'document-diff', open: openDocument(DIFF, { language: 'diff' }, waitForColours) },
  { name: 'document-log', open: openDocument(LOG, { language: 'log' }, waitForLog) },
  {
    name: 'document-log-mixed',
    open: openDocument(MIXED_LOG, { language: 'log' }, async (page) => {
      await waitForLog(page)
      await page.locator('pre.log a').first().waitFor()
    }),
  },
  { name: 'document-addresses', open: openDocument(ADDRESSES, { language: 'python' }, waitForColours) },
  {
    name: 'document-cr',
    open: openDocument('year,share\r2025,5\r2026,6\r', { language: 'csv' }, waitForTable),
  },
  {
    name: 'document-log-groups',
    whole: false,
    open: openDocument(CI_LOG, { language: 'log' }, async (page) => {
      await waitForLog(page)
      await page.keyboard.press('n')
    }),
  },
  {
    name: 'document-log-filters',
    whole: false,
    open: openDocument(LOG, { language: 'log' }, async (page) => {
      await waitForLog(page)
      if (isPhone(page)) await page.locator('.log-toggle').click()
      await click(page, 'Warning')
      await page.locator('#log-status', { hasText: /of/ }).waitFor()
    }),
  },
  {
    name: 'document-log-nothing',
    whole: false,
    open: openDocument(LOG, { language: 'log' }, async (page) => {
      await waitForLog(page)
      if (isPhone(page)) await page.locator('.log-toggle').click()
      await page.getByRole('searchbox', { name: 'Filter' }).fill('no line says this')
      await page.locator('#log-status', { hasText: /of|No/ }).waitFor()
    }),
  },
  {
    name: 'document-find',
    whole: false,
    open: openDocument(CODE, { language: 'typescript' }, async (page) => {
      await waitForColours(page)
      await click(page, 'Find')
      await page.getByRole('searchbox', { name: 'Find in text' }).fill('length')
      await page.getByText('1 of').waitFor()
    }),
  },
  {
    name: 'document-display-menu',
    whole: false,
    open: openDocument(CODE, { language: 'typescript' }, async (page) => {
      await waitForColours(page)
      await openMenu(page, 'Display')
      await page.getByLabel('Language').waitFor()
    }),
  },
  {
    name: 'document-more-menu',
    whole: false,
    open: openDocument(CODE, { language: 'typescript' }, async (page) => {
      await waitForColours(page)
      await openMenu(page, 'More')
    }),
  },
  {
    name: 'document-qr',
    whole: false,
    open: openDocument(CODE, { language: 'typescript' }, async (page) => {
      await waitForColours(page)
      await openMenu(page, 'More')
      await page.locator('[data-tool="qr"]:visible').click()
      await page.locator('#qr svg, #qr img, #qr canvas').first().waitFor()
    }),
  },
  themed('sand', CODE, { language: 'typescript' }, waitForColours),
  themed('fjord', DIFF, { language: 'diff' }, waitForColours),
  themed('plum', MARKDOWN, { language: 'markdown' }, waitForRendered),
  themed('contrast', LOG, { language: 'log' }, waitForLog),
  { name: 'print-code', open: openDocument(LONG_LINES, { language: 'json' }, print) },
  {
    name: 'print-rendered',
    open: openDocument(MARKDOWN, { language: 'markdown' }, async (page) => {
      await waitForRendered(page)
      await print(page)
    }),
  },
  {
    name: 'print-log',
    open: openDocument(LOG, { language: 'log' }, async (page) => {
      await waitForLog(page)
      await print(page)
    }),
  },
  {
    name: 'print-diff',
    open: openDocument(DIFF, { language: 'diff' }, async (page) => {
      await waitForColours(page)
      await print(page)
    }),
  },
]

/** A desktop window of 1280 pixels, zoomed to 400% (WCAG 1.4.10). */
const ZOOMED = { viewport: { width: 320, height: 256 }, isMobile: false, hasTouch: false } as const

async function enterWrongPassword(page: Page): Promise<void> {
  await page.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
}

async function shareDuplicate(page: Page): Promise<void> {
  // A phone has it in a menu.
  await page.locator('[data-tool="duplicate"]').first().dispatchEvent('click')
  await page.getByText('This is a copy').waitFor()
  await click(page, 'Share')
  await page.getByText('duplicated from').waitFor()
}

export const DOCUMENT_STATES: State[] = [
  { name: 'document', open: openDocument(CODE, { language: 'typescript' }, waitForColours) },
  {
    name: 'document-long-lines',
    open: openDocument(LONG_LINES, { language: 'json', long_urls: true }, waitForColours),
  },
  { name: 'document-long', whole: false, open: openDocument(MANY_LINES, {}) },
  {
    name: 'document-wrapped',
    whole: false,
    open: openDocument(LONG_LINES, { language: 'yaml' }, async (page) => {
      await click(page, 'Wrap')
      await page.locator('section.wrapped').waitFor()
    }),
  },
  {
    name: 'document-linked-lines',
    whole: false,
    open: openDocument(MANY_LINES, {}, async (page, { id }) => {
      await page.goto(`/${id}#L2010-L2014`)
      await page.locator('.linked-lines').first().waitFor()
    }),
  },
  { name: 'document-hidden-characters', open: openDocument(HIDDEN, { language: 'c' }, waitForColours) },
  { name: 'document-right-to-left', open: openDocument(RIGHT_TO_LEFT, {}) },
  { name: 'document-one-line', open: openDocument(ONE_LINE, {}) },
  { name: 'document-one-character', open: openDocument('x', {}) },
  {
    name: 'document-without-scripts',
    context: NO_SCRIPTS,
    open: openDocument(CODE, { language: 'typescript' }),
  },
  {
    name: 'document-zoomed',
    context: ZOOMED,
    open: openDocument(CODE, { language: 'typescript', long_urls: true }, waitForColours),
  },
  {
    name: 'document-own',
    viewer: 'ada',
    open: openDocument(CODE, { language: 'typescript' }, waitForColours),
  },
  {
    name: 'document-own-more-menu',
    viewer: 'ada',
    whole: false,
    open: openDocument(CODE, { language: 'typescript' }, async (page) => {
      await waitForColours(page)
      await openMenu(page, 'More')
    }),
  },
  {
    name: 'document-duplicate',
    open: openDocument(
      CODE,
      { public: true, title: 'parse-arguments-of-the-command-line.ts' },
      shareDuplicate,
    ),
  },
  ...READER_STATES,
  { name: 'encrypted', open: openDocument('encrypted text', { encrypted: true }) },
  { name: 'encrypted-wrong', open: openDocument('encrypted text', { encrypted: true }, enterWrongPassword) },
  {
    name: 'decrypted',
    open: openDocument(CODE, { encrypted: true, language: 'typescript' }, async (page, { password }) => {
      await page.getByLabel('Password').fill(password ?? '')
      await page.keyboard.press('Enter')
      await page.locator('.text').waitFor()
      await waitForColours(page)
    }),
  },
  {
    name: 'decrypted-rendered',
    open: openDocument(MARKDOWN, { encrypted: true, language: 'markdown' }, async (page, { password }) => {
      await page.goto(`${page.url()}#${password}`)
      await waitForRendered(page)
    }),
  },
  {
    name: 'encrypted-without-scripts',
    context: NO_SCRIPTS,
    open: openDocument('encrypted text', { encrypted: true }),
  },
  { name: 'burn', open: openDocument('text that burns after reading', { instant_delete: true }) },
  { name: 'burn-encrypted', open: openDocument('x', { instant_delete: true, encrypted: true }) },
  {
    name: 'burned',
    open: openDocument(CODE, { instant_delete: true }, async (page) => {
      await click(page, 'Read and delete')
      await page.getByRole('button', { name: 'Save a copy' }).waitFor()
      await waitForColours(page)
    }),
  },
  {
    name: 'delete-dialog',
    viewer: 'ada',
    whole: false,
    open: openDocument(CODE, {}, async (page) => {
      await click(page, 'More')
      await click(page, 'Delete document')
    }),
  },
  ...EDIT_STATES,
  ...EMBED_STATES,
  ...CHANGE_STATES,
  {
    name: 'editors',
    viewer: 'ada',
    open: openDocument(CODE, { editors: ['newcomer', 'judge'] }, (page, { id }) =>
      page.goto(`/${id}/editors`),
    ),
  },
  {
    name: 'editors-problem',
    viewer: 'ada',
    open: openDocument(CODE, { editors: ['newcomer'] }, async (page, { id }) => {
      await page.goto(`/${id}/editors`)
      await page.getByLabel('Username').fill('nobody-has-this-name')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
    }),
  },
  {
    name: 'editors-leave',
    viewer: 'newcomer',
    open: openDocument(CODE, { editors: ['newcomer'] }, (page, { id }) => page.goto(`/${id}/editors`)),
  },
  {
    name: 'delete',
    viewer: 'ada',
    open: openDocument(CODE, {}, (page, { id }) => page.goto(`/${id}/delete`)),
  },
  { name: 'report', open: openDocument(CODE, {}, (page, { id }) => page.goto(`/${id}/report`)) },
  {
    name: 'report-error',
    open: openDocument(CODE, {}, async (page, { id }) => {
      await page.goto(`/${id}/report`)
      await page.getByRole('radio').first().check()
      await page.getByLabel('Details').fill('x'.repeat(1_001))
      await click(page, 'Send report')
      await page.getByRole('alert').waitFor()
    }),
  },
  {
    name: 'report-thanks',
    open: openDocument(CODE, {}, (page, { id }) => page.goto(`/${id}/report/thanks`)),
  },
]
