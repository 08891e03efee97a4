import type { Page } from 'playwright-core'
import { CODE } from './texts.ts'
import { click, type Made, NO_SCRIPTS, type State, shown, type World } from './world.ts'

const edited = async (page: Page, { id }: Made): Promise<void> => {
  await page.goto(`/${id}/edit`)
}

const coloured = (page: Page) => page.locator('.tok-keyword').first().waitFor()

async function editedInColours(page: Page, made: Made): Promise<void> {
  await edited(page, made)
  await coloured(page)
}

const EARLIER = 'Digits and letters without vowels'
const MINE = CODE.replace(EARLIER, 'Digits and consonants')
const THEIRS = CODE.replace(EARLIER, 'Letters without vowels').replace('length < 4', 'length < 5')

/** Opens the editor, writes in it, and is too late with it: somebody else has saved something else. */
async function conflict(page: Page, made: Made, world: World): Promise<void> {
  await edited(page, made)
  await page.getByLabel('Text', { exact: true }).fill(MINE)
  await fetch(`${world.base}/v1/document`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', Authorization: world.keyOf('ada') },
    body: JSON.stringify({ id: made.id, content: THEIRS }),
  })
  await click(page, 'Save')
  await page.getByRole('alert').first().waitFor()
}

const SETTINGS = { language: 'typescript', editors: ['newcomer'] }

export const EDITING: State[] = [
  { name: 'edit', visitor: 'ada', open: shown(CODE, SETTINGS, editedInColours) },
  { name: 'edit-by-editor', visitor: 'newcomer', open: shown(CODE, SETTINGS, editedInColours) },
  { name: 'edit-without-scripts', visitor: 'ada', context: NO_SCRIPTS, open: shown(CODE, SETTINGS, edited) },
  { name: 'edit-encrypted', visitor: 'ada', open: shown('x', { encrypted: true }, edited) },
  {
    name: 'edit-encrypted-opened',
    visitor: 'ada',
    open: shown(CODE, { encrypted: true, language: 'typescript' }, async (page, made) => {
      await edited(page, made)
      await page.getByLabel('Password').fill(made.password ?? '')
      await page.keyboard.press('Enter')
      await coloured(page)
    }),
  },
  {
    name: 'edit-offline',
    visitor: 'ada',
    open: shown(CODE, SETTINGS, async (page, made) => {
      await edited(page, made)
      await page.getByLabel('Text', { exact: true }).fill(MINE)
      await page.route('**/v1/document', (route) => route.abort())
      await click(page, 'Save')
      await page.getByRole('alert').waitFor()
    }),
  },
  {
    name: 'edit-conflict',
    visitor: 'ada',
    open: shown(CODE, SETTINGS, async (page, made, world) => {
      await conflict(page, made, world)
      await page.getByRole('button', { name: 'Keep mine' }).first().waitFor()
    }),
  },
  {
    name: 'edit-conflict-without-scripts',
    visitor: 'ada',
    context: NO_SCRIPTS,
    open: shown(CODE, SETTINGS, conflict),
  },
]
