import type { Page } from 'playwright-core'
import { CHANGE_STATES } from './change-states.ts'
import { EDIT_STATES } from './edit-states.ts'
import { EMBED_STATES } from './embed-states.ts'
import { READER_STATES } from './reader-states.ts'
import { CODE, HIDDEN, LONG_LINES, MANY_LINES, ONE_LINE, RIGHT_TO_LEFT } from './texts.ts'
import { click, NO_SCRIPTS, openDocument, type State, waitForColours } from './world.ts'

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
    open: openDocument(LONG_LINES, { language: 'json' }, (page) => click(page, 'Wrap')),
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
    }),
  },
  {
    name: 'delete-dialog',
    viewer: 'ada',
    whole: false,
    open: openDocument(CODE, {}, (page) => click(page, 'Delete document')),
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
