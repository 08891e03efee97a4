import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CODE_EDITOR_FILES } from '../../../src/site/assets.generated.ts'
import {
  codeEditor,
  codeEditorText,
  fetchText,
  openCreatePage,
  openMenu,
  plainTextBox,
  saveButton,
  shareButton,
} from '../support/code-editor-page.ts'
import { openTestSite } from '../support/test-site.ts'

const site = await openTestSite()
const creator = await site.signIn('failing-scripts')

const withPage = (journey: (page: Page) => Promise<void>, options = {}): Promise<void> =>
  site.withPage(journey, { ...creator, ...options })

/** Tabs are reused by options, and this one is changed for good. */
const CHANGED_TAB = { locale: 'en-IE' }

/** Something that the browser lacks, or a mistake in a script. */
const breakWhenSaving = (page: Page) =>
  page.evaluate(() => {
    TextEncoder.prototype.encode = () => {
      throw new TypeError('encode is not a function')
    }
  })

describe('a script that fails', () => {
  it('while sharing hands the text over to the form without scripts', async () => {
    await withPage(async (page) => {
      await openCreatePage(page)
      await codeEditor(page).fill('not lost\nat all')
      await breakWhenSaving(page)
      await shareButton(page).click()
      await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
      expect(await fetchText(page.url())).toBe('not lost\nat all')
    })
  })

  it('while saving hands the text over to the form without scripts', async () => {
    const { id } = await site.create('before', { editors: ['failing-scripts'] })
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await codeEditor(page).fill('after')
      await breakWhenSaving(page)
      await saveButton(page).click()
      await page.waitForURL(`**/${id}`)
    })
    expect((await site.read(id)).content).toBe('after')
  })

  it('while sharing never sends a text that the browser is to encrypt', async () => {
    await withPage(async (page) => {
      await openCreatePage(page)
      await codeEditor(page).fill('a secret')
      await openMenu(page, 'password-menu')
      await page.getByLabel('Encrypt with a password').check()
      await breakWhenSaving(page)
      const posts: string[] = []
      page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
      await shareButton(page).click()
      await page.getByRole('alert').filter({ hasText: 'nothing was sent' }).waitFor()
      expect(posts).toEqual([])
      expect(await codeEditorText(page)).toBe('a secret')
    })
  })

  it('while starting leaves the form as it is without scripts', async () => {
    await withPage(async (page) => {
      await page.addInitScript(() => {
        FormData.prototype.has = () => {
          throw new TypeError('has is not a function')
        }
      })
      await page.goto('/')
      await page.getByRole('status').filter({ hasText: 'You can still write and save' }).waitFor()
      await page.keyboard.insertText('written all the same')
      await openMenu(page, 'password-menu')
      await page.getByLabel('Encryption').selectOption('own')
      await page.getByLabel('Password', { exact: true }).fill('a password')
      await shareButton(page).click()
      await page.getByLabel('Password').fill('a password')
      await page.keyboard.press('Enter')
      await page.locator('#text', { hasText: 'written all the same' }).waitFor()
    }, CHANGED_TAB)
  })

  it('because the code editor is missing leaves the text box', async () => {
    await withPage(async (page) => {
      for (const file of CODE_EDITOR_FILES) await page.route(`**${file}`, (route) => route.abort())
      await page.goto('/')
      await plainTextBox(page).fill('without modules')
      await shareButton(page).click()
      await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
      expect(await fetchText(page.url())).toBe('without modules')
    })
  })
})
