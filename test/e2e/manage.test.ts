import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount } from './support/accounts.ts'
import { expectAccessible, LOOKS, startBrowser, watchPage } from './support/browser.ts'
import { createDocument } from './support/documents.ts'
import { type Service, startService } from './support/service.ts'
import { signIn, WITH_SECRET } from './support/session.ts'

interface Person {
  readonly username: string
  readonly key: string
  /** A browser in which they are signed in. */
  readonly browser: BrowserContextOptions
}

let service: Service
let browser: Browser
let ada: Person
let grace: Person

/** A confirmed account, signed in. */
async function person(username: string): Promise<Person> {
  const { key } = await addAccount(service.folder, username)
  return { username, key, browser: await signIn(service.folder, username) }
}

beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(undefined, WITH_SECRET), startBrowser()])
  ada = await person('Ada')
  grace = await person('Grace-Hopper')
})

afterAll(async () => {
  await browser.close()
  await service.stop()
})

const withPage = (
  who: Person,
  options: BrowserContextOptions,
  journey: (page: Page) => Promise<void>,
): Promise<void> => watchPage(browser, service.base, { ...options, ...who.browser }, journey)

const create = (content: string, settings: object = {}) => createDocument(service, ada.key, content, settings)

const textOf = async (id: string): Promise<string> => {
  const bytes = await (await fetch(`${service.base}/r/${id}`)).arrayBuffer()
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

const tagOf = async (id: string): Promise<string | null> =>
  (await fetch(`${service.base}/v1/document/${id}`, { method: 'HEAD' })).headers.get('ETag')

const idOf = (page: Page): string => new URL(page.url()).pathname.slice(1)

const box = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })

const save = async (page: Page, id: string): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(`${service.base}/${id}`)
}

/** Presses the button; with scripts the page shows the link, and the document is a click away. */
async function createAndOpen(page: Page, options: BrowserContextOptions): Promise<void> {
  await page.getByRole('button', { name: 'Create document' }).click()
  if (options.javaScriptEnabled !== false) await page.getByRole('link', { name: 'Open', exact: true }).click()
  await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
}

/** Encrypts the document of the home page's form, which a browser with scripts does by itself, and returns the password. */
async function createEncrypted(page: Page, options: BrowserContextOptions): Promise<string> {
  await page.getByText('Settings', { exact: true }).click()
  if (options.javaScriptEnabled !== false) {
    await page.getByLabel('Protect with a password').check()
    const password = await page.getByLabel('Password', { exact: true }).inputValue()
    await createAndOpen(page, options)
    return password
  }
  await page.getByLabel('Encryption').selectOption('generated')
  await page.getByRole('button', { name: 'Create document' }).click()
  await page.getByRole('heading', { name: 'Keep this password' }).waitFor()
  const password = (await page.locator('#password').textContent()) ?? ''
  await page.locator('main a').click()
  return password
}

