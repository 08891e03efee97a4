import type { Page } from 'playwright-core'
import type { TextFile } from '../../src/shared/txtar.ts'
import {
  CODE,
  type CreatedDocument,
  click,
  isPhone,
  NO_SCRIPTS,
  openDocument,
  type State,
  type World,
} from './world.ts'

const CHANGED = CODE.replace('Digits and letters without vowels', 'Digits and consonants')
const NEWEST = CHANGED.replace('length < 4', 'length < 5').replace(/\n[^\n]*$/, '\n// Added later.\n')

async function edit(
  world: World,
  { id, password }: CreatedDocument,
  change: string | readonly TextFile[],
  viewer: 'ada' | 'newcomer' = 'ada',
): Promise<void> {
  await fetch(`${world.base}/v1/document`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', Authorization: world.getKey(viewer) },
    body: JSON.stringify({
      id,
      password,
      ...(typeof change === 'string' ? { content: change } : { files: change }),
    }),
  })
}

const README = { name: 'README.md', content: '# Ids\n\nThey are random.\n' }

const SETTINGS = { language: 'typescript', editors: ['newcomer'] }

/** Creates a document with three versions and opens a page of its history. */
const openHistory = (
  page: string,
  then: (page: Page, document: CreatedDocument, world: World) => Promise<unknown> = async () => {},
  settings: object = SETTINGS,
) =>
  openDocument(CODE, settings, async (browserPage, document, world) => {
    await edit(world, document, CHANGED)
    await edit(world, document, NEWEST, document.password === undefined ? 'newcomer' : 'ada')
    await browserPage.goto(`/${document.id}/history${page}`)
    await then(browserPage, document, world)
  })

async function decrypt(page: Page, { password = '' }: CreatedDocument): Promise<void> {
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.locator('.comparison, section.text').first().waitFor()
}

const ENCRYPTED = { language: 'typescript', encrypted: true }

export const HISTORY_STATES: State[] = [
  { name: 'history', viewer: 'ada', open: openHistory('') },
  {
    name: 'history-files',
    viewer: 'ada',
    open: openDocument(CODE, SETTINGS, async (page, document, world) => {
      await edit(world, document, [README, { name: 'ids.ts', content: CODE }])
      await edit(world, document, [{ name: 'src/ids.ts', content: CODE }, README])
      await edit(world, document, CHANGED)
      await page.goto(`/${document.id}/history`)
    }),
  },
  {
    name: 'history-none',
    viewer: 'ada',
    open: openDocument(CODE, SETTINGS, (page, { id }) => page.goto(`/${id}/history`)),
  },
  {
    name: 'history-delete',
    viewer: 'ada',
    whole: false,
    open: openHistory('', (page) => click(page, 'Delete history')),
  },
  { name: 'history-version', viewer: 'ada', open: openHistory('/2') },
  {
    name: 'history-versions',
    viewer: 'ada',
    whole: false,
    open: openHistory('/2', async (page) => {
      if (isPhone(page)) await page.locator('[popovertarget="versions"]').click()
    }),
  },
  {
    name: 'history-compare-menu',
    viewer: 'ada',
    whole: false,
    open: openHistory('', (page) => click(page, 'Compared with version 2')),
  },
  { name: 'history-text', viewer: 'ada', open: openHistory('/2?view=text') },
  { name: 'history-compare', viewer: 'ada', open: openHistory('/compare?from=1&to=3') },
  { name: 'history-compare-unified', viewer: 'ada', open: openHistory('/compare?from=1&to=3&view=unified') },
  {
    name: 'history-compare-without-scripts',
    viewer: 'ada',
    context: NO_SCRIPTS,
    open: openHistory('/compare?from=1&to=3'),
  },
  {
    name: 'history-restore-conflict',
    viewer: 'ada',
    open: openHistory('/1', async (page, document, world) => {
      await edit(world, document, `${NEWEST}\n// One more.\n`, 'newcomer')
      await click(page, 'Restore')
      await page.getByRole('alert').waitFor()
    }),
  },
  { name: 'history-encrypted', viewer: 'ada', open: openHistory('/compare', undefined, ENCRYPTED) },
  { name: 'history-encrypted-compared', viewer: 'ada', open: openHistory('/compare', decrypt, ENCRYPTED) },
  { name: 'history-encrypted-version', viewer: 'ada', open: openHistory('/1', decrypt, ENCRYPTED) },
]
