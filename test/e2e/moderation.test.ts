import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectComplete, startBrowser, watchPage } from './support/browser.ts'
import { createDocument, demoKey } from './support/documents.ts'
import { command, type Service, startService } from './support/service.ts'
import { signIn, WITH_SECRET } from './support/session.ts'

let folder: string
let service: Service
let browser: Browser
let key: string
let browsers: Record<'admin' | 'creator' | 'anyone', BrowserContextOptions>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regent-'))
  ;[service, browser] = await Promise.all([startService(folder, WITH_SECRET), startBrowser()])
  key = demoKey(service)
  await command('user', 'add', 'judge', '--email', 'judge@example.org', '--persist-to', folder)
  await command('user', 'admin', 'judge', '--persist-to', folder)
  browsers = { admin: await signIn(folder, 'judge'), creator: await signIn(folder, 'demo'), anyone: {} }
})

afterAll(async () => {
  await browser.close()
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

const create = async (content: string): Promise<string> => (await createDocument(service, key, content)).id

/** What somebody does in a browser of their own, which complains of nothing. */
const as = (
  who: keyof typeof browsers,
  options: BrowserContextOptions,
  journey: (page: Page) => Promise<void>,
): Promise<void> => watchPage(browser, service.base, { ...options, ...browsers[who] }, journey)

const HOSTILE = `${'<img src=x onerror=alert(1)>'.repeat(8)}\n\u202e${'w'.repeat(300)}`

describe.each([
  ['on a phone, in the dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ['without scripts', { javaScriptEnabled: false }],
] as const)('%s', (_, options) => {
  const scripts = !('javaScriptEnabled' in options)
  const complete = (page: Page) => (scripts ? expectComplete(page) : Promise.resolve())

  it('a document is reported, judged, and its creator is told', async () => {
    const id = await create(`a title that is ${'very '.repeat(10)}long\nand its text`)
    await as('anyone', options, async (page) => {
      await page.goto(`/${id}`)
      await page.getByRole('link', { name: 'Report' }).click()
      await complete(page)
      await page.getByRole('radio', { name: 'Malware or phishing' }).check()
      await page.getByLabel('What else').fill('x'.repeat(1_001))
      await page.getByRole('button', { name: 'Send the report' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('1 character too many')
      expect(await page.getByRole('radio', { name: 'Malware or phishing' }).isChecked()).toBe(true)
      await complete(page)
      await page.getByLabel('What else').fill(HOSTILE)
      await page.getByRole('button', { name: 'Send the report' }).click()
      await page.getByRole('heading', { name: 'Thank you' }).waitFor()
      await complete(page)
    })

    await as('admin', options, async (page) => {
      await page.goto('/moderation')
      await complete(page)
      expect(await page.locator('.words').first().textContent()).toBe(HOSTILE)
      await page.locator(`h2 a[href="/moderation/${id}"]`).click()
      await complete(page)
      await page.getByRole('button', { name: 'Remove the document' }).click()
      const dialog = page.getByRole('dialog', { name: 'Remove this document?' })
      await dialog.waitFor()
      await complete(page)
      const reason = dialog.getByLabel('Reason')
      expect(await reason.evaluate((element) => element === document.activeElement)).toBe(true)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Remove the document' }).click()
      await reason.fill('r'.repeat(501))
      await dialog.getByRole('button', { name: 'Remove the document' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('1 character too many')
      await complete(page)
      await page.getByLabel('Reason').fill('It asks for passwords.')
      await page.getByRole('button', { name: 'Remove the document' }).click()
      await page.getByRole('heading', { name: 'This document is removed' }).waitFor()
      await complete(page)
      await page.getByRole('link', { name: 'Removals' }).click()
      await page.getByText('It asks for passwords.').first().waitFor()
      await complete(page)
    })

    await as('creator', options, async (page) => {
      expect((await page.goto(`/${id}`))?.status()).toBe(404)
      await page.getByText('It asks for passwords.').waitFor()
      await complete(page)
    })
    await as('anyone', options, async (page) => {
      expect((await page.goto(`/${id}`))?.status()).toBe(404)
      expect(await page.content()).not.toContain('passwords')
    })
  })
})

describe('for admins', () => {
  it('the question before a removal is a page, too, and reports are dismissed by one click', async () => {
    const id = await create('harmless')
    await fetch(`${service.base}/${id}/report`, {
      method: 'POST',
      headers: { Origin: service.base },
      body: new URLSearchParams({ reason: 'other', words: 'I do not like it' }),
    })
    await as('admin', {}, async (page) => {
      await page.goto('/moderation')
      const listed = page.getByRole('article').filter({ hasText: id })
      await listed.getByRole('button', { name: 'Remove the document' }).click()
      await page.getByRole('dialog').getByLabel('Reason').waitFor()
      await expectComplete(page)
      await page.goto(`/moderation/${id}/remove`)
      await expectComplete(page)
      await page.getByRole('link', { name: id }).click()
      await page.getByText('I do not like it').waitFor()
      await page.getByRole('button', { name: 'Dismiss the reports' }).click()
      await page.getByRole('heading', { name: 'Reported documents' }).waitFor()
      expect(await page.content()).not.toContain('I do not like it')
      await page.goto(`/${id}`)
      await page.getByRole('link', { name: 'Moderate' }).click()
      await page.getByText('Nobody has reported it').waitFor()
      await expectComplete(page)
    })
  })
})
