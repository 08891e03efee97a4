import type { BrowserContextOptions, Page } from 'playwright-core'
import { CODE, LONG_LINES, MARKDOWN } from './texts.ts'

/** Whose browser a page is looked at in. */
export type Visitor = 'anyone' | 'ada' | 'newcomer' | 'judge'

export interface World {
  readonly base: string
  readonly keyOf: (visitor: Visitor) => string
  /** What a browser has to be made with to be theirs. */
  readonly browserOf: (visitor: Visitor) => BrowserContextOptions
  /** The link of the latest mail to an address. */
  readonly mailedLink: (to: string) => Promise<string>
}

interface State {
  readonly name: string
  readonly visitor?: Visitor
  /** Whether the picture has the whole page; false: what is in the window, for a dialog. */
  readonly whole?: boolean
  /** Leads a new browser to the state. */
  readonly open: (page: Page, world: World) => Promise<unknown>
}

interface Made {
  readonly id: string
  readonly password?: string
}

async function create(world: World, content: string, settings: object, visitor: Visitor = 'ada') {
  const response = await fetch(`${world.base}/v1/document`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: world.keyOf(visitor) },
    body: JSON.stringify({ content, settings }),
  })
  const { data } = (await response.json()) as { data: Made }
  return data
}

async function report(world: World, id: string, reason: string, words: string): Promise<void> {
  await fetch(`${world.base}/${id}/report`, {
    method: 'POST',
    headers: { Origin: world.base },
    body: new URLSearchParams({ reason, words }),
  })
}

/** What there is before anything is looked at. */
export async function prepare(world: World): Promise<void> {
  await create(world, MARKDOWN, { language: 'markdown', public: true, expiration: null })
  await create(world, CODE, { language: 'typescript', editors: ['newcomer'] })
  await create(world, LONG_LINES, { language: 'json', long_urls: true })
  await create(world, 'a secret', { encrypted: true, expiration: 1 })
  await create(world, 'for one reader', { instant_delete: true })
  const reported = await create(world, 'Cheap watches!\nBuy them now.\n', { public: true }, 'newcomer')
  await report(world, reported.id, 'spam', 'The same text is everywhere by now.')
  await report(world, reported.id, 'malware', '')
}

/** A document made for one picture. */
const shown =
  (
    content: string,
    settings: object,
    then: (page: Page, made: Made, world: World) => Promise<unknown> = async () => {},
  ) =>
  async (page: Page, world: World) => {
    const made = await create(world, content, settings)
    await page.goto(`/${made.id}`)
    await then(page, made, world)
  }

const at = (path: string) => (page: Page) => page.goto(path)

const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

async function wrongPassword(page: Page): Promise<void> {
  await page.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
}

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
      await page.locator('textarea[name="content"]').evaluate((box) => {
        ;(box as HTMLTextAreaElement).value = 'some text'
      })
      await page.locator('input[name="editors"]').fill('nobody-has-this-name')
      await page.locator('form.editor button[type="submit"]').click()
      await page.getByRole('alert').waitFor()
    },
  },
]

const DOCUMENTS: State[] = [
  { name: 'document', open: shown(CODE, { language: 'typescript' }) },
  { name: 'document-long-lines', open: shown(LONG_LINES, { language: 'json', long_urls: true }) },
  { name: 'document-markdown', open: shown(MARKDOWN, { language: 'markdown', expiration: null }) },
  { name: 'document-own', visitor: 'ada', open: shown(CODE, { language: 'typescript' }) },
  {
    name: 'document-print',
    open: shown(LONG_LINES, { language: 'json' }, (page) => page.emulateMedia({ media: 'print' })),
  },
  { name: 'encrypted', open: shown('a secret', { encrypted: true }) },
  { name: 'encrypted-wrong', open: shown('a secret', { encrypted: true }, wrongPassword) },
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
  { name: 'edit', visitor: 'ada', open: shown(CODE, {}, (page, { id }) => page.goto(`/${id}/edit`)) },
  {
    name: 'edit-encrypted',
    visitor: 'ada',
    open: shown('x', { encrypted: true }, (page, { id }) => page.goto(`/${id}/edit`)),
  },
  {
    name: 'edit-conflict',
    visitor: 'ada',
    open: shown(CODE, {}, async (page, { id }, world) => {
      await page.goto(`/${id}/edit`)
      await fetch(`${world.base}/v1/document`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json', Authorization: world.keyOf('ada') },
        body: JSON.stringify({ id, content: 'what somebody else wrote\n' }),
      })
      await click(page, 'Save')
      await page.getByRole('heading', { name: 'What stands there now' }).waitFor()
    }),
  },
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

const LISTS: State[] = [
  { name: 'your-documents', visitor: 'ada', open: at('/account/documents') },
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
