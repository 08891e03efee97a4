import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectComplete } from '../support/browser.ts'
import {
  chooseEncryption,
  codeEditor,
  codeEditorText,
  fetchDocument,
  fetchText,
  findDraft,
  openCreatePage,
  openMenu,
  shareDocument,
} from '../support/code-editor-page.ts'
import { getCookies } from '../support/session.ts'
import { openTestSite, type TestSite } from '../support/test-site.ts'

let site: TestSite
let ada: BrowserContextOptions

beforeAll(async () => {
  site = await openTestSite()
  ada = await site.signIn('Ada')
})

describe('a draft', () => {
  it('survives a reload, can be discarded, and is deleted once the document is created', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('a draft')
      await page.reload()
      await page.getByText('Draft restored').waitFor()
      expect(await codeEditorText(page)).toBe('a draft')
      await expectComplete(page)
      await page.getByRole('button', { name: 'Discard draft' }).click()
      expect(await codeEditorText(page)).toBe('')
      expect(await findDraft(page)).toBeNull()
      await page.reload()
      await page.locator('.cm-content').waitFor()
      expect(await page.getByText('Draft restored').count()).toBe(0)
      await page.keyboard.type('another')
      await shareDocument(page)
      expect(await findDraft(page)).toBeNull()
    })
  })

  it('is still there after signing in', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('written before')
      await expectComplete(page)
      await openMenu(page, 'more-menu')
      await page.getByText('Your text will still be here').waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
      await page.waitForURL(/\/sign-in\?return=/)
      await page.context().addCookies(getCookies(ada))
      await openCreatePage(page)
      await page.getByText('Draft restored').waitFor()
      expect(await codeEditorText(page)).toBe('written before')
      expect((await fetchDocument(await shareDocument(page))).creator?.username).toBe('Ada')
    })
  })

  it('waits with its settings while a document is duplicated', async () => {
    const { id } = await site.create('of a\rdocument\r\n', { public: true, title: 'The original' })
    const duplicate = async (page: Page) => {
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'Duplicate' }).click()
      await page.getByText('This is a copy').waitFor()
    }
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await openMenu(page, 'more-menu')
      await page.getByLabel('Visibility').selectOption('public')
      await codeEditor(page).fill('a draft')
      await duplicate(page)
      await page.getByText('restore your draft').waitFor()
      expect(await page.getByText('Draft restored').count()).toBe(0)
      expect(await page.locator('#visibility').inputValue()).toBe('unlisted')
      // An unchanged copy must not replace the waiting draft.
      await duplicate(page)
      expect(await fetchText(await shareDocument(page))).toBe('of a\rdocument\r\n')
      await page.getByText('duplicated from').getByRole('link', { name: 'The original' }).waitFor()
      await page.getByRole('link', { name: 'New document' }).click()
      await page.getByText('Draft restored').waitFor()
      expect(await codeEditorText(page)).toBe('a draft')
      expect(await page.locator('#visibility').inputValue()).toBe('public')
      await shareDocument(page)
      expect(await findDraft(page)).toBeNull()
      await duplicate(page)
      await codeEditor(page).fill('')
      await codeEditor(page).fill('something else')
      await shareDocument(page)
      expect(await page.getByText('duplicated from').count()).toBe(0)
    }, ada)
  })

  it('is only mentioned if the browser stores it', async () => {
    await site.withPage(async (page) => {
      const notice = page.locator('#draft-notice')
      await openCreatePage(page)
      await page.keyboard.type('kept')
      await expect.poll(() => findDraft(page)).not.toBeNull()
      await openMenu(page, 'more-menu')
      await notice.waitFor()
      await codeEditor(page).focus()
      await page.evaluate(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException('full', 'QuotaExceededError')
        }
      })
      await page.keyboard.type(' no more')
      await expect.poll(() => findDraft(page)).toBeNull()
      await openMenu(page, 'more-menu')
      await notice.waitFor({ state: 'hidden' })
    })
  })

  it('restores the settings too, and shows them', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.getByLabel('Title or file name').fill('notes.py')
      await page.getByLabel('Language').selectOption('go')
      await openMenu(page, 'more-menu')
      await page.getByLabel('Expires').selectOption('date')
      await page.getByLabel('Date and time').fill('2030-01-02T03:04')
      await page.locator('#visibility').evaluate((field) => {
        ;(field as HTMLSelectElement).value = 'public'
      })
      await page.getByLabel('Delete after first read').check()
      await codeEditor(page).fill('a draft')
      await page.reload()
      await page.getByText('Draft restored').waitFor()
      expect(await page.getByLabel('Date and time').inputValue()).toBe('2030-01-02T03:04')
      expect(await page.getByLabel('Title or file name').inputValue()).toBe('notes.py')
      expect(await page.getByLabel('Language').inputValue()).toBe('go')
      expect(await page.locator('#visibility').inputValue()).toBe('public')
      expect(await page.locator('#more-menu.changed').count()).toBe(1)
      expect(await page.getByLabel('Delete after first read').isChecked()).toBe(true)
      await page.getByLabel('Date and time').waitFor()
      await expectComplete(page)
    }, ada)
  })

  it('is never stored of a text that will be encrypted', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('a secret')
      await expect.poll(() => findDraft(page)).not.toBeNull()
      await chooseEncryption(page)
      expect(await findDraft(page)).toBeNull()
      await codeEditor(page).press('Control+End')
      await page.keyboard.type(', and more')
      await page.reload()
      await page.locator('.cm-content').waitFor()
      expect(await findDraft(page)).toBeNull()
      expect(await codeEditorText(page)).toBe('')
    }, ada)
  })
})
