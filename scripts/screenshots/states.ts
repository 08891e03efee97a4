import type { Page } from 'playwright-core'
import { DOCUMENTS } from './document-states.ts'
import { CODE } from './texts.ts'
import { at, click, create, NO_SCRIPTS, type State, shown, type World } from './world.ts'

async function asksToSignUp(page: Page, email: string, username: string): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Username').fill(username)
  await click(page, 'Sign up')
}

/** A document that was removed, for whoever looks at the page: in the browser of the one who decides. */
async function removed(page: Page, world: World): Promise<string> {
  const { id } = await create(world, 'Cheap watches, once more', {}, 'newcomer')
  const context = await page.context().browser()?.newContext(world.browserOf('judge'))
  const theirs = await context?.newPage()
  await theirs?.goto(`/moderation/${id}/remove`)
  await theirs?.getByLabel('Reason').fill('It is an advertisement, and the third of its kind.')
  await theirs?.getByRole('button', { name: 'Remove' }).click()
  await theirs?.getByRole('heading', { name: 'This document is removed' }).waitFor()
  await context?.close()
  return id
}

let newAddresses = 0

async function write(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').click()
  await page.keyboard.insertText(text)
}

async function save(page: Page): Promise<void> {
  await click(page, 'Create document')
  await page.getByRole('heading', { name: 'Document created' }).waitFor()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
}

const HOME: State[] = [
  { name: 'home', open: at('/') },
  { name: 'home-signed-in', visitor: 'ada', open: at('/') },
  {
    name: 'home-settings',
    visitor: 'ada',
    open: async (page) => {
      await page.goto('/')
      await page.locator('summary').first().click()
    },
  },
  {
    name: 'home-error',
    visitor: 'ada',
    open: async (page) => {
      await page.goto('/')
      await page.locator('summary').first().click()
      await write(page, 'some text')
      await page.getByLabel('Editors').fill('nobody-has-this-name')
      await click(page, 'Create document')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'home-offline',
    open: async (page) => {
      await page.goto('/')
      await write(page, CODE)
      await page.route('**/v1/document', (route) => route.abort())
      await click(page, 'Create document')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'home-protected',
    visitor: 'ada',
    open: async (page) => {
      await page.goto('/')
      await write(page, CODE)
      await page.locator('summary').first().click()
      await page.getByLabel('Encrypt with a password').check()
      await page.getByLabel('Expires').selectOption('date')
    },
  },
  {
    name: 'home-draft',
    open: async (page) => {
      await page.goto('/')
      await write(page, CODE)
      await page.waitForFunction(() => localStorage.length > 0)
      await page.reload()
      await page.getByRole('button', { name: 'Discard draft' }).waitFor()
    },
  },
  {
    name: 'home-find',
    open: async (page) => {
      await page.goto('/')
      await write(page, CODE)
      await page.keyboard.press('Control+f')
      await page.locator('.cm-search').waitFor()
    },
  },
  { name: 'home-without-scripts', visitor: 'ada', context: NO_SCRIPTS, open: at('/') },
  {
    name: 'saved',
    open: async (page) => {
      await page.goto('/')
      await write(page, CODE)
      await save(page)
    },
  },
  {
    name: 'saved-encrypted',
    visitor: 'ada',
    open: async (page) => {
      await page.goto('/')
      await write(page, CODE)
      await page.locator('summary').first().click()
      await page.getByLabel('Encrypt with a password').check()
      await save(page)
    },
  },
]

const LISTS: State[] = [
  { name: 'your-documents', visitor: 'ada', open: at('/account/documents') },
  { name: 'your-documents-many', visitor: 'collector', open: at('/account/documents') },
  { name: 'your-documents-empty', visitor: 'judge', open: at('/account/documents') },
  { name: 'your-documents-search', visitor: 'ada', open: at('/account/documents?search=nothing+like+it') },
  {
    name: 'your-documents-delete',
    visitor: 'ada',
    whole: false,
    open: async (page) => {
      await page.goto('/account/documents')
      await page.getByRole('checkbox').first().check()
      await click(page, 'Delete selected')
    },
  },
  { name: 'shared', visitor: 'newcomer', open: at('/account/documents?view=shared') },
]

const ACCOUNTS: State[] = [
  { name: 'account', visitor: 'ada', open: at('/account') },
  {
    name: 'account-new-key',
    visitor: 'newcomer',
    open: async (page) => {
      await page.goto('/account')
      await page.getByLabel('Name').fill('laptop')
      await click(page, 'Create key')
      await page.locator('#new-key').waitFor()
    },
  },
  {
    name: 'account-revoke',
    visitor: 'ada',
    whole: false,
    open: async (page) => {
      await page.goto('/account')
      await click(page, 'Revoke')
    },
  },
  {
    name: 'account-delete',
    visitor: 'ada',
    whole: false,
    open: async (page) => {
      await page.goto('/account')
      await click(page, 'Delete account')
    },
  },
  { name: 'profile', visitor: 'ada', open: at('/account/profile') },
  { name: 'sign-in', open: at('/sign-in') },
  { name: 'sign-up', open: at('/sign-up') },
  { name: 'sign-up-error', open: (page) => asksToSignUp(page, 'someone@example.org', 'ada') },
  {
    name: 'check-mail',
    open: async (page) => {
      await asksToSignUp(page, `new${++newAddresses}@example.org`, `new${newAddresses}`)
      await page.getByRole('status').first().waitFor()
    },
  },
  {
    name: 'continue',
    open: async (page, world) => {
      const email = `new${++newAddresses}@example.org`
      await asksToSignUp(page, email, `new${newAddresses}`)
      await page.getByText('is on its way').waitFor()
      await page.context().clearCookies()
      await page.goto(await world.mailedLink(email))
    },
  },
  { name: 'dead-link', open: at('/sign-in/link?token=long-gone') },
  { name: 'sign-out', visitor: 'ada', open: at('/sign-out') },
]

const OTHERS: State[] = [
  { name: 'moderation', visitor: 'judge', open: at('/moderation') },
  {
    name: 'moderation-case',
    visitor: 'judge',
    open: async (page) => {
      await page.goto('/moderation')
      await page.locator('.case a').first().click()
    },
  },
  {
    name: 'moderation-remove',
    visitor: 'judge',
    whole: false,
    open: async (page) => {
      await page.goto('/moderation')
      await page.locator('.case a').first().click()
      await click(page, 'Remove the document')
    },
  },
  {
    name: 'moderation-removals',
    visitor: 'judge',
    open: async (page, world) => {
      await removed(page, world)
      await page.goto('/moderation/removals')
    },
  },
  {
    name: 'removed',
    visitor: 'newcomer',
    open: async (page, world) => page.goto(`/${await removed(page, world)}`),
  },
  { name: 'not-found', open: at('/no/where') },
  { name: 'forbidden', visitor: 'judge', open: shown(CODE, {}, (page, { id }) => page.goto(`/${id}/edit`)) },
]

export const STATES: readonly State[] = [...HOME, ...DOCUMENTS, ...LISTS, ...ACCOUNTS, ...OTHERS]
