import type { Page } from 'playwright-core'
import { at, CODE, click, create, LONG_LINES, MARKDOWN, NO_SCRIPTS, type State, type World } from './world.ts'

/** Creates a document without an account, and lets the page's browser remember its token. */
async function createOnDevice(page: Page, world: World, content: string, title: string | null) {
  const response = await fetch(`${world.base}/v1/document`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ content }),
  })
  const { data } = (await response.json()) as { data: { id: string } }
  const token = response.headers.get('X-Document-Token') ?? ''
  const now = Date.now()
  const entry = { id: data.id, token, title, createdAt: now, expiresAt: now + 7 * 86_400_000 }
  await page.goto('/about')
  await page.evaluate((added) => {
    const documents: unknown[] = JSON.parse(localStorage.getItem('regent.documents') ?? '[]')
    localStorage.setItem('regent.documents', JSON.stringify([...documents, added]))
  }, entry)
  return entry
}

async function createSome(page: Page, world: World): Promise<void> {
  await createOnDevice(page, world, CODE, 'ids.ts')
  await createOnDevice(
    page,
    world,
    MARKDOWN,
    'Notes of the meeting, which was much longer than anybody had expected',
  )
  await createOnDevice(page, world, 'x', null)
}

async function shareWithoutScripts(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill(CODE)
  await click(page, 'Share')
  await page.getByRole('link', { name: 'Open document' }).waitFor()
}

/** Pages that people without an account use to manage their documents. */
export const DEVICE_STATES: State[] = [
  {
    name: 'device-empty',
    open: async (page) => {
      await page.goto('/device')
      await page.getByRole('heading', { name: 'No documents' }).waitFor()
    },
  },
  { name: 'device-without-scripts', context: NO_SCRIPTS, open: at('/device') },
  {
    name: 'device',
    open: async (page, world) => {
      await createSome(page, world)
      await page.goto('/device')
      await page.locator('.list tbody tr').nth(2).waitFor()
    },
  },
  {
    name: 'device-signed-in',
    viewer: 'ada',
    open: async (page, world) => {
      await createSome(page, world)
      await page.goto('/device')
      await page.getByRole('button', { name: /^Add/ }).waitFor()
    },
  },
  {
    name: 'your-documents-on-device',
    viewer: 'ada',
    open: async (page, world) => {
      await createSome(page, world)
      await page.goto('/account/documents')
      await page.getByRole('button', { name: /^Add/ }).waitFor()
    },
  },
  {
    name: 'device-forget',
    whole: false,
    open: async (page, world) => {
      await createSome(page, world)
      await page.goto('/device')
      await page.getByRole('checkbox', { name: 'Select all' }).check()
      await page.getByRole('button', { name: 'Forget', exact: true }).click()
    },
  },
  {
    name: 'managed',
    open: async (page, world) => {
      const { id, token } = await createOnDevice(page, world, CODE, 'ids.ts')
      await page.goto(`/${id}/manage?token=${token}`)
      await page.getByRole('link', { name: 'Edit', exact: true }).waitFor()
    },
  },
  {
    name: 'managed-edit',
    open: async (page, world) => {
      const { id, token } = await createOnDevice(page, world, CODE, 'ids.ts')
      await page.goto(`/${id}/manage?token=${token}`)
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await page.locator('.cm-content').waitFor()
    },
  },
  {
    name: 'managed-wrong-token',
    open: async (page, world) => {
      const { id } = await createOnDevice(page, world, CODE, 'ids.ts')
      await page.goto(`/${id}/manage?token=wrong`)
    },
  },
  {
    name: 'created-without-scripts',
    context: NO_SCRIPTS,
    open: async (page) => {
      await page.goto('/')
      await shareWithoutScripts(page)
    },
  },
  {
    name: 'created-encrypted-without-scripts',
    context: NO_SCRIPTS,
    open: async (page) => {
      await page.goto('/')
      await page.locator('#password-menu > summary').click()
      await page.locator('[name="encryption"]').selectOption('generated')
      await shareWithoutScripts(page)
    },
  },
]

let created: Promise<unknown> | undefined

