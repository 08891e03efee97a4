import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectComplete, LOOKS, startBrowser, watchPage } from './support/browser.ts'
import { createDocument, demoKey } from './support/documents.ts'
import { command, type Service, startService } from './support/service.ts'
import { signIn, WITH_SECRET } from './support/session.ts'

const LISTS = '/account/documents'

let folder: string
let service: Service
let browser: Browser
let demo: BrowserContextOptions
let ownKey: string
let otherKey: string

const create = async (key: string, content: string, settings: object = {}): Promise<string> =>
  (await createDocument(service, key, content, settings)).id

const statusOf = async (id: string) => (await fetch(`${service.base}/v1/document/${id}`)).status

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regent-'))
  ;[service, browser] = await Promise.all([startService(folder, WITH_SECRET), startBrowser()])
  ownKey = demoKey(service)
  const made = await command(
    'user',
    ...['add', 'Ada', '--email', 'ada@example.org', '--json', '--persist-to', folder],
  )
  otherKey = JSON.parse(made.stdout).key
  demo = await signIn(folder, 'demo')
})

afterAll(async () => {
  await browser.close()
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A page of somebody who is signed in. */
const withPage = (options: BrowserContextOptions, journey: (page: Page) => Promise<void>): Promise<void> =>
  watchPage(browser, service.base, { ...options, ...demo }, journey)

/** Answers the question before a deletion. */
async function confirm(page: Page, button: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click()
  await page.waitForURL((url) => url.pathname === LISTS)
}

describe.each([
  ['with scripts', {}],
  ['without scripts', { javaScriptEnabled: false }],
] as const)('%s', (_, options) => {
  const scripts = !('javaScriptEnabled' in options)

  it('documents are found, selected, and deleted after a question', async () => {
    const mark = scripts ? 'scripted' : 'plain'
    const ids = await Promise.all([1, 2, 3].map((n) => create(ownKey, `${mark} ${n}`)))
    await withPage(options, async (page) => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Your documents' }).click()
      await page.getByLabel('Search titles').fill(mark.toUpperCase())
      await page.getByLabel('Sort by').selectOption('Title')
      await page.getByRole('button', { name: 'Apply' }).click()
      const links = page.getByRole('rowheader').getByRole('link')
      await page.getByRole('row').nth(3).waitFor()
      expect(await links.allTextContents()).toEqual([`${mark} 1`, `${mark} 2`, `${mark} 3`])
      await page.getByLabel(`Select ${mark} 1`).check()
      await page.getByLabel(`Select ${mark} 3`).check()
      await page.getByRole('button', { name: 'Delete selected' }).click()
      await confirm(page, 'Delete')
      expect(await links.allTextContents()).toEqual([`${mark} 2`])
      expect(await page.getByLabel('Search titles').inputValue()).toBe(mark.toUpperCase())
    })
    expect(await Promise.all(ids.map(statusOf))).toEqual([404, 200, 404])
  })

  it('a document that somebody shares is left after a question', async () => {
    const id = await create(otherKey, 'a shared one', { editors: ['demo'] })
    await withPage(options, async (page) => {
      await page.goto(LISTS)
      await page.getByRole('link', { name: 'Shared with you' }).click()
      await page.getByRole('cell', { name: 'Ada' }).waitFor()
      await page.getByRole('button', { name: 'Leave' }).click()
      await confirm(page, 'Leave')
      await page.getByText('Nobody has made you an editor').waitFor()
    })
    expect(await statusOf(id)).toBe(200)
  })
})

it('a dialog that is cancelled deletes nothing, and gives the focus back', async () => {
  const id = await create(ownKey, 'to be kept')
  await withPage({}, async (page) => {
    await page.goto(`${LISTS}?search=kept`)
    await page.getByLabel('Select to be kept').check()
    const button = page.getByRole('button', { name: 'Delete selected' })
    await button.focus()
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Cancel' }).click(),
    ]) {
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await leave()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    }
    expect(await page.getByLabel('Select to be kept').isChecked()).toBe(true)
  })
  expect(await statusOf(id)).toBe(200)
})

it.each(LOOKS)('the lists are accessible and fit: %s, %i pixels wide', async (colorScheme, width) => {
  const long = 'unbroken'.repeat(10)
  await create(ownKey, long, {
    public: true,
    language: 'a-language-with-a-very-long-name-of-its-own',
  })
  await create(ownKey, 'x', { encrypted: true, instant_delete: true, expiration: null })
  await create(otherKey, long, { editors: ['demo'] })
  await withPage({ colorScheme, viewport: { width, height: 844 } }, async (page) => {
    const paths = ['', '?view=shared', '?search=nothing+like+it']
    for (const path of paths) {
      await page.goto(LISTS + path)
      await expectComplete(page)
    }
  })
})
