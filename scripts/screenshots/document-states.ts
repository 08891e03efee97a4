import type { Page } from 'playwright-core'
import { EDITING } from './edit-states.ts'
import { CODE, HIDDEN, LOG, LONG_LINES, MANY_LINES, MARKDOWN, ONE_LINE, RIGHT_TO_LEFT } from './texts.ts'
import { click, NO_SCRIPTS, type State, shown } from './world.ts'

/** Colours are painted, and counted nowhere: they are there once a highlight is. */
const coloured = (page: Page) => page.waitForFunction(() => CSS.highlights.size > 0)

/** What a desktop of 1280 pixels shows when it is zoomed to 400 % (WCAG 1.4.10). */
const ZOOMED = { viewport: { width: 320, height: 256 }, isMobile: false, hasTouch: false } as const

async function wrongPassword(page: Page): Promise<void> {
  await page.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
}

export const DOCUMENTS: State[] = [
  { name: 'document', open: shown(CODE, { language: 'typescript' }, coloured) },
  { name: 'document-long-lines', open: shown(LONG_LINES, { language: 'json', long_urls: true }, coloured) },
  { name: 'document-long', whole: false, open: shown(MANY_LINES, {}) },
  {
    name: 'document-wrapped',
    whole: false,
    open: shown(LONG_LINES, { language: 'json' }, (page) => click(page, 'Wrap')),
  },
  {
    name: 'document-marked',
    whole: false,
    open: shown(MANY_LINES, {}, async (page, { id }) => {
      await page.goto(`/${id}#L2010-L2014`)
      await page.locator('.marked').first().waitFor()
    }),
  },
  { name: 'document-markdown', open: shown(MARKDOWN, { language: 'markdown', expiration: null }, coloured) },
  {
    name: 'document-rendered',
    open: shown(MARKDOWN, { language: 'markdown' }, async (page) => {
      await click(page, 'Rendered')
      await page.locator('.rendered table').waitFor()
    }),
  },
  { name: 'document-terminal', open: shown(LOG, {}, coloured) },
  { name: 'document-hidden', open: shown(HIDDEN, { language: 'c' }, coloured) },
  { name: 'document-right-to-left', open: shown(RIGHT_TO_LEFT, {}) },
  { name: 'document-one-line', open: shown(ONE_LINE, {}) },
  { name: 'document-one-character', open: shown('x', {}) },
  { name: 'document-without-scripts', context: NO_SCRIPTS, open: shown(CODE, { language: 'typescript' }) },
  {
    name: 'document-zoomed',
    context: ZOOMED,
    open: shown(CODE, { language: 'typescript', long_urls: true }, coloured),
  },
  { name: 'document-own', visitor: 'ada', open: shown(CODE, { language: 'typescript' }, coloured) },
  {
    name: 'document-print',
    open: shown(LONG_LINES, { language: 'json' }, (page) => page.emulateMedia({ media: 'print' })),
  },
  {
    name: 'document-rendered-print',
    open: shown(MARKDOWN, { language: 'markdown' }, async (page) => {
      await click(page, 'Rendered')
      await page.locator('.rendered table').waitFor()
      await page.emulateMedia({ media: 'print' })
    }),
  },
  { name: 'encrypted', open: shown('a secret', { encrypted: true }) },
  { name: 'encrypted-wrong', open: shown('a secret', { encrypted: true }, wrongPassword) },
  {
    name: 'opened',
    open: shown(CODE, { encrypted: true, language: 'typescript' }, async (page, { password }) => {
      await page.getByLabel('Password').fill(password ?? '')
      await page.keyboard.press('Enter')
      await page.locator('.text').waitFor()
      await coloured(page)
    }),
  },
  { name: 'encrypted-without-scripts', context: NO_SCRIPTS, open: shown('a secret', { encrypted: true }) },
  { name: 'read-once', open: shown('for one reader', { instant_delete: true }) },
  { name: 'read-once-encrypted', open: shown('x', { instant_delete: true, encrypted: true }) },
  {
    name: 'claimed',
    open: shown(CODE, { instant_delete: true }, async (page) => {
      await click(page, /read/i)
      await page.getByText('deleted').first().waitFor()
    }),
  },
  {
    name: 'delete-dialog',
    visitor: 'ada',
    whole: false,
    open: shown(CODE, {}, (page) => click(page, 'Delete document')),
  },
  ...EDITING,
  {
    name: 'editors',
    visitor: 'ada',
    open: shown(CODE, { editors: ['newcomer', 'judge'] }, (page, { id }) => page.goto(`/${id}/editors`)),
  },
  { name: 'report', open: shown(CODE, {}, (page, { id }) => page.goto(`/${id}/report`)) },
  {
    name: 'report-error',
    open: shown(CODE, {}, async (page, { id }) => {
      await page.goto(`/${id}/report`)
      await page.getByRole('radio').first().check()
      await page.getByLabel('What else').fill('x'.repeat(1_001))
      await click(page, 'Send the report')
      await page.getByRole('alert').waitFor()
    }),
  },
  { name: 'report-thanks', open: shown(CODE, {}, (page, { id }) => page.goto(`/${id}/report/thanks`)) },
]
