import type { Page } from 'playwright-core'
import { DESK_STATES, DEVICE_STATES, EXPLORE_STATES } from './account-states.ts'
import { DOCUMENT_STATES } from './document-states.ts'
import { FILES_STATES } from './files-states.ts'
import { HISTORY_STATES } from './history-states.ts'
import { HOME_STATES } from './home-states.ts'
import { at, CODE, click, create, openDocument, type State, type World } from './world.ts'

async function submitSignUp(page: Page, email: string, username: string): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Username').fill(username)
  await click(page, 'Sign up')
}

/** Nobody can share a removed text again. */
let removed = 0

async function moderate(page: Page, world: World, act: (desk: Page) => Promise<unknown>): Promise<void> {
  const context = await page.context().browser()?.newContext(world.getContextOptions('judge'))
  const desk = await context?.newPage()
  if (desk) await act(desk)
  await context?.close()
}

/** Creates a document and removes it in a moderator's browser. Returns its id. */
async function createRemoved(page: Page, world: World): Promise<string> {
  removed += 1
  const { id } = await create(world, `Cheap watches, offer ${removed}`, {}, 'newcomer')
  await moderate(page, world, async (desk) => {
    await desk.goto(`/moderation/${id}/remove`)
    await desk.getByLabel('In your own words').fill('It is an advertisement, and the third of its kind.')
    await click(desk, 'Remove')
    await desk.getByRole('heading', { name: 'Removed document' }).waitFor()
  })
  return id
}

const suspend = (page: Page, world: World, username: string) =>
  moderate(page, world, async (desk) => {
    await desk.goto(`/moderation/accounts?username=${username}`)
    await click(desk, 'Suspend')
    await desk.getByLabel('Reason').fill('Spam')
    await desk.getByLabel('Reason').press('Enter')
    await desk.getByText('Lift suspension').waitFor()
  })

let newAccounts = 0

/** Signs up, and opens the link that arrives by email in the same browser. Returns the address. */
async function signUp(page: Page, world: World): Promise<string> {
  const email = `new${++newAccounts}@example.org`
  await submitSignUp(page, email, `new${newAccounts}`)
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await page.goto(await world.getEmailedLink(email))
  return email
}

const LIST_STATES: State[] = [
  { name: 'your-documents', viewer: 'ada', open: at('/account/documents') },
  { name: 'your-documents-many', viewer: 'collector', open: at('/account/documents') },
  { name: 'your-documents-empty', viewer: 'judge', open: at('/account/documents') },
  { name: 'your-documents-search', viewer: 'ada', open: at('/account/documents?search=nothing+like+it') },
  {
    name: 'your-documents-selected',
    viewer: 'ada',
    whole: false,
    open: async (page) => {
      await page.goto('/account/documents')
      for (const box of [0, 2]) await page.locator('tbody').getByRole('checkbox').nth(box).check()
    },
  },
  {
    name: 'your-documents-menu',
    viewer: 'ada',
    whole: false,
    open: async (page) => {
      await page.goto('/account/documents')
      await page
        .getByRole('button', { name: /^More for/ })
        .nth(1)
        .click()
    },
  },
  {
    name: 'your-documents-delete',
    viewer: 'ada',
    whole: false,
    open: async (page) => {
      await page.goto('/account/documents')
      await page.locator('tbody').getByRole('checkbox').first().check()
      await click(page, 'Delete selected')
    },
  },
  { name: 'shared', viewer: 'newcomer', open: at('/account/documents?view=shared') },
]

