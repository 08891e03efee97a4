import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount } from './support/accounts.ts'
import { expectComplete, LOOKS } from './support/browser.ts'
import { codeEditor, codeEditorText, fetchText } from './support/code-editor-page.ts'
import { createDocument } from './support/documents.ts'
import { signIn } from './support/session.ts'
import { startTestSite, type TestSite } from './support/test-site.ts'

interface Person {
  readonly username: string
  readonly key: string
  /** The profile of a browser that is signed in to the account. */
  readonly profile: BrowserContextOptions
}

let site: TestSite
let ada: Person
let grace: Person

/** Adds a confirmed account and signs it in. */
async function addPerson(username: string): Promise<Person> {
  const { key } = await addAccount(site.service.folder, username)
  return { username, key, profile: await signIn(site.service.folder, username) }
}

beforeAll(async () => {
  site = await startTestSite()
  ada = await addPerson('Ada')
  grace = await addPerson('Grace-Hopper')
})

afterAll(() => site.stop())

const withPage = (
  person: Person,
  options: BrowserContextOptions,
  journey: (page: Page) => Promise<void>,
): Promise<void> => site.withPage(journey, { ...options, ...person.profile })

const create = (content: string, settings: object = {}) =>
  createDocument(site.service, ada.key, content, settings)

const textOf = (id: string) => fetchText(`${site.service.base}/${id}`)

const tagOf = async (id: string): Promise<string | null> =>
  (await fetch(`${site.service.base}/v1/document/${id}`, { method: 'HEAD' })).headers.get('ETag')

const idOf = (page: Page): string => new URL(page.url()).pathname.slice(1)

const save = async (page: Page, id: string): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(`${site.service.base}/${id}`)
}

/** Creates the document and opens it: with scripts that takes another click. */
async function createAndOpen(page: Page, options: BrowserContextOptions): Promise<void> {
  await page.getByRole('button', { name: 'Create document' }).click()
  if (options.javaScriptEnabled !== false) await page.getByRole('link', { name: 'Open', exact: true }).click()
  await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
}

/** Creates an encrypted document and returns its password. With scripts the browser encrypts, without them the server. */
async function createEncrypted(page: Page, options: BrowserContextOptions): Promise<string> {
  await page.getByText('Settings', { exact: true }).click()
  if (options.javaScriptEnabled !== false) {
    await page.getByLabel('Encrypt with a password').check()
    const password = await page.getByLabel('Password', { exact: true }).inputValue()
    await createAndOpen(page, options)
    return password
  }
  await page.getByLabel('Encryption').selectOption('generated')
  await page.getByRole('button', { name: 'Create document' }).click()
  await page.getByRole('heading', { name: 'Save this password' }).waitFor()
  const password = (await page.locator('#password').textContent()) ?? ''
  await page.locator('main a').click()
  return password
}

/** Expects that opening a document for editing and saving it changes nothing. */
async function expectUnchanged(text: string, options: BrowserContextOptions): Promise<void> {
  const { id } = await create(text)
  const tag = await tagOf(id)
  await withPage(ada, options, async (page) => {
    await page.goto(`/${id}/edit`)
    await save(page, id)
  })
  expect(await tagOf(id)).toBe(tag)
  expect((await textOf(id)) === text).toBe(true)
}

