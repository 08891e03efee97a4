import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addAccount, makeAdmin } from './support/accounts.ts'
import { expectComplete, watchPage } from './support/browser.ts'
import { createDocument } from './support/documents.ts'
import { type Service, startService } from './support/service.ts'
import { signIn } from './support/session.ts'

let service: Service
let key: string
let sessions: Record<'admin' | 'creator' | 'anyone', BrowserContextOptions>

beforeAll(async () => {
  service = await startService()
  const { folder } = service
  key = (await addAccount(folder, 'reported-creator')).key
  await addAccount(folder, 'moderator')
  await makeAdmin(folder, 'moderator')
  sessions = {
    admin: await signIn(folder, 'moderator'),
    creator: await signIn(folder, 'reported-creator'),
    anyone: {},
  }
})

const create = async (content: string): Promise<string> => (await createDocument(service, key, content)).id

/** Opens a page in the browser of an admin, the creator or an anonymous viewer. */
const withPageAs = (
  viewer: keyof typeof sessions,
  options: BrowserContextOptions,
  journey: (page: Page) => Promise<void>,
): Promise<void> => watchPage(service.base, { ...options, ...sessions[viewer] }, journey)

const HOSTILE = `${'<img src=x onerror=alert(1)>'.repeat(8)}\n\u202e${'w'.repeat(300)}`

const DARK_PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }

describe('moderation on a dark phone', () => {
  it('removes a reported document and tells its creator why', async () => {
    const id = await create(`a title that is ${'very '.repeat(10)}long\nand its text`)
    await withPageAs('anyone', DARK_PHONE, async (page) => {
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('link', { name: 'Report' }).click()
      await page.getByRole('radio', { name: 'Malware or phishing' }).check()
      await page.getByLabel('Details').fill('x'.repeat(1_001))
      await page.getByRole('button', { name: 'Send report' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('1 character too long')
      expect(await page.getByRole('radio', { name: 'Malware or phishing' }).isChecked()).toBe(true)
      await page.getByLabel('Details').fill(HOSTILE)
      await page.getByRole('button', { name: 'Send report' }).click()
      await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    })

    await withPageAs('admin', DARK_PHONE, async (page) => {
      await page.goto('/moderation')
      await expectComplete(page)
      expect(await page.locator('.quote').first().textContent()).toBe(HOSTILE)
      await page.locator(`h2 a[href="/moderation/${id}"]`).click()
      await page.getByRole('button', { name: 'Remove document' }).click()
      const dialog = page.getByRole('dialog', { name: 'Remove this document?' })
      await dialog.waitFor()
      const reason = dialog.getByLabel('Reason')
      expect(await reason.evaluate((element) => element === document.activeElement)).toBe(true)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Remove document' }).click()
      await reason.fill('r'.repeat(501))
      await dialog.getByRole('button', { name: 'Remove document' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('1 character too long')
      await page.getByLabel('Reason').fill('It asks for passwords.')
      await page.getByRole('button', { name: 'Remove document' }).click()
      await page.getByRole('heading', { name: 'Removed document' }).waitFor()
      await page.getByRole('link', { name: 'Removals' }).click()
      await page.getByText('It asks for passwords.').first().waitFor()
    })

    await withPageAs('creator', DARK_PHONE, async (page) => {
      expect((await page.goto(`/${id}`))?.status()).toBe(404)
      await page.getByText('It asks for passwords.').waitFor()
    })
    await withPageAs('anyone', DARK_PHONE, async (page) => {
      expect((await page.goto(`/${id}`))?.status()).toBe(404)
      expect(await page.content()).not.toContain('passwords')
    })
  })
})

describe('moderation pages', () => {
  it('confirm a removal in a dialog or on a page, and dismiss reports with one click', async () => {
    const id = await create('harmless')
    await fetch(`${service.base}/${id}/report`, {
      method: 'POST',
      headers: { Origin: service.base },
      body: new URLSearchParams({ reason: 'other', comment: 'I do not like it' }),
    })
    await withPageAs('admin', {}, async (page) => {
      await page.goto('/moderation')
      const listed = page.getByRole('article').filter({ hasText: id })
      await listed.getByRole('button', { name: 'Remove document' }).click()
      await page.getByRole('dialog').getByLabel('Reason').waitFor()
      await page.goto(`/moderation/${id}/remove`)
      await page.getByRole('link', { name: id }).click()
      await page.getByText('I do not like it').waitFor()
      await page.getByRole('button', { name: 'Dismiss reports' }).click()
      await page.getByRole('heading', { name: 'Reported documents' }).waitFor()
      expect(await page.content()).not.toContain('I do not like it')
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('link', { name: 'Moderate' }).click()
      await page.getByText('No open reports.').waitFor()
    })
  })
})

/** Presses Tab until an element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no number of presses of Tab reaches ${target}`)
}

async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

describe('the moderation desk with the keyboard', () => {
  it('handles reports, blocks, many documents and the audit log', async () => {
    const { key: spammer } = await addAccount(service.folder, 'spammer')
    const { id } = await createDocument(service, spammer, 'spam of the keyboard test')
    await fetch(`${service.base}/${id}/report`, {
      method: 'POST',
      headers: { Origin: service.base },
      body: new URLSearchParams({ reason: 'spam', comment: 'Found with the keyboard' }),
    })
    await withPageAs('admin', {}, async (page) => {
      const tabs = page.getByRole('navigation', { name: 'Moderation' })
      await page.goto('/moderation')
      const listed = page.getByRole('article').filter({ hasText: id })
      await pressOn(page, listed.getByRole('button', { name: 'Remove document' }))
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      const opener = listed.getByRole('button', { name: 'Remove document' })
      expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
      await pressOn(page, listed.getByRole('button', { name: 'Dismiss reports' }))
      await page.getByText('Found with the keyboard').waitFor({ state: 'hidden' })

      await pressOn(page, tabs.getByRole('link', { name: 'Blocks' }))
      await page.getByRole('heading', { name: 'Add a block' }).waitFor()
      await tabTo(page, page.getByLabel('Kind'))
      await page.keyboard.type('Link domain')
      await typeInto(page, page.getByLabel('What to block'), 'https://not a domain')
      await typeInto(page, page.getByLabel('Reason'), 'Spam')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await typeInto(page, page.getByLabel('What to block'), 'keyboard.example')
      await page.keyboard.press('Enter')
      await pressOn(page, page.getByRole('button', { name: 'Lift block of keyboard.example' }))
      await page.getByText('keyboard.example').waitFor({ state: 'hidden' })

      await pressOn(page, tabs.getByRole('link', { name: 'Remove many' }))
      await page.getByLabel('Whose documents').waitFor()
      await typeInto(page, page.getByLabel('Whose documents'), 'spammer')
      await typeInto(page, page.getByLabel('Reason'), 'Spam')
      await tabTo(page, page.getByRole('checkbox'))
      await page.keyboard.press('Space')
      await pressOn(page, page.getByRole('button', { name: 'Continue' }))
      await page.getByRole('heading', { name: 'Remove 1 document?' }).waitFor()
      await pressOn(page, page.getByRole('button', { name: 'Remove all' }))
      await page.getByRole('heading', { name: 'Removed 1 document' }).waitFor()

      await page.goto('/moderation/audit')
      await page
        .getByRole('heading', { name: 'Removed many documents' })
        .or(page.getByText('spammer'))
        .first()
        .waitFor()
    })
    expect((await fetch(`${service.base}/v1/document/${id}`, { method: 'HEAD' })).status).toBe(404)
  })
})
