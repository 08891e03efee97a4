import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { unzip } from '../support/unzip.ts'
import { expectCompleteInLooks, getCopied } from './support/browser.ts'
import { fillCodeEditor, save } from './support/code-editor-page.ts'
import { getCookies } from './support/session.ts'
import { openTestSite } from './support/test-site.ts'

const site = await openTestSite()
const account = await site.signIn('device-owner')

const PHONE = { viewport: { width: 390, height: 844 } }

/** Creates a document as a script of the site does, in the page's browser. Returns its id. */
async function createOnDevice(page: Page, text: string): Promise<string> {
  await page.goto('/')
  await fillCodeEditor(page, text)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
  return new URL(page.url()).pathname.slice(1)
}

describe('on a phone without an account', () => {
  it('documents are edited, restored, listed and deleted by their tokens', async () => {
    await site.withPage(async (page) => {
      const id = await createOnDevice(page, 'def one():\n    return 1\n')
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await fillCodeEditor(page, 'def two():\n    # more\n    return 2\n')
      await save(page, id)
      await page.goto('/device')
      await page.getByRole('link', { name: `Python, 3 lines · ${id}` }).click()

      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await fillCodeEditor(page, 'second text')
      await page.getByLabel('Title').fill('notes.txt')
      await save(page, id)
      await page.getByRole('heading', { name: 'notes.txt' }).waitFor()

      // The browser loses the cookie, and the script brings it back.
      await page.context().clearCookies()
      await page.goto(`/${id}`)
      await page.getByRole('link', { name: 'Edit', exact: true }).waitFor()

      await page.getByRole('link', { name: 'Your documents' }).click()
      await page.getByRole('link', { name: 'notes.txt', exact: true }).waitFor()
      await page.getByRole('button', { name: 'More for notes.txt' }).click()
      await page.getByRole('button', { name: 'Copy management link' }).click()
      await page.getByText('Anyone with this link can edit and delete').waitFor()
      const link = getCopied(page)
      await page.getByRole('button', { name: 'More for notes.txt' }).click()
      await page.getByRole('link', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('heading', { name: 'No documents on this device' }).waitFor()
      expect(await page.evaluate(() => localStorage.getItem('regent.documents'))).toBeNull()
      expect((await page.goto(link))?.status()).toBe(404)
    }, PHONE)
  })

  it('documents are forgotten once the user agrees, in browsers without invoker commands too', async () => {
    await site.withPage(async (page) => {
      await page.addInitScript(() => Reflect.deleteProperty(HTMLButtonElement.prototype, 'commandForElement'))
      await page.route('**/device', async (route) => {
        const response = await route.fetch()
        const html = (await response.text()).replaceAll(/ command="[^"]*"/g, '')
        await route.fulfill({ response, body: html })
      })
      await createOnDevice(page, 'my text')
      await page.goto('/device')
      const forget = async (answer: string) => {
        await page.getByRole('button', { name: 'More for my text' }).click()
        await page.getByRole('button', { name: 'Forget' }).click()
        const dialog = page.getByRole('dialog', { name: 'Forget 1 document?' })
        await dialog.getByRole('button', { name: answer, exact: true }).click()
        await dialog.waitFor({ state: 'hidden' })
      }
      await forget('Cancel')
      await page.getByRole('link', { name: 'my text', exact: true }).waitFor()
      await forget('Forget')
      await page.getByRole('heading', { name: 'No documents on this device' }).waitFor()
    }, PHONE)
  })

  it('documents are added to an account once the user agrees', async () => {
    await site.withPage(async (page) => {
      const id = await createOnDevice(page, 'my text')
      await page.context().addCookies(getCookies(account))
      await page.goto('/account/documents')
      await page.getByText('One document on this device isn’t in your account.').waitFor()
      await page.getByRole('button', { name: 'Add to your account' }).click()
      await page.getByRole('rowheader').getByRole('link', { name: 'my text' }).waitFor()
      expect(await page.getByText('on this device').count()).toBe(0)
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('link', { name: 'Editors' }).waitFor()
    }, PHONE)
  })

  it('all documents are downloaded in a ZIP file, and deleted, with the keyboard', async () => {
    await site.withPage(
      async (page) => {
        const kept = await createOnDevice(page, 'kept 😀')
        const gone = await createOnDevice(page, 'gone')
        await page.goto('/device')
        await page.getByRole('link', { name: 'gone', exact: true }).waitFor()
        // Another device deletes a document while the list is open.
        const token = await page.evaluate((id) => {
          const documents = JSON.parse(localStorage.getItem('regent.documents') ?? '[]')
          return documents.find((document: { id: string }) => document.id === id).token as string
        }, gone)
        const headers = { 'X-Document-Token': token }
        expect(await site.getStatus(`/v1/document/${gone}`, { method: 'DELETE', headers })).toBe(204)

        const all = page.getByRole('checkbox', { name: 'Select all' })
        await all.check()
        await page.getByRole('button', { name: 'Download' }).press('Enter')
        await page.getByText('One document is gone').waitFor()
        await expectCompleteInLooks(page)
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Download', exact: true }).press('Enter'),
        ])
        const files = unzip(await readFile(await download.path()))
        expect(files.get('list.txt')).toContain(`${gone}  not in this file`)
        expect([...files].find(([name]) => name.startsWith(`documents/${kept}/kept`))?.[1]).toBe('kept 😀')

        await page.getByRole('link', { name: 'Back to this device' }).click()
        await page.getByText('Gone: somebody read or deleted it').waitFor()
        expect(await page.getByRole('button', { name: 'More for gone' }).count()).toBe(0)
        await all.check()
        const remove = page.getByRole('button', { name: 'Delete selected' })
        await remove.press('Enter')
        const dialog = page.getByRole('dialog', { name: 'Delete 1 document?' })
        await dialog.waitFor()
        await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
        expect(await site.getStatus(`/v1/document/${kept}`, { method: 'HEAD' })).toBe(200)
        await remove.press('Enter')
        await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
        await page.getByText('kept 😀').waitFor({ state: 'detached' })
        await page.getByRole('heading', { name: 'No documents on this device' }).waitFor()
        expect(await site.getStatus(`/v1/document/${kept}`, { method: 'HEAD' })).toBe(404)
      },
      { ...PHONE, acceptDownloads: true },
    )
  })
})
