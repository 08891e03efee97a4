import type { BrowserContextOptions } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectComplete } from '../support/browser.ts'
import {
  codeEditor,
  fetchDocument,
  openCreatePage,
  openMenu,
  shareButton,
  shareDocument,
} from '../support/code-editor-page.ts'
import { getCookies } from '../support/session.ts'
import { openTestSite, type TestSite } from '../support/test-site.ts'

let site: TestSite
let ada: BrowserContextOptions

beforeAll(async () => {
  site = await openTestSite()
  ada = await site.signIn('Ada')
  await site.signIn('Noether')
})

const PYTHON = '#!/usr/bin/env python3\nprint("x")\n'

describe('the language', () => {
  it('is detected in the text and in the title, and can be chosen', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      const waitForDetected = (label: string) =>
        page.locator('#language option:checked', { hasText: `Auto: ${label}` }).waitFor({ state: 'attached' })
      await codeEditor(page).fill(PYTHON)
      await waitForDetected('Python')
      await page.locator('.tok-string').waitFor()
      expect((await fetchDocument(await shareDocument(page))).settings.language).toBe('python')
      await openCreatePage(page)
      await codeEditor(page).fill('a = 1')
      await page.getByLabel('Title or file name').fill('a.rb')
      await waitForDetected('Ruby')
      await page.getByLabel('Language').selectOption('typescript')
      await codeEditor(page).fill('type A = string')
      await page.locator('.tok-keyword').waitFor()
      expect((await fetchDocument(await shareDocument(page))).settings).toMatchObject({
        title: 'a.rb',
        language: 'typescript',
      })
    })
  })

  it('is detected by the server if the page cannot load the detection', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.route('**/*.js', (route) => route.fulfill({ status: 404 }))
      await codeEditor(page).fill(PYTHON)
      await shareButton(page).click()
      await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
      expect((await fetchDocument(page.url())).settings.language).toBe('python')
    })
  })
})

describe('settings', () => {
  it('are saved as chosen, and errors are shown at their fields', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await codeEditor(page).fill('with settings')
      await page.getByLabel('Expires', { exact: true }).selectOption('date')
      await shareButton(page).click()
      expect(await page.getByRole('alert').textContent()).toContain('Choose an expiry date')
      await page.getByLabel('Date and time').fill('2020-01-01T12:00')
      await shareButton(page).click()
      await page.getByRole('alert').filter({ hasText: 'between 1 minute' }).waitFor()
      await expectComplete(page)
      const soon = new Date(Date.now() + 3 * 86_400_000)
      soon.setSeconds(0, 0)
      await page.getByLabel('Date and time').evaluate((field, at) => {
        const date = new Date(at)
        const local = new Date(at - date.getTimezoneOffset() * 60_000)
        ;(field as HTMLInputElement).value = local.toISOString().slice(0, 16)
      }, soon.getTime())
      await openMenu(page, 'more-menu')
      await page.getByLabel('Editors').fill('Noether, nobody-here')
      await shareButton(page).click()
      await page.getByRole('alert').filter({ hasText: 'nobody-here' }).waitFor()
      const editors = page.getByLabel('Editors')
      expect(await editors.evaluate((element) => element === document.activeElement)).toBe(true)
      await editors.fill('')
      await editors.pressSequentially('Noe')
      const suggestions = page.locator('#usernames option')
      await expect
        .poll(() => suggestions.evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)))
        .toEqual(['Noether'])
      await editors.fill('Noether')
      await page.getByLabel('Visibility').selectOption('public')
      await page.getByLabel('Link length').selectOption('long')
      const link = await shareDocument(page)
      expect(link).toMatch(/\/[A-Za-z0-9]{36}$/)
      const { timestamps, settings, creator } = await fetchDocument(link)
      expect(timestamps.expiration).toBe(soon.toISOString())
      expect(settings).toMatchObject({ public: true, editors: ['Noether'] })
      expect(creator?.username).toBe('Ada')
    }, ada)
  })
})

describe('a session that ended', () => {
  it('creates no document without a creator', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await codeEditor(page).fill('mine alone')
      await page.context().clearCookies()
      await shareButton(page).click()
      const alert = page.getByRole('alert').filter({ hasText: 'You’ve been signed out' })
      expect(await alert.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/sign-in')
      await page.context().addCookies(getCookies(ada))
      expect((await fetchDocument(await shareDocument(page))).creator?.username).toBe('Ada')
    }, ada)
  })
})
