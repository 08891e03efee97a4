import type { Page } from 'playwright-core'
import {
  CODE,
  type CreatedDocument,
  click,
  MARKDOWN,
  NO_SCRIPTS,
  openDocument,
  type State,
  type World,
} from './world.ts'

const openEditPage = async (page: Page, { id }: CreatedDocument): Promise<void> => {
  await page.goto(`/${id}/edit`)
}

const waitForColours = (page: Page) => page.locator('.tok-keyword').first().waitFor()

async function openEditPageInColours(page: Page, document: CreatedDocument): Promise<void> {
  await openEditPage(page, document)
  await waitForColours(page)
}

const ORIGINAL = 'Digits and letters without vowels'
const MINE = CODE.replace(ORIGINAL, 'Digits and consonants')
const THEIRS = CODE.replace(ORIGINAL, 'Letters without vowels').replace('length < 4', 'length < 5')

/** Edits a document and saves it, after somebody else has saved another version. */
async function causeConflict(page: Page, document: CreatedDocument, world: World): Promise<void> {
  await openEditPage(page, document)
  await page.getByLabel('Text', { exact: true }).fill(MINE)
  await fetch(`${world.base}/v1/document`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', Authorization: world.getKey('ada') },
    body: JSON.stringify({ id: document.id, content: THEIRS }),
  })
  await click(page, 'Save')
  await page.getByRole('alert').first().waitFor()
}

const SETTINGS = { language: 'typescript', editors: ['newcomer'] }

export const EDIT_STATES: State[] = [
  { name: 'edit', viewer: 'ada', open: openDocument(CODE, SETTINGS, openEditPageInColours) },
  { name: 'edit-by-editor', viewer: 'newcomer', open: openDocument(CODE, SETTINGS, openEditPageInColours) },
  {
    name: 'edit-preview',
    viewer: 'ada',
    open: openDocument(MARKDOWN, { language: 'markdown' }, async (page, document) => {
      await openEditPage(page, document)
      await click(page, 'Preview')
      await page.locator('.rendered table').waitFor()
    }),
  },
  {
    name: 'edit-settings',
    viewer: 'ada',
    whole: false,
    open: openDocument(CODE, SETTINGS, async (page, document) => {
      await openEditPageInColours(page, document)
      await page.locator('#more-menu > summary').click()
    }),
  },
  {
    name: 'edit-without-scripts',
    viewer: 'ada',
    context: NO_SCRIPTS,
    open: openDocument(CODE, SETTINGS, openEditPage),
  },
  { name: 'edit-encrypted', viewer: 'ada', open: openDocument('x', { encrypted: true }, openEditPage) },
  {
    name: 'edit-decrypted',
    viewer: 'ada',
    open: openDocument(CODE, { encrypted: true, language: 'typescript' }, async (page, document) => {
      await openEditPage(page, document)
      await page.getByLabel('Password').fill(document.password ?? '')
      await page.keyboard.press('Enter')
      await waitForColours(page)
    }),
  },
  {
    name: 'edit-offline',
    viewer: 'ada',
    open: openDocument(CODE, SETTINGS, async (page, document) => {
      await openEditPage(page, document)
      await page.getByLabel('Text', { exact: true }).fill(MINE)
      await page.route('**/v1/document', (route) => route.abort())
      await click(page, 'Save')
      await page.getByRole('alert').waitFor()
    }),
  },
  {
    name: 'edit-conflict',
    viewer: 'ada',
    open: openDocument(CODE, SETTINGS, async (page, document, world) => {
      await causeConflict(page, document, world)
      await page.getByRole('button', { name: 'Keep mine' }).first().waitFor()
    }),
  },
  {
    name: 'edit-conflict-without-scripts',
    viewer: 'ada',
    context: NO_SCRIPTS,
    open: openDocument(CODE, SETTINGS, causeConflict),
  },
]