/** Creates public documents once, and opens a page. */
const openPublic = (path: string) => async (page: Page, world: World) => {
  created ??= (async () => {
    for (let number = 1; number <= 30; number++) {
      await create(world, `Public note ${number}\nmore`, { public: true }, 'newcomer')
    }
    await create(world, CODE, { public: true, language: 'typescript', title: 'ids.ts' })
    await create(world, MARKDOWN, {
      public: true,
      language: 'markdown',
      title:
        'Notes of the meeting, which was much longer than anybody had expected, with all that was decided',
    })
    await create(
      world,
      LONG_LINES,
      { public: true, language: 'json', title: '測試 😀 data.json' },
      'newcomer',
    )
    await create(world, CODE, { public: true, language: 'a language nobody has heard of' })
  })()
  await created
  await page.goto(path)
}

/** The pages that list public documents. */
export const EXPLORE_STATES: State[] = [
  { name: 'explore', open: openPublic('/explore') },
  { name: 'explore-signed-in', viewer: 'ada', open: openPublic('/explore?language=typescript') },
  { name: 'explore-without-scripts', context: NO_SCRIPTS, open: openPublic('/explore?search=note') },
  { name: 'explore-nothing', open: at('/explore?search=nothing+like+it') },
  { name: 'public-profile', open: openPublic('/@ada') },
  { name: 'public-profile-empty', viewer: 'judge', open: at('/@judge') },
]

async function block(page: Page, kind: string, value: string): Promise<void> {
  await page.goto('/moderation/blocks')
  await click(page, 'Add a block')
  await page.getByLabel('Kind').selectOption(kind)
  await page.getByLabel('What to block').fill(value)
  await page.getByLabel('Reason').fill('A flood of phishing pages since this morning.')
  await page.getByLabel('Reason').press('Enter')
  await page.locator('.items strong').filter({ hasText: value }).or(page.getByRole('alert')).first().waitFor()
}

/** The pages of the abuse desk. */
export const DESK_STATES: State[] = [
  {
    name: 'moderation-add-block',
    viewer: 'judge',
    whole: false,
    open: async (page) => {
      await page.goto('/moderation/blocks')
      await click(page, 'Add a block')
    },
  },
  {
    name: 'moderation-blocks',
    viewer: 'judge',
    open: async (page) => {
      await block(page, 'address', '2001:db8::/32')
      await block(page, 'domain', 'a-rather-long-name-of-a-domain.phishing.example')
    },
  },
  {
    name: 'moderation-blocks-problem',
    viewer: 'judge',
    whole: false,
    open: (page) => block(page, 'address', 'the whole internet'),
  },
  {
    name: 'moderation-blocks-without-scripts',
    viewer: 'judge',
    context: NO_SCRIPTS,
    whole: false,
    open: (page) => block(page, 'address', 'the whole internet'),
  },
  {
    name: 'moderation-remove-all',
    viewer: 'judge',
    open: at('/moderation/remove-all?kind=account&value=ada'),
  },
  {
    name: 'moderation-remove-all-confirm',
    viewer: 'judge',
    open: async (page, world) => {
      await create(world, CODE, {})
      await page.goto('/moderation/remove-all?kind=account&value=ada')
      await page.getByLabel('Reason').fill('A dump of personal data.')
      await Promise.all([page.waitForEvent('load'), click(page, 'Continue')])
    },
  },
  {
    name: 'moderation-remove-all-problem',
    viewer: 'judge',
    open: async (page) => {
      await page.goto('/moderation/remove-all?kind=account&value=nobody')
      await page.getByLabel('Reason').fill('A dump of personal data.')
      await click(page, 'Continue')
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'moderation-account', viewer: 'judge', open: at('/moderation/accounts?username=newcomer') },
  { name: 'moderation-account-unknown', viewer: 'judge', open: at('/moderation/accounts?username=nobody') },
  {
    name: 'moderation-account-suspend',
    viewer: 'judge',
    whole: false,
    open: async (page) => {
      await page.goto('/moderation/accounts?username=newcomer')
      await click(page, 'Suspend')
    },
  },
  { name: 'moderation-audit', viewer: 'judge', open: at('/moderation/audit') },
]
