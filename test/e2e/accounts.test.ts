import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { SQL } from '../../scripts/support/database.ts'
import { control } from '../support/fake-github/control.ts'
import { addAccount } from './support/accounts.ts'
import { getCopied, watchPage } from './support/browser.ts'
import { holdScript } from './support/code-editor-page.ts'
import { queryDatabase } from './support/database.ts'
import { type Service, startService } from './support/service.ts'
import { signIn } from './support/session.ts'

let service: Service
const gitHub = inject('gitHubUrl')

beforeAll(async () => {
  service = await startService()
})

const withPage = (options: BrowserContextOptions, journey: (page: Page) => Promise<void>) =>
  watchPage(service.base, options, journey, [gitHub])

/** Creates a document with a key, and returns the status code. */
async function getCreateStatus(key: string): Promise<number> {
  const response = await fetch(`${service.base}/v1/document`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: key },
    body: JSON.stringify({ content: 'x', settings: { language: 'json' } }),
  })
  return response.status
}

async function signUp(page: Page, { email, username }: { email: string; username: string }): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Username').fill(username)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await page.goto(await service.mailedLink(email))
  await page.getByRole('link', { name: 'Account' }).waitFor()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor()
}

describe('an account', () => {
  it('is created, gets a key, revokes it, and is deleted, without scripts', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await signUp(page, { email: 'no.script@example.org', username: 'no-script' })
      await page.getByRole('link', { name: 'Account', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Account', exact: true }).waitFor()
      expect(await page.getByText('isn’t confirmed').count()).toBe(0)

      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByLabel('Name').fill('laptop')
      await page.getByRole('button', { name: 'Create key' }).click()
      const key = (await page.getByText(/^imperial_/).textContent()) ?? ''
      expect(await getCreateStatus(key)).toBe(200)

      await page.goto('/account')
      expect(await page.content()).not.toContain(key)
      await page
        .getByRole('listitem')
        .filter({ hasText: 'laptop' })
        .getByRole('button', { name: 'Revoke' })
        .click()
      const dialog = page.getByRole('dialog', { name: 'Revoke the API key “laptop”?' })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect.poll(() => dialog.count()).toBe(0)
      await page
        .getByRole('listitem')
        .filter({ hasText: 'laptop' })
        .getByRole('button', { name: 'Revoke' })
        .click()
      await dialog.getByRole('button', { name: 'Revoke' }).click()
      expect(await page.getByRole('status').textContent()).toBe('API key revoked.')
      expect(await getCreateStatus(key)).toBe(401)

      await page.getByRole('link', { name: 'Delete account' }).click()
      await page.getByRole('heading', { name: 'Delete account' }).waitFor()
      await page.getByRole('button', { name: 'Delete account' }).click()
      await page.getByRole('heading', { name: 'Account deleted' }).waitFor()
      await page.goto('/account')
      expect(new URL(page.url()).pathname).toBe('/sign-in')
    })
  })

  it('signs out, and in again by an emailed link that leads to the page that was requested', async () => {
    const email = 'again@example.org'
    await withPage({}, async (page) => {
      await signUp(page, { email, username: 'again' })
      await signOut(page)
      await page.goto('/account/profile')
      await page.getByLabel('Email').fill('a-typo@example.org')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Another address' }).click()
      await page.getByLabel('Email').fill(email)
      await page.keyboard.press('Enter')
      await page.getByText(email).waitFor()
      const first = await service.mailedLink(email)
      await page.getByRole('button', { name: 'Send again' }).click()
      await expect.poll(() => service.mailedLink(email)).not.toBe(first)
      await page.goto(await service.mailedLink(email))
      await page.waitForURL('**/account/profile')
    })
  })

  it('is created with GitHub, connects gists, and signs in again', async () => {
    const login = 'octo-journey'
    await control(gitHub, { do: 'create account', login })
    await control(gitHub, { do: 'sign in', login })
    await withPage({}, async (page) => {
      await page.goto('/sign-up')
      await page.getByRole('button', { name: 'Continue with GitHub' }).click()
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
      await page.getByText(login).first().waitFor()
      // Its picture is copied after the answer.
      const findPicture = () =>
        queryDatabase(service.env, SQL`SELECT icon FROM users WHERE username = ${login}`)
      await expect.poll(async () => (await findPicture())[0]?.icon).toMatch(/^\/icons\//)
      const picture = await page.request.get(String((await findPicture())[0]?.icon))
      expect((await picture.body()).subarray(1, 4).toString()).toBe('PNG')
      await page.getByRole('button', { name: 'Allow gists' }).click()
      await page.getByText('publish documents as gists').waitFor()
      await signOut(page)
      await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Continue with GitHub' }).click()
      await page.getByRole('link', { name: 'Account', exact: true }).click()
      await page.getByText(login).first().waitFor()
      await page.getByRole('button', { name: 'Disconnect GitHub' }).click()
      await page.getByText('GitHub isn’t connected.').waitFor()
    })
  })
})

describe('account pages with scripts', () => {
  it('say while a username is typed whether it is available', async () => {
    await withPage({}, async (page) => {
      await page.goto('/sign-up')
      const field = page.getByLabel('Username')
      await field.pressSequentially('demo')
      await page.getByText('is taken').waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      await page.getByLabel('Email').fill('someone@example.org')
      // The next name is typed before the script of the page has arrived.
      const release = await holdScript(page, 'form-page')
      await field.press('Enter')
      await page.getByRole('alert').filter({ hasText: 'is taken' }).waitFor()
      await field.fill('demonstrator')
      release()
      await page.getByText('This username is available.').waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('false')
      // What was wrong with the former name is gone.
      expect(await page.getByText('is taken').count()).toBe(0)
    })
  })

  it('copy a new key', async () => {
    await addAccount(service.env, 'copier')
    const profile = await signIn(service.env, 'copier')
    await withPage(profile, async (page) => {
      await page.goto('/account')
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByLabel('Name').fill('copied')
      await page.keyboard.press('Enter')
      const key = await page.getByText(/^imperial_/).textContent()
      await page.getByRole('button', { name: 'Copy' }).click()
      await page.getByText('Copied.').waitFor()
      expect(getCopied(page)).toBe(key)
    })
  })
})
