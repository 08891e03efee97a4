import type { BrowserContextOptions, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectComplete } from '../support/browser.ts'
import {
  codeEditor,
  createButton,
  createDocument,
  fetchDocument,
  openCreatePage,
} from '../support/code-editor-page.ts'
import { startTestSite, type TestSite } from '../support/test-site.ts'

let site: TestSite
let ada: BrowserContextOptions

beforeAll(async () => {
  site = await startTestSite()
  ada = await site.signIn('Ada')
})

afterAll(() => site.stop())

describe('encryption', () => {
  it.each([
    ['a generated password', undefined, false],
    ['an own password, burned after reading', 'own / pass 😀#', true],
  ] as const)('happens in the browser, with %s', async (_, ownPassword, burnAfterReading) => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await codeEditor(page).fill('the text that nobody sees')
      await page.getByText('Settings', { exact: true }).click()
      await page.getByLabel('Encrypt with a password').check()
      const field = page.getByLabel('Password', { exact: true })
      if (ownPassword) await field.fill(ownPassword)
      const password = await field.inputValue()
      if (!ownPassword) expect(password).toMatch(/^[2-9b-df-hjkmnp-tv-zB-DF-HJ-NP-TV-Z]{24}$/)
      if (burnAfterReading) await page.getByLabel('Delete after first read').check()
      await expectComplete(page)

      const requests: string[] = []
      page.on('request', (request) => {
        requests.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`)
      })
      const link = await createDocument(page)
      expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(password)
      const linkWithPassword = await page.getByLabel('Link with password', { exact: true }).inputValue()
      expect(linkWithPassword).toBe(`${link}#${encodeURIComponent(password)}`)
      // Browsers write other fields to disk, to restore them with the history.
      const remembered = page.locator('main input:not([autocomplete="off"])')
      expect(await remembered.evaluateAll((fields) => fields.map((field) => field.id))).toEqual([])
      await expectComplete(page)

      const sent = requests.join('\n')
      expect(sent).toContain('"client_encrypted":true')
      expect(sent.includes('"claim_hash"')).toBe(burnAfterReading)
      for (const secret of ['nobody sees', password, encodeURIComponent(password)]) {
        expect(sent).not.toContain(secret)
      }
      await page.goto(link)
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByText('the text that nobody sees').waitFor()
    }, ada)
  })

  it('gives a link that decrypts, even if the password looks like a link to lines', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await codeEditor(page).fill('opened by its link')
      await page.getByLabel('Encrypt with a password').check()
      await page.getByLabel('Password', { exact: true }).fill('L10-L20')
      const link = await createDocument(page)
      await page.goto(await page.getByLabel('Link with password', { exact: true }).inputValue())
      await page.getByText('opened by its link').waitFor()
      expect(page.url()).toBe(link)
    }, ada)
  })

  it('asks before a generated password is lost that has not been copied', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    await site.withPage(
      async (page) => {
        const questions: string[] = []
        page.on('dialog', async (dialog) => {
          questions.push(dialog.type())
          await dialog.dismiss()
        })
        await openCreatePage(page)
        await page.keyboard.type('a secret')
        await page.getByLabel('Encrypt with a password').check()
        const link = await createDocument(page)
        await page.getByRole('button', { name: 'Copy link', exact: true }).click()
        await page.getByText('Copied.').waitFor()
        await page.getByRole('link', { name: 'Open' }).click()
        await expect.poll(() => questions).toEqual(['beforeunload'])
        await page.getByRole('button', { name: 'Copy password' }).click()
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toHaveLength(24)
        await page.getByRole('link', { name: 'Open' }).click()
        await page.waitForURL(link)
        expect(questions).toHaveLength(1)
      },
      { ...ada, permissions },
    )
  })

  it('asks for a password if none is entered', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await codeEditor(page).fill('x')
      await page.getByLabel('Encrypt with a password').check()
      const field = page.getByLabel('Password', { exact: true })
      await field.fill('')
      await createButton(page).click()
      expect(await page.getByRole('alert').textContent()).toContain('Enter a password')
      await page.getByRole('button', { name: 'Generate password' }).click()
      expect(await field.inputValue()).toHaveLength(24)
      await page.getByRole('button', { name: 'Show' }).click()
      expect(await field.getAttribute('type')).toBe('password')
    }, ada)
  })

  it('sends and loses nothing if its script cannot be loaded', async () => {
    await site.withPage(async (page) => {
      const posts: Request[] = []
      page.on('request', (request) => request.method() === 'POST' && posts.push(request))
      await page.route('**/jwe-worker-*.js', (route) => route.abort())
      await openCreatePage(page)
      await codeEditor(page).fill('kept')
      await page.getByLabel('Encrypt with a password').check()
      await createButton(page).click()
      await page.getByRole('alert').filter({ hasText: 'load' }).waitFor()
      expect(posts).toEqual([])
      await page.unroute('**/jwe-worker-*.js')
      await createDocument(page)
    }, ada)
  })

  it('is not offered on an insecure page, which says why', async () => {
    await site.withPage(async (page) => {
      await page.addInitScript(() => Object.defineProperty(globalThis, 'isSecureContext', { value: false }))
      await openCreatePage(page)
      expect(await page.getByLabel('Encrypt with a password').isDisabled()).toBe(true)
      await page.getByText('so your browser can’t encrypt the document').waitFor()
      await expectComplete(page)
      await codeEditor(page).fill('open to all')
      expect((await fetchDocument(await createDocument(page))).settings.encrypted).toBe(false)
    }, ada)
  })
})
