import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addAccount } from './support/accounts.ts'
import { expectCompleteInLooks, watchPage } from './support/browser.ts'
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

describe('the pages of the lists', () => {
  it('are accessible and fit', async () => {
    const long = 'unbroken'.repeat(10)
    await create(ownKey, long, {
      public: true,
      language: 'a-language-with-a-very-long-name-of-its-own',
    })
    await create(ownKey, 'x', { encrypted: true, instant_delete: true, expiration: null })
    await create(otherKey, long, { editors: ['list-owner'] })
    await withPage({}, async (page) => {
      for (const query of ['', '?view=shared', '?search=nothing+like+it']) {
        await page.goto(LISTS + query)
        await expectCompleteInLooks(page)
      }
    })
  })
})
