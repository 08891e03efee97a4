import type { Page } from 'playwright-core'
import { formatArchive, type TextFile } from '../../src/shared/txtar.ts'
import {
  CODE,
  click,
  create,
  isPhone,
  LOG,
  NO_SCRIPTS,
  openDocument,
  type State,
  TERMINAL,
  waitForColours,
} from './world.ts'

const ARCHIVE = { language: 'txtar' } as const

const TWO: readonly TextFile[] = [
  { name: 'src/ids.ts', content: CODE },
  { name: 'server.log', content: LOG },
]

/** The files of a bug report. */
const REPORT: readonly TextFile[] = [
  ...TWO,
  { name: 'README.md', content: '# Nothing is stored\n\nSince **Monday**, every third request fails.\n' },
  { name: 'ci.txt', content: TERMINAL },
  { name: 'versions.csv', content: 'name,version\nnode,24.21.0\nnpm,11.6.2\n' },
]

const makeMany = (count: number): TextFile[] =>
  Array.from({ length: count }, (_, index) => ({ name: `src/parts/part-${index + 1}.ts`, content: CODE }))

const openFiles = (files: readonly TextFile[], then?: (page: Page) => Promise<unknown>) =>
  openDocument(formatArchive(files), ARCHIVE, then)

/** Chooses files on the page for new documents. */
async function choose(page: Page, files: readonly TextFile[]): Promise<void> {
  await page.goto('/')
  await page.locator('.cm-content').waitFor()
  await page.locator('[data-part="file"]').setInputFiles(
    files.map(({ name, content }) => ({
      name: name.slice(name.lastIndexOf('/') + 1),
      mimeType: '',
      buffer: Buffer.from(content),
    })),
  )
  await page.locator('.file-name, .file-list-name').first().waitFor({ state: 'attached' })
}

/** Documents with several files: read and written. */
export const FILES_STATES: State[] = [
  { name: 'files-2', open: openFiles(TWO, waitForColours) },
  { name: 'files-report', open: openFiles(REPORT, waitForColours) },
  { name: 'files-12', open: openFiles(makeMany(12), waitForColours) },
  { name: 'files-100', whole: false, open: openFiles(makeMany(100), waitForColours) },
  {
    name: 'files-list',
    whole: false,
    open: openFiles(REPORT, async (page) => {
      await click(page, 'Files 5')
      await page.locator('#files:popover-open').waitFor()
    }),
  },
  { name: 'files-without-scripts', context: NO_SCRIPTS, open: openFiles(REPORT) },
  {
    name: 'files-editor-add',
    whole: false,
    open: async (page) => {
      await page.goto('/')
      await page.locator('.cm-content').waitFor()
      if (isPhone(page)) await page.locator('#more-menu > summary').click()
    },
  },
  { name: 'files-editor-2', open: (page) => choose(page, TWO) },
  {
    name: 'files-editor-12',
    whole: false,
    open: async (page) => {
      await choose(page, makeMany(12))
      await page.locator('.file-menu > summary').click()
    },
  },
  {
    name: 'files-editor-rename',
    whole: false,
    open: async (page) => {
      await choose(page, TWO)
      if (isPhone(page)) await page.locator('.file-menu > summary').click()
      await (isPhone(page)
        ? page.getByRole('button', { name: 'Rename ids.ts' }).click()
        : page.getByRole('tab', { name: 'ids.ts' }).press('F2'))
      await page.getByLabel('File name', { exact: true }).fill('server.log')
      await page.getByLabel('File name', { exact: true }).press('Enter')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'files-editor-without-scripts',
    viewer: 'ada',
    context: NO_SCRIPTS,
    open: async (page, world) => {
      const { id } = await create(world, formatArchive(TWO), ARCHIVE)
      await page.goto(`/${id}/edit`)
      await click(page, 'Edit file by file')
    },
  },
]
