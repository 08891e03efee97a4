import type { Page } from 'playwright-core'
import { CODE, DIFF, LOG, LONG_LINES, MARKDOWN, TERMINAL } from './texts.ts'
import { click, isPhone, openDocument, type State, type World, waitForColours } from './world.ts'

const waitForRendered = (page: Page) => page.locator('.rendered table').waitFor()

const waitForLog = (page: Page) => page.locator('.log-bar').waitFor({ state: 'attached' })

async function openMenu(page: Page, name: string): Promise<void> {
  await click(page, name)
  await page.locator('.menu:popover-open').waitFor()
}

const print = (page: Page) => page.emulateMedia({ media: 'print' })

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
export const READER_STATES: State[] = [
  { name: 'document-rendered', open: openDocument(MARKDOWN, { language: 'markdown' }, waitForRendered) },
  {
    name: 'document-markdown-source',
    open: openDocument(MARKDOWN, { language: 'markdown', expiration: null }, async (page, { id }) => {
      await page.goto(`/${id}?view=source`)
      await waitForColours(page)
    }),
  },
  { name: 'document-terminal', open: openDocument(TERMINAL, {}, waitForColours) },
  { name: 'document-diff', open: openDocument(DIFF, { language: 'diff' }, waitForColours) },
  { name: 'document-log', open: openDocument(LOG, { language: 'log' }, waitForLog) },
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
      if (isPhone(page)) await openMenu(page, 'More')
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
