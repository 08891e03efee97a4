import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addAccount } from './support/accounts.ts'
import { watchPage } from './support/browser.ts'
import { createDocument } from './support/documents.ts'
import { type Service, startService } from './support/service.ts'
import { signIn } from './support/session.ts'

const LISTS = '/account/documents'

let service: Service
let session: BrowserContextOptions
let ownKey: string
let otherKey: string

beforeAll(async () => {
  service = await startService()
  ownKey = (await addAccount(service.folder, 'list-owner')).key
  otherKey = (await addAccount(service.folder, 'list-sharer')).key
  session = await signIn(service.folder, 'list-owner')
})

const create = async (key: string, content: string, settings: object = {}): Promise<string> =>
  (await createDocument(service, key, content, settings)).id

const getStatus = async (id: string) => (await fetch(`${service.base}/v1/document/${id}`)).status

/** Opens a page that is signed in. */
const withPage = (options: BrowserContextOptions, journey: (page: Page) => Promise<void>): Promise<void> =>
  watchPage(service.base, { ...options, ...session }, journey)

/** Confirms in the dialog, or on the page without scripts, and waits for the list. */
async function confirm(page: Page, button: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click()
  await page.waitForURL((url) => url.pathname === LISTS)
}

describe('the lists', () => {
  it.each([
    ['with scripts', 'scripted', {}],
    ['without scripts', 'plain', { javaScriptEnabled: false }],
  ])('let the creator search, select and delete documents %s', async (_, prefix, options) => {
    const ids = await Promise.all([1, 2, 3].map((n) => create(ownKey, `${prefix} ${n}`)))
    await withPage(options, async (page) => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Your documents' }).click()
      await page.getByLabel('Search titles').fill(prefix.toUpperCase())
      await page.getByLabel('Sort by').selectOption('title')
      await page.getByRole('button', { name: 'Apply' }).click()
      const links = page.getByRole('rowheader').getByRole('link')
      await page.getByRole('row').nth(3).waitFor()
      await expect.poll(() => links.allTextContents()).toEqual([`${prefix} 1`, `${prefix} 2`, `${prefix} 3`])
      await page.getByLabel(`Select ${prefix} 1`).check()
      await page.getByLabel(`Select ${prefix} 3`).check()
      await page.getByRole('button', { name: 'Delete selected' }).click()
      await confirm(page, 'Delete')
      await expect.poll(() => links.allTextContents()).toEqual([`${prefix} 2`])
      expect(await page.getByLabel('Search titles').inputValue()).toBe(prefix.toUpperCase())
    })
    expect(await Promise.all(ids.map(getStatus))).toEqual([404, 200, 404])
  })

  it('let an editor leave a shared document, which is not deleted', async () => {
    const id = await create(otherKey, 'shared', { editors: ['list-owner'] })
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(LISTS)
      await page.getByRole('link', { name: 'Shared with you' }).click()
      await page.getByRole('cell', { name: 'list-sharer' }).waitFor()
      await page.getByRole('button', { name: 'Leave' }).click()
      await confirm(page, 'Leave')
      await page.getByRole('cell', { name: 'list-sharer' }).waitFor({ state: 'detached' })
    })
    expect(await getStatus(id)).toBe(200)
  })
})

describe('the dialog before a deletion', () => {
  it('deletes nothing when cancelled, and returns the focus to the button', async () => {
    const id = await create(ownKey, 'still needed')
    await withPage({}, async (page) => {
      await page.goto(`${LISTS}?search=still+needed`)
      await page.getByLabel('Select still needed').check()
      const button = page.getByRole('button', { name: 'Delete selected' })
      await button.focus()
      for (const cancel of [
        () => page.keyboard.press('Escape'),
        () => page.getByRole('button', { name: 'Cancel' }).click(),
      ]) {
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').waitFor()
        await cancel()
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
        expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
      }
      expect(await page.getByLabel('Select still needed').isChecked()).toBe(true)
    })
    expect(await getStatus(id)).toBe(200)
  })
})

const AUTHOR = 'explore-author'

beforeAll(async () => {
  service = await startService()
  const { key } = await addAccount(service.folder, AUTHOR)
  for (let number = 1; number <= 26; number++) {
    await createDocument(service, key, `explored ${number}`, { public: true })
  }
  const title = `Explored ${'wide'.repeat(40)} 😀`
  await createDocument(service, key, 'a { color: red }', { public: true, language: 'css', title })
})

describe('the explore page', () => {
  it('leads without scripts, by keyboard, to a language, a search, older documents and an author', async () => {
    await watchPage(service.base, { javaScriptEnabled: false }, async (page) => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Explore' }).click()
      await page.getByLabel('Search titles').focus()
      await page.keyboard.press('Tab')
      await page.getByLabel('Language').selectOption('CSS')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.searchParams.get('language') === 'css')
      expect(await page.getByRole('rowheader').count()).toBe(1)
      await page.goto('/explore')
      await page.getByLabel('Search titles').fill('EXPLORED')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.searchParams.get('search') === 'EXPLORED')
      await page.getByRole('link', { name: 'Older' }).click()
      await page.getByRole('rowheader', { name: 'explored 1', exact: true }).waitFor()
      await page.getByRole('link', { name: AUTHOR }).first().click()
      await page.getByRole('heading', { name: AUTHOR }).waitFor()
      await page.getByRole('rowheader').first().getByRole('link').click()
      await page.getByRole('link', { name: AUTHOR }).waitFor()
    })
  })
})
