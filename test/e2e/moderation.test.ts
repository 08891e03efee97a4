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
  const { env } = service
  key = (await addAccount(env, 'reported-creator')).key
  await addAccount(env, 'moderator')
  await makeAdmin(env, 'moderator')
  sessions = {
    admin: await signIn(env, 'moderator'),
    creator: await signIn(env, 'reported-creator'),
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
      // A phone shows the queue or a report, not both.
      expect(await page.getByRole('article').isVisible()).toBe(false)
      await page.locator(`.queue a[href="/moderation/${id}"]`).click()
      await page.getByRole('link', { name: 'All reports' }).waitFor()
      await expectComplete(page)
      expect(await page.getByRole('navigation', { name: 'Reported documents' }).isVisible()).toBe(false)
      expect(await page.locator('.quote').first().textContent()).toBe(HOSTILE)
      await page.getByRole('button', { name: 'Remove…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Remove this document?' })
      await dialog.waitFor()
      expect(await dialog.getByRole('radio', { name: 'Malware or phishing' }).isChecked()).toBe(true)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Remove…' }).click()
      await dialog.getByRole('radio', { name: 'Something else' }).check()
      await dialog.getByLabel('In your own words').fill('r'.repeat(501))
      await dialog.getByRole('button', { name: 'Remove document' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('1 character too long')
      await page.getByLabel('In your own words').fill('It asks for passwords.')
      await page.getByRole('button', { name: 'Remove document' }).click()
      await page.getByRole('heading', { name: 'Removed document' }).waitFor()
      await page.getByRole('link', { name: 'Removed' }).click()
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

/** Chromium drops key presses between the start of a page and its first paint. Tries a key that does nothing by itself. */
async function waitForKeys(page: Page): Promise<void> {
  await page.evaluate(() =>
    addEventListener('keyup', () => document.body.setAttribute('data-takes-keys', '')),
  )
  const takesKeys = async () => {
    await page.keyboard.press('Shift')
    return page.locator('body[data-takes-keys]').count()
  }
  await expect.poll(takesKeys).toBe(1)
}

/** Presses Tab until an element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  await waitForKeys(page)
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

async function report(id: string, comment: string): Promise<void> {
  await fetch(`${service.base}/${id}/report`, {
    method: 'POST',
    headers: { Origin: service.base },
    body: new URLSearchParams({ reason: 'privacy', comment }),
  })
}

/** Presses a key that leads to another page, and waits for what that page shows. */
async function pressUntil(page: Page, key: string, shown: Locator): Promise<void> {
  await page.locator('.case:focus').waitFor()
  await waitForKeys(page)
  await page.keyboard.press(key)
  await shown.waitFor()
}

const getStatus = async (id: string): Promise<number> =>
  (await fetch(`${service.base}/v1/document/${id}`, { method: 'HEAD' })).status

describe('the queue with the keyboard', () => {
  it('steps with J and K, removes with R and the reported reason, and dismisses with D', async () => {
    const [first, second, third] = [
      await create('case one'),
      await create('case two'),
      await create('case three'),
    ]
    for (const id of [third, second, first] as string[]) await report(id, `comment on ${id}`)
    await withPageAs('admin', {}, async (page) => {
      const title = (name: string) => page.getByRole('article', { name })
      await page.goto('/moderation')
      await title('case one').waitFor()
      expect(await page.locator('.case-text').textContent()).toContain('case one')
      await pressUntil(page, 'j', title('case two'))
      await pressUntil(page, 'K', title('case one'))
      await pressUntil(page, 'r', page.getByRole('dialog', { name: 'Remove this document?' }))
      // In the dialog, letters are typed.
      await page.getByLabel('In your own words').fill('')
      await page.getByLabel('In your own words').press('d')
      expect(await page.getByLabel('In your own words').inputValue()).toBe('d')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await page.locator('.case').focus()
      await pressUntil(page, 'm', page.getByRole('link', { name: 'Remove all copies…' }))
      await page.keyboard.press('Tab')
      expect(await page.locator(':focus').textContent()).toBe('Account')
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Remove all copies…' }).waitFor({ state: 'hidden' })
      // A click beside everything leaves the focus nowhere, and the keys as they were.
      await page.locator('main').click({ position: { x: 4, y: 4 } })
      await page.keyboard.press('j')
      await title('case two').waitFor()
      await pressUntil(page, 'k', title('case one'))
      await pressUntil(page, 'r', page.getByRole('dialog', { name: 'Remove this document?' }))
      expect(
        await page
          .locator(':focus')
          .and(page.getByRole('radio', { name: 'Private information' }))
          .isChecked(),
      ).toBe(true)
      await page.getByRole('dialog').getByRole('button', { name: 'Remove document' }).press('Enter')
      await title('case two').waitFor()
      await page
        .getByRole('status')
        .filter({ hasText: `Removed ${first}` })
        .waitFor()
      await pressUntil(page, 'd', title('case three'))
      await page
        .getByRole('status')
        .filter({ hasText: `Dismissed the reports of ${second}` })
        .waitFor()
      // Outside the desk, letters do nothing.
      await page.getByRole('link', { name: 'Audit log' }).focus()
      await page.keyboard.press('d')
      await page.getByRole('link', { name: 'Audit log' }).press('Enter')
      await page.getByText('Dismissed reports').first().waitFor()
    })
    expect(await Promise.all([first, second, third].map((id) => getStatus(id as string)))).toEqual([
      404, 200, 200,
    ])
    await withPageAs('admin', {}, async (page) => {
      await page.goto(`/moderation/${third}`)
      await page.getByText(`comment on ${third}`).waitFor()
    })
  })

  it('decides without scripts, and opens the menus', async () => {
    const id = await create('decided without scripts')
    await report(id, 'no scripts')
    await withPageAs('admin', { javaScriptEnabled: false }, async (page) => {
      await page.goto(`/${id}`)
      await page.goto(`/moderation/${id}`)
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('button', { name: 'Suspend account…' }).click()
      await page
        .getByRole('dialog', { name: 'Suspend account?' })
        .getByRole('button', { name: 'Cancel' })
        .click()
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('button', { name: 'Block text…' }).click()
      await page
        .getByRole('dialog', { name: 'Block text?' })
        .getByRole('button', { name: 'Block text' })
        .click()
      await page.getByText('Blocked.').waitFor()
      await page.getByRole('button', { name: 'Remove…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove document' }).click()
      await page
        .getByRole('status')
        .filter({ hasText: `Removed ${id}` })
        .waitFor()
    })
    expect(await getStatus(id)).toBe(404)
  })
})

describe('the lists of the desk with the keyboard', () => {
  it('add and lift a block, and remove many documents', async () => {
    const { key: spammer } = await addAccount(service.env, 'spammer')
    const { id } = await createDocument(service, spammer, 'spam of the keyboard test')
    await withPageAs('admin', {}, async (page) => {
      await page.goto('/moderation/blocks')
      await pressOn(page, page.getByRole('button', { name: 'Add a block' }))
      const dialog = page.getByRole('dialog', { name: 'Add a block' })
      await dialog.waitFor()
      await dialog.getByLabel('Kind').selectOption('domain')
      await typeInto(page, dialog.getByLabel('What to block'), 'https://not a domain')
      await typeInto(page, dialog.getByLabel('Reason'), 'Spam')
      await page.keyboard.press('Enter')
      await page.locator('dialog:modal').getByRole('alert').waitFor()
      await typeInto(page, page.getByLabel('What to block'), 'keyboard.example')
      await page.keyboard.press('Enter')
      await pressOn(page, page.getByRole('button', { name: 'Unblock keyboard.example' }))
      await page.getByText('keyboard.example').waitFor({ state: 'hidden' })

      await pressOn(page, page.getByRole('link', { name: 'Remove many…' }))
      await typeInto(page, page.getByLabel('Whose documents'), 'spammer')
      await typeInto(page, page.getByLabel('Reason'), 'Spam')
      await pressOn(page, page.getByRole('button', { name: 'Continue' }))
      await page.getByRole('heading', { name: 'Remove 1 document?' }).waitFor()
      await pressOn(page, page.getByRole('button', { name: 'Remove all' }))
      await page.getByRole('heading', { name: 'Removed 1 document' }).waitFor()
    })
    expect(await getStatus(id)).toBe(404)
  })
})