describe.each([
  ['with scripts', {}],
  ['without scripts', { javaScriptEnabled: false }],
] as const)('%s', (_, options) => {
  it('a document is created with settings, edited, and deleted after a confirmation', async () => {
    await withPage(ada, options, async (page) => {
      await page.goto('/')
      await codeEditor(page).fill('# Title\n\ntext')
      await page.getByText('Settings', { exact: true }).click()
      await page.getByLabel('Language').fill('auto')
      await page.getByLabel('Expires').selectOption('never')
      await page.getByLabel('Visibility').selectOption('public')
      await page.getByLabel('Editors').fill(`${grace.username}, nobody-here`)
      await page.getByRole('button', { name: 'Create document' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('nobody-here')
      if ('javaScriptEnabled' in options) expect(await codeEditor(page).inputValue()).toBe('# Title\n\ntext')
      expect(await page.getByLabel('Expires').inputValue()).toBe('never')
      await page.getByLabel('Editors').fill(grace.username)
      await createAndOpen(page, options)
      const id = idOf(page)
      expect(await textOf(id)).toBe('# Title\n\ntext')
      expect(await page.locator('.facts').innerText()).toMatch(/Markdown[\s\S]*Never/)

      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await codeEditor(page).fill('# Title\n\nnew text 😀')
      await page.getByLabel('Language').fill('rust')
      await save(page, id)
      expect(await textOf(id)).toBe('# Title\n\nnew text 😀')
      expect(await page.locator('.facts').innerText()).toMatch(/Rust[\s\S]*Last edited by\s+Ada, /)

      await page.getByRole('button', { name: 'Delete document' }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete this document?' })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect(await dialog.count()).toBe(0)
      await page.getByRole('button', { name: 'Delete document' }).click()
      await dialog.getByRole('button', { name: 'Delete document' }).click()
      await page.waitForURL(/\/account\/documents$/)
      expect((await page.goto(`/${id}`))?.status()).toBe(404)
    })
  })

  it('two editors save over each other without losing text, and one leaves the document', async () => {
    const { id } = await create('start\n')
    await withPage(ada, options, async (adasPage) => {
      await adasPage.goto(`/${id}`)
      await adasPage.getByRole('link', { name: 'Editors' }).click()
      await adasPage.getByLabel('Username').fill('nobody-here')
      await adasPage.getByRole('button', { name: 'Add editor' }).click()
      expect(await adasPage.getByRole('alert').textContent()).toContain('No account')
      expect(await adasPage.getByLabel('Username').inputValue()).toBe('nobody-here')
      await adasPage.getByLabel('Username').fill('grace-hopper')
      await adasPage.getByRole('button', { name: 'Add editor' }).click()
      await adasPage.getByRole('listitem').filter({ hasText: 'Grace-Hopper' }).waitFor()

      await adasPage.goto(`/${id}/edit`)
      await withPage(grace, options, async (gracesPage) => {
        await gracesPage.goto(`/${id}/edit`)
        await codeEditor(gracesPage).fill('from Grace')
        await save(gracesPage, id)

        await codeEditor(adasPage).fill('from Ada')
        await adasPage.getByRole('button', { name: 'Save', exact: true }).click()
        const message = await adasPage.getByRole('alert').textContent()
        expect(await textOf(id)).toBe('from Grace')
        if ('javaScriptEnabled' in options) {
          expect(message).toContain('last edited by Grace-Hopper')
          expect(await codeEditor(adasPage).inputValue()).toBe('from Ada')
          expect(await adasPage.getByLabel('Saved text').inputValue()).toBe('from Grace')
          await codeEditor(adasPage).fill('from both')
          await adasPage.getByRole('button', { name: 'Save anyway' }).click()
        } else {
          expect(message).toContain('Someone else saved this document')
          expect(await codeEditorText(adasPage)).toBe('from Ada')
          expect(await codeEditor(adasPage).locator('del').allTextContents()).toEqual(['from Grace'])
          await codeEditor(adasPage).fill('from both')
          await adasPage.keyboard.press('Control+s')
        }
        await adasPage.waitForURL(`${site.service.base}/${id}`)
        expect(await textOf(id)).toBe('from both')

        await gracesPage.getByRole('link', { name: 'Editors' }).click()
        await gracesPage.getByRole('button', { name: 'Leave document' }).click()
        await gracesPage.getByRole('dialog').getByRole('button', { name: 'Leave document' }).click()
        await gracesPage.getByRole('heading', { name: 'Shared with you' }).waitFor()
        await gracesPage.goto(`/${id}`)
        expect(await gracesPage.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0)
      })
      await adasPage.goto(`/${id}/editors`)
      expect(await adasPage.getByText('Only you can edit').count()).toBe(1)
    })
  })

  it('an encrypted document is created with a generated password and edited with it', async () => {
    await withPage(ada, options, async (page) => {
      await page.goto('/')
      await codeEditor(page).fill('the secret')
      const password = await createEncrypted(page, options)
      const id = idOf(page)

      await page.goto(`/${id}/edit`)
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Edit text' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('Wrong password')
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await codeEditor(page).fill('another secret')
      expect(page.url()).not.toContain(password)
      await save(page, id)
      // With scripts, the password travels along to the document's page, which decrypts itself.
      if ('javaScriptEnabled' in options) {
        await page.getByLabel('Password').fill(password)
        await page.keyboard.press('Enter')
      }
      await page.getByText('another secret').waitFor()
    })
  })

  it.each([
    ['CR LF, emoji and the end of a textarea', '\r\n\r\none 😀\r\n</textarea>\r\n'],
    ['all kinds of line breaks', '\n\na\rb\r\nc\n'],
    ['NUL and a byte order mark', '\uFEFFa\0b'],
  ])('saving without a change keeps %s', async (__, text) => {
    await expectUnchanged(text, options)
  })
})

describe('only with scripts', () => {
  it('saving without a change keeps a text of 10 MiB', async () => {
    await expectUnchanged(`<&>"'`.repeat(1000).concat('\r\n').repeat(2096), {})
  })

  it('usernames are suggested while one is typed', async () => {
    const { id } = await create('x')
    await withPage(ada, {}, async (page) => {
      await page.goto(`/${id}/editors`)
      await page.getByLabel('Username').pressSequentially('gra')
      await page.locator('#usernames option').waitFor({ state: 'attached' })
      const offered = await page
        .locator('#usernames option')
        .evaluateAll((options) => options.map((option) => option.getAttribute('value')))
      expect(offered).toEqual(['Grace-Hopper'])
    })
  })

  it.each(LOOKS)('every page is accessible and fits: %s, %i pixels', async (colorScheme, width) => {
    const long = 'a line that is much longer than a phone is wide '.repeat(10)
    const shared = await create(`${long}\n`.repeat(5), { editors: [grace.username], long_urls: true })
    const encrypted = await create('x', { encrypted: true })
    const options = { colorScheme, viewport: { width, height: 844 } }
    await withPage(ada, options, async (page) => {
      for (const path of ['', '/edit', '/editors', '/delete']) {
        await page.goto(`/${shared.id}${path}`)
        await expectComplete(page)
      }
      await page.goto(`/${shared.id}`)
      await page.getByRole('button', { name: 'Delete document' }).click()
      await page.getByRole('dialog').waitFor()
      await expectComplete(page)

      await page.goto(`/${shared.id}/editors`)
      await page.getByLabel('Username').fill('nobody-here')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await expectComplete(page)

      await page.goto(`/${encrypted.id}/edit`)
      await expectComplete(page)
      await page.getByLabel('Password').fill(encrypted.password ?? '')
      await page.keyboard.press('Enter')
      await codeEditor(page).waitFor()
      await expectComplete(page)

      await page.goto(`/${shared.id}/edit`)
      await withPage(grace, options, async (gracesPage) => {
        await gracesPage.goto(`/${shared.id}/editors`)
        await expectComplete(gracesPage)
        await gracesPage.goto(`/${shared.id}/edit`)
        await codeEditor(gracesPage).fill(long)
        await save(gracesPage, shared.id)
        await gracesPage.goto(`/${shared.id}/delete`)
        await expectComplete(gracesPage)
      })
      await codeEditor(page).fill(`${long}, and mine`)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('alert').waitFor()
      await expectComplete(page)
    })
  })
})
