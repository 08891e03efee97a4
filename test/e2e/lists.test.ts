import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addAccount } from './support/accounts.ts'
import { getCopied, watchPage } from './support/browser.ts'
import {
  fillCodeEditor,
  openCreatePage,
  openMenu,
  shareButton,
  shareDocument,
} from './support/code-editor-page.ts'
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
  ownKey = (await addAccount(service.env, 'list-owner')).key
  otherKey = (await addAccount(service.env, 'list-sharer')).key
  session = await signIn(service.env, 'list-owner')
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

const getTitles = (page: Page) => page.getByRole('rowheader').getByRole('link').allTextContents()

describe('the lists', () => {
  it('let the creator search, sort, select and delete documents without scripts', async () => {
    const ids = await Promise.all([1, 2, 3].map((n) => create(ownKey, `plain ${n}`)))
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Your documents' }).click()
      await page.getByLabel('Search titles').fill('PLAIN')
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.getByRole('columnheader', { name: 'Title' }).getByRole('link').click()
      await expect.poll(() => getTitles(page)).toEqual(['plain 1', 'plain 2', 'plain 3'])
      expect(await page.getByRole('button', { name: 'Delete selected' }).isVisible()).toBe(false)
      await page.getByLabel('Select plain 1').check()
      await page.getByLabel('Select plain 3').check()
      await page.getByRole('button', { name: 'Delete selected' }).click()
      await confirm(page, 'Delete')
      expect(await getTitles(page)).toEqual(['plain 2'])
      expect(await page.getByLabel('Search titles').inputValue()).toBe('PLAIN')
      await page.getByRole('button', { name: 'More for plain 2' }).click()
      await page.getByRole('link', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Delete document' }).click()
      await page.getByText('No titles contain').or(page.getByText('Your documents')).first().waitFor()
    })
    expect(await Promise.all(ids.map(getStatus))).toEqual([404, 404, 404])
  })

  it('search while somebody types, and sort, select and delete with the keyboard alone', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map((n) => create(ownKey, `typed ${n}`)))
    await create(ownKey, 'something else')
    await withPage({}, async (page) => {
      await page.goto(LISTS)
      const focused = () => page.evaluate(() => document.activeElement?.textContent)
      const search = page.getByLabel('Search titles')
      const isFocused = () => search.evaluate((field) => field === document.activeElement)
      // Before the script is there, nothing happens.
      await expect.poll(() => page.keyboard.press('/').then(isFocused)).toBe(true)
      await page.keyboard.type('TYPED')
      // The first letters may already have been searched for.
      await expect.poll(() => new URL(page.url()).search).toBe('?search=TYPED')
      await page.getByText('4 documents', { exact: true }).waitFor()
      expect(await isFocused()).toBe(true)

      const title = page.getByRole('columnheader', { name: 'Title' })
      await title.getByRole('link').press('Enter')
      await expect.poll(() => title.getAttribute('aria-sort')).toBe('ascending')
      expect(new URL(page.url()).search).toBe('?search=TYPED&sort=title')
      expect(await getTitles(page)).toEqual([1, 2, 3, 4].map((n) => `typed ${n}`))
      expect(await focused()).toBe('Title')

      await search.press('ArrowDown')
      expect(await focused()).toBe('typed 1')
      await page.keyboard.press('Space')
      await page.keyboard.press('j')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
      expect(await focused()).toBe('typed 3')
      await page.getByText('2 selected').waitFor()
      const links = [ids[0], ids[2]].map((id) => `${service.base}/${id}`).join('\n')
      await page.getByRole('button', { name: 'Copy links' }).press('Enter')
      await expect.poll(() => getCopied(page)).toBe(links)
      await page.getByRole('button', { name: 'Delete selected' }).press('Enter')
      await confirm(page, 'Delete 2')
      expect(await getTitles(page)).toEqual(['typed 2', 'typed 4'])
      expect(new URL(page.url()).search).toBe('?search=TYPED&sort=title')

      // Before the script of this page is there, nothing happens.
      await expect.poll(() => page.keyboard.press('j').then(focused)).toBe('typed 2')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${service.base}/${ids[1]}`)
    })
    expect(await Promise.all(ids.map(getStatus))).toEqual([404, 200, 404, 200])
  })

  it('select a range and all, and never move or cover a row', async () => {
    for (let n = 1; n <= 12; n++) await create(ownKey, `range ${n}`)
    await withPage({ viewport: { width: 1280, height: 420 } }, async (page) => {
      await page.goto(`${LISTS}?search=range`)
      await page.getByText('12 documents', { exact: true }).waitFor()
      const rows = page.locator('tbody tr')
      const all = page.getByRole('checkbox', { name: 'Select all' })
      await all.check()
      await page.getByText('12 selected').waitFor()
      const places = () => rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top))
      const before = await places()
      await page.getByRole('button', { name: 'Clear selection' }).click()
      await page.getByText('12 documents', { exact: true }).waitFor()
      expect(await places()).toEqual(before)
      await rows.nth(1).getByRole('checkbox').check()
      await rows
        .nth(4)
        .getByRole('checkbox')
        .click({ modifiers: ['Shift'] })
      await page.getByText('4 selected').waitFor()
      expect(await all.evaluate((input: HTMLInputElement) => input.indeterminate)).toBe(true)
      // The bar stays in sight, and covers no row that has the focus.
      for (const key of ['j', 'k']) {
        for (let step = 0; step < 9; step++) await page.keyboard.press(key)
        const isVisible = await page.evaluate(() => {
          const { left, top } = document.activeElement?.getBoundingClientRect() ?? new DOMRect()
          return document.elementFromPoint(left + 2, top + 2)?.closest('a') === document.activeElement
        })
        expect({ key, isVisible }).toEqual({ key, isVisible: true })
        expect(await page.getByRole('button', { name: 'Delete selected' }).isVisible()).toBe(true)
      }
    })
  })

  it('select all for somebody who is faster than their script', async () => {
    for (let n = 1; n <= 2; n++) await create(ownKey, `fast ${n}`)
    await withPage({}, async (page) => {
      const { promise: isSelected, resolve: loadScripts } = Promise.withResolvers<void>()
      await page.route('**/assets/immutable/*.js', async (route) => {
        await isSelected
        await route.continue()
      })
      await page.goto(`${LISTS}?search=fast`, { waitUntil: 'commit' })
      // Without its styles, the page shows both boxes.
      await page.getByRole('table').getByRole('checkbox', { name: 'Select all' }).check()
      loadScripts()
      await page.getByText('2 selected').waitFor()
      expect(await page.getByLabel('Select fast 1').isChecked()).toBe(true)
    })
  })

  it('have a menu for each row, whose deletion asks about that row alone', async () => {
    const [kept, unwanted] = [await create(ownKey, 'menu kept'), await create(ownKey, 'menu unwanted')]
    await withPage({ viewport: { width: 390, height: 844 } }, async (page) => {
      await page.goto(`${LISTS}?search=menu`)
      await page.getByLabel('Select menu kept').check()
      await page.getByRole('button', { name: 'More for menu unwanted' }).click()
      await page.getByRole('button', { name: 'Copy link', exact: true }).click()
      await expect.poll(() => getCopied(page)).toBe(`${service.base}/${unwanted}`)
      await page.getByRole('button', { name: 'More for menu unwanted' }).click()
      await page.getByRole('link', { name: 'Delete' }).click()
      await confirm(page, 'Delete')
    })
    expect([await getStatus(kept), await getStatus(unwanted)]).toEqual([200, 404])
  })

  it('let an editor leave a shared document, which is not deleted', async () => {
    const id = await create(otherKey, 'shared', { editors: ['list-owner'] })
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(LISTS)
      await page.getByRole('link', { name: 'Shared with you' }).click()
      await page.getByRole('cell', { name: 'list-sharer' }).waitFor()
      await page.getByRole('button', { name: 'More for shared' }).click()
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
  const { key } = await addAccount(service.env, AUTHOR)
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
      await page.getByRole('combobox', { name: 'Language' }).selectOption('CSS')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.searchParams.get('language') === 'css')
      expect(await page.getByRole('rowheader').count()).toBe(1)
      await page.goto('/explore')
      await page.getByLabel('Search titles').fill('EXPLORED')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.searchParams.get('search') === 'EXPLORED')
      await page.getByRole('link', { name: 'Next page' }).click()
      await page.getByRole('rowheader', { name: 'explored 1', exact: true }).waitFor()
      await page.getByRole('link', { name: AUTHOR }).first().click()
      await page.getByRole('heading', { name: AUTHOR }).waitFor()
      await page.getByRole('rowheader').first().getByRole('link').click()
      await page.getByRole('link', { name: AUTHOR }).waitFor()
    })
  })

  it('shows the documents of the next page below the others', async () => {
    await watchPage(service.base, {}, async (page) => {
      await page.goto('/explore')
      await page.getByText('25 shown', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Show more' }).click()
      // Other tests make public documents, too.
      await expect.poll(() => page.getByRole('rowheader').count()).toBeGreaterThanOrEqual(27)
      await page.getByText(`${await page.getByRole('rowheader').count()} shown`, { exact: true }).waitFor()
      const focused = await page
        .getByRole('rowheader')
        .evaluateAll((rows) => rows.findIndex((row) => row.contains(document.activeElement)))
      expect(focused).toBe(25)
    })
  })
})

describe('a name', () => {
  it('is what is copied after sharing and from the list, and the form says if it is taken', async () => {
    await withPage({}, async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, 'the weekly report')
      await openMenu(page, 'more-menu')
      await page.getByLabel('Name', { exact: true }).fill('Weekly-Report')
      await shareDocument(page)
      const link = `${service.base}/@list-owner/weekly-report`
      expect(getCopied(page)).toBe(link)
      await page.goto(LISTS)
      await page.getByRole('button', { name: 'More for the weekly report' }).click()
      await page.getByRole('button', { name: 'Copy link' }).click()
      await expect.poll(() => getCopied(page)).toBe(link)
      await openCreatePage(page)
      await fillCodeEditor(page, 'another one')
      await openMenu(page, 'more-menu')
      const name = page.getByLabel('Name', { exact: true })
      await name.fill('weekly-report')
      await shareButton(page).click()
      await page.getByText('You already have a document with this name. Choose another one.').waitFor()
      expect(await name.getAttribute('aria-invalid')).toBe('true')
      await name.fill('')
      await shareDocument(page)
    })
  })
})