const ACCOUNT_STATES: State[] = [
  { name: 'account', viewer: 'ada', open: at('/account') },
  {
    name: 'account-new-key',
    viewer: 'newcomer',
    open: async (page) => {
      await page.goto('/account/keys')
      await page.getByLabel('Name').fill('laptop')
      await click(page, 'Create key')
      await page.locator('#new-key').waitFor()
    },
  },
  {
    name: 'account-create-key',
    viewer: 'ada',
    whole: false,
    open: async (page) => {
      await page.goto('/account')
      await click(page, 'New key')
    },
  },
  {
    name: 'account-defaults',
    viewer: 'ada',
    whole: false,
    open: async (page) => {
      await page.goto('/account')
      await click(page, 'Change')
    },
  },
  {
    name: 'account-revoke',
    viewer: 'ada',
    whole: false,
    open: async (page) => {
      await page.goto('/account')
      await click(page, 'Revoke')
    },
  },
  {
    name: 'account-sign-out-everywhere',
    viewer: 'ada',
    whole: false,
    open: async (page) => {
      await page.goto('/account')
      await click(page, 'Sign out everywhere')
    },
  },
  { name: 'account-message', viewer: 'ada', open: at('/account?done=renamed') },
  { name: 'account-github-problem', viewer: 'ada', open: at('/account?error=access_denied') },
  {
    name: 'account-key-problem',
    viewer: 'ada',
    open: async (page) => {
      await page.goto('/account/keys')
      await page.getByLabel('Name').fill(' ')
      await click(page, 'Create key')
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'account-delete', viewer: 'ada', open: at('/account/delete') },
  {
    name: 'account-deleted',
    open: async (page, world) => {
      await signUp(page, world)
      await page.goto('/account/delete')
      await click(page, 'Delete account')
      await page.getByRole('heading', { name: 'Account deleted' }).waitFor()
    },
  },
  {
    name: 'account-change-email',
    open: async (page, world) => {
      const email = await signUp(page, world)
      await page.goto('/account/profile')
      await page.getByRole('textbox', { name: 'Email' }).fill(`moved.${email}`)
      await page.getByRole('textbox', { name: 'Email' }).press('Enter')
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
      await page.goto(await world.getEmailedLink(email))
    },
  },
  { name: 'account-download', viewer: 'ada', open: at('/account/download') },
  { name: 'profile', viewer: 'ada', open: at('/account/profile') },
  {
    name: 'profile-error',
    viewer: 'ada',
    open: async (page) => {
      await page.goto('/account/profile')
      await page.getByRole('textbox', { name: 'Username' }).fill('newcomer')
      await page.getByRole('textbox', { name: 'Username' }).press('Enter')
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'sign-in', open: at('/sign-in') },
  { name: 'sign-up', open: at('/sign-up') },
  {
    name: 'sign-up-error',
    open: async (page) => {
      await submitSignUp(page, 'someone@example.org', 'ada')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'check-email',
    open: async (page) => {
      await submitSignUp(page, `new${++newAccounts}@example.org`, `new${newAccounts}`)
      await page.getByRole('status').first().waitFor()
    },
  },
  {
    name: 'confirm-sign-in',
    open: async (page, world) => {
      const email = `new${++newAccounts}@example.org`
      await submitSignUp(page, email, `new${newAccounts}`)
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
      await page.context().clearCookies()
      await page.goto(await world.getEmailedLink(email))
    },
  },
  {
    name: 'sign-up-username',
    open: async (page, world) => {
      const email = `new${++newAccounts}@example.org`
      await page.goto('/sign-in')
      await page.getByLabel('Email').fill(email)
      await click(page, 'Send sign-in link')
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
      await page.goto(await world.getEmailedLink(email))
    },
  },
  {
    name: 'sign-in-suspended',
    open: async (page, world) => {
      const email = await signUp(page, world)
      await suspend(page, world, email.split('@', 1)[0] ?? '')
      await page.goto('/sign-in')
      await page.getByLabel('Email').fill(email)
      await click(page, 'Send sign-in link')
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
      await page.goto(await world.getEmailedLink(email))
    },
  },
  { name: 'sign-in-declined', open: at('/sign-in?error=access_denied') },
  { name: 'invalid-link', open: at('/sign-in/link?token=long-gone') },
  { name: 'sign-out', viewer: 'ada', open: at('/sign-out') },
  { name: 'sign-out-done', open: at('/sign-out') },
]

const OTHER_STATES: State[] = [
  { name: 'about', open: at('/about') },
  { name: 'privacy', open: at('/privacy') },
  { name: 'terms', open: at('/terms') },
  { name: 'abuse', open: at('/abuse') },
  { name: 'docs', open: at('/docs') },
  {
    name: 'docs-errors',
    whole: false,
    open: async (page) => {
      await page.goto('/docs')
      for (const errors of await page.locator('.operation details').all())
        await errors.evaluate((details) => details.setAttribute('open', ''))
      await page.locator('.operation details').first().scrollIntoViewIfNeeded()
    },
  },
  { name: 'shared-empty', viewer: 'collector', open: at('/account/documents?view=shared') },
  { name: 'moderation', viewer: 'judge', open: at('/moderation') },
  {
    name: 'moderation-case',
    viewer: 'judge',
    open: async (page) => {
      await page.goto('/moderation')
      const path = await page.locator('.queue a').first().getAttribute('href')
      await page.goto(path ?? '')
    },
  },
  {
    name: 'moderation-menu',
    viewer: 'judge',
    whole: false,
    open: async (page) => {
      await page.goto('/moderation')
      await page.goto((await page.locator('.queue a').first().getAttribute('href')) ?? '')
      await click(page, 'More')
    },
  },
  {
    name: 'moderation-encrypted',
    viewer: 'judge',
    open: async (page) => {
      await page.goto('/moderation')
      await page.goto((await page.locator('.queue a').nth(1).getAttribute('href')) ?? '')
    },
  },
  {
    name: 'moderation-remove',
    viewer: 'judge',
    whole: false,
    open: async (page) => {
      await page.goto('/moderation')
      await page.goto((await page.locator('.queue a').first().getAttribute('href')) ?? '')
      await click(page, 'Remove')
    },
  },
  {
    name: 'moderation-removals',
    viewer: 'judge',
    open: async (page, world) => {
      await createRemoved(page, world)
      await page.goto('/moderation/removals')
    },
  },
  {
    name: 'moderation-removed',
    viewer: 'judge',
    open: async (page, world) => page.goto(`/moderation/${await createRemoved(page, world)}`),
  },
  {
    name: 'moderation-done',
    viewer: 'judge',
    open: async (page) => {
      await page.goto('/moderation')
      const path = await page.locator('.queue a').nth(2).getAttribute('href')
      await page.goto(`${path}?removed=zzzzzzzz`)
    },
  },
  {
    name: 'moderation-remove-problem',
    viewer: 'judge',
    open: async (page, world) => {
      const { id } = await create(world, CODE, {})
      await page.goto(`/moderation/${id}/remove`)
      await click(page, 'Remove')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'removed',
    viewer: 'newcomer',
    open: async (page, world) => page.goto(`/${await createRemoved(page, world)}`),
  },
  { name: 'not-found', open: at('/no/where') },
  {
    name: 'forbidden',
    viewer: 'judge',
    open: openDocument(CODE, {}, (page, { id }) => page.goto(`/${id}/edit`)),
  },
]

export const STATES: readonly State[] = [
  ...HOME_STATES,
  ...DOCUMENT_STATES,
  ...FILES_STATES,
  ...HISTORY_STATES,
  ...DEVICE_STATES,
  ...LIST_STATES,
  ...ACCOUNT_STATES,
  ...OTHER_STATES,
  ...DESK_STATES,
  ...EXPLORE_STATES,
]