/** Expects that opening a text to edit it, and saving it, changes nothing. */
async function expectUntouched(text: string, options: BrowserContextOptions): Promise<void> {
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
  it('a document is made with settings, changed, and deleted after a question', async () => {
    await withPage(ada, options, async (page) => {
      await page.goto('/')
      await box(page).fill('# Title\n\ntext')
      await page.getByText('Settings', { exact: true }).click()
      await page.getByLabel('Language').fill('auto')
      await page.getByLabel('Expires').selectOption('never')
      await page.getByLabel('Who may find it').selectOption('public')
      await page.getByLabel('Editors').fill(`${grace.username}, nobody-here`)
      await page.getByRole('button', { name: 'Create document' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('nobody-here')
      if ('javaScriptEnabled' in options) expect(await box(page).inputValue()).toBe('# Title\n\ntext')
      expect(await page.getByLabel('Expires').inputValue()).toBe('never')
      await page.getByLabel('Editors').fill(grace.username)
      await createAndOpen(page, options)
      const id = idOf(page)
      expect(await textOf(id)).toBe('# Title\n\ntext')
      expect(await page.locator('.facts').innerText()).toMatch(/Markdown[\s\S]*never/)

      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await box(page).fill('# Title\n\nnew text 😀')
      await page.getByLabel('Language').fill('rust')
      await save(page, id)
      expect(await textOf(id)).toBe('# Title\n\nnew text 😀')
      expect(await page.locator('.facts').innerText()).toMatch(/Rust[\s\S]*Saved last by\s+Ada, /)

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

  it('two people share a document: neither loses what they wrote, and one leaves', async () => {
    const { id } = await create('start\n')
    await withPage(ada, options, async (hers) => {
      await hers.goto(`/${id}`)
      await hers.getByRole('link', { name: 'Editors' }).click()
      await hers.getByLabel('Username').fill('nobody-here')
      await hers.getByRole('button', { name: 'Add editor' }).click()
      expect(await hers.getByRole('alert').textContent()).toContain('no account')
      expect(await hers.getByLabel('Username').inputValue()).toBe('nobody-here')
      await hers.getByLabel('Username').fill('grace-hopper')
      await hers.getByRole('button', { name: 'Add editor' }).click()
      await hers.getByRole('listitem').filter({ hasText: 'Grace-Hopper' }).waitFor()

      await hers.goto(`/${id}/edit`)
      await withPage(grace, options, async (theirs) => {
        await theirs.goto(`/${id}/edit`)
        await box(theirs).fill('from Grace')
        await save(theirs, id)

        await box(hers).fill('from Ada')
        await hers.getByRole('button', { name: 'Save', exact: true }).click()
        const told = await hers.getByRole('alert').textContent()
        expect(await textOf(id)).toBe('from Grace')
        if ('javaScriptEnabled' in options) {
          expect(told).toContain('saved last by Grace-Hopper')
          expect(await box(hers).inputValue()).toBe('from Ada')
          expect(await hers.getByLabel('Text as it is saved').inputValue()).toBe('from Grace')
          await box(hers).fill('from both')
          await hers.getByRole('button', { name: 'Save over it' }).click()
        } else {
          expect(told).toContain('Somebody else saved this document')
          expect(await box(hers).locator('.cm-line').allTextContents()).toEqual(['from Ada'])
          expect(await box(hers).locator('del').allTextContents()).toEqual(['from Grace'])
          await box(hers).fill('from both')
          await hers.keyboard.press('Control+s')
        }
        await hers.waitForURL(`${service.base}/${id}`)
        expect(await textOf(id)).toBe('from both')

        await theirs.getByRole('link', { name: 'Editors' }).click()
        await theirs.getByRole('button', { name: 'Leave document' }).click()
        await theirs.getByRole('dialog').getByRole('button', { name: 'Leave document' }).click()
        await theirs.getByRole('heading', { name: 'Shared with you' }).waitFor()
        await theirs.goto(`/${id}`)
        expect(await theirs.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0)
      })
      await hers.goto(`/${id}/editors`)
      expect(await hers.getByText('Nobody but you').count()).toBe(1)
    })
  })

  it('an encrypted document gets a password that is shown once, and is edited with it', async () => {
    await withPage(ada, options, async (page) => {
      await page.goto('/')
      await box(page).fill('the secret')
      const password = await createEncrypted(page, options)
      const id = idOf(page)

      await page.goto(`/${id}/edit`)
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Open the text' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('not the password')
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await box(page).fill('another secret')
      expect(page.url()).not.toContain(password)
      await save(page, id)
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByText('another secret').waitFor()
    })
  })

  it.each([
    ['CR LF, emoji and the end of a textarea', '\r\n\r\none 😀\r\n</textarea>\r\n'],
    ['all kinds of line breaks', '\n\na\rb\r\nc\n'],
    ['NUL and a byte order mark', '\uFEFFa\0b'],
  ])('a text that nobody changes stays as it is: %s', async (__, text) => {
    await expectUntouched(text, options)
  })
})

describe('in a browser with scripts', () => {
  it('a text of 10 MiB that nobody changes stays as it is', async () => {
    await expectUntouched(`<&>"'`.repeat(1000).concat('\r\n').repeat(2096), {})
  })

  it('usernames are offered while one is typed', async () => {
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

  it.each(LOOKS)('every page is accessible and fits: %s, %i pixels wide', async (colorScheme, width) => {
    const long = 'a line that is much longer than a phone is wide '.repeat(10)
    const shared = await create(`${long}\n`.repeat(5), { editors: [grace.username], long_urls: true })
    const sealed = await create('x', { encrypted: true })
    const look = async (page: Page) => {
      await expectAccessible(page)
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    }
    const options = { colorScheme, viewport: { width, height: 844 } }
    await withPage(ada, options, async (page) => {
      for (const path of ['', '/edit', '/editors', '/delete']) {
        await page.goto(`/${shared.id}${path}`)
        await look(page)
      }
      await page.goto(`/${shared.id}`)
      await page.getByRole('button', { name: 'Delete document' }).click()
      await page.getByRole('dialog').waitFor()
      await look(page)

      await page.goto(`/${shared.id}/editors`)
      await page.getByLabel('Username').fill('nobody-here')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await look(page)

      await page.goto(`/${sealed.id}/edit`)
      await look(page)
      await page.getByLabel('Password').fill(sealed.password ?? '')
      await page.keyboard.press('Enter')
      await box(page).waitFor()
      await look(page)

      await page.goto(`/${shared.id}/edit`)
      await withPage(grace, options, async (theirs) => {
        await theirs.goto(`/${shared.id}/editors`)
        await look(theirs)
        await theirs.goto(`/${shared.id}/edit`)
        await box(theirs).fill(long)
        await save(theirs, shared.id)
        await theirs.goto(`/${shared.id}/delete`)
        await look(theirs)
      })
      await box(page).fill(`${long}, and mine`)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('alert').waitFor()
      await look(page)
    })
  })
})
