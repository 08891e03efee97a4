import type { Page } from 'playwright-core'
import { CODE, type CreatedDocument, create, type State, type World, waitForColours } from './world.ts'

/** Opens a page of a document whose clock runs only when asked, changes the document, and waits for the notice. */
const openChanged =
  (
    suffix: string,
    change: (made: CreatedDocument, world: World) => Promise<unknown>,
    before: (page: Page) => Promise<unknown> = waitForColours,
  ) =>
  async (page: Page, world: World) => {
    const made = await create(world, CODE, { language: 'typescript', editors: ['newcomer'] })
    await page.clock.install()
    await page.goto(`/${made.id}${suffix}`)
    await before(page)
    await page.clock.runFor(2_000)
    await page.locator('aside.toast').waitFor({ state: 'attached' })
    await change(made, world)
    await page.clock.runFor(11_000)
    await page.locator('aside.toast p').waitFor()
  }

const request = (world: World, method: string, path: string, body?: object) =>
  fetch(`${world.base}/v1/document${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: world.getKey('ada') },
    ...(body && { body: JSON.stringify(body) }),
  })

const edit = ({ id }: CreatedDocument, world: World) =>
  request(world, 'PATCH', '', { id, content: `${CODE}\n// More\n` })

const waitForEditor = (page: Page) => page.locator('.cm-content').waitFor()

/** Pages that are open while somebody else saves or deletes the document. */
export const CHANGE_STATES: State[] = [
  { name: 'changed', whole: false, open: openChanged('', edit) },
  {
    name: 'changed-deleted',
    whole: false,
    open: openChanged('', ({ id }, world) => request(world, 'DELETE', `/${id}`)),
  },
  {
    name: 'changed-editing',
    viewer: 'newcomer',
    whole: false,
    open: openChanged('/edit', edit, waitForEditor),
  },
  {
    name: 'changed-editing-typed',
    viewer: 'newcomer',
    whole: false,
    open: async (page, world) => {
      await openChanged('/edit', edit, async () => {
        await waitForEditor(page)
        await page.locator('.cm-content').press('Control+Home')
        await page.keyboard.type('// Mine\n')
      })(page, world)
      await page.getByRole('button', { name: 'Show changes' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
]
