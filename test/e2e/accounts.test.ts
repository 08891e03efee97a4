import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { control } from '../support/fake-github/control.ts'
import { expectComplete, LOOKS, startBrowser, watchPage } from './support/browser.ts'
import { type Service, startService } from './support/service.ts'

const shell = promisify(execFile)

let service: Service
let browser: Browser
const gitHub = inject('shared').gitHub

beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), startBrowser()])
})

afterAll(async () => {
  await browser.close()
  await service.stop()
})

const withPage = (options: BrowserContextOptions, journey: (page: Page) => Promise<void>) =>
  watchPage(browser, service.base, options, journey, [gitHub])

/** Creates a document with curl, and returns the status code. */
async function createWithCurl(key: string): Promise<string> {
  const body = JSON.stringify({ content: 'by curl', settings: { language: 'json' } })
  const { stdout } = await shell('curl', [
    '-s',
    '-o',
    '/dev/null',
    '-w',
    '%{http_code}',
    `${service.base}/v1/document`,
    '-H',
    'Content-Type: application/json',
    '-H',
    `Authorization: ${key}`,
    '-d',
    body,
  ])
  return stdout
}

async function signUp(page: Page, { email, username }: { email: string; username: string }): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Username').fill(username)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await page.goto(await service.mailedLink(email))
  await page.getByRole('link', { name: 'Account' }).waitFor()
}

async function signOut(page: Page, { javaScriptEnabled = true }: BrowserContextOptions): Promise<void> {
  await page.getByRole('link', { name: 'Sign out', exact: true }).click()
  if (!javaScriptEnabled) await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor()
}

describe.each([
  ['with scripts', {}],
  ['without scripts', { javaScriptEnabled: false }],
] as const)('an account %s', (mode, options) => {
  it('is created, gets a key that works with curl, revokes it, and is deleted', async () => {
    const account = { email: `${mode.replace(' ', '.')}@example.org`, username: mode.replaceAll(' ', '-') }
    await withPage(options, async (page) => {
      await signUp(page, account)
      await page.getByRole('link', { name: 'Account' }).click()
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Account')
      expect(await page.getByText('isn’t confirmed').count()).toBe(0)

      await page.getByLabel('Name').fill('laptop')
      await page.getByRole('button', { name: 'Create key' }).click()
      const key = (await page.getByText(/^imperial_/).textContent()) ?? ''
      expect(await createWithCurl(key)).toBe('200')

      await page.goto('/account')
      expect(await page.content()).not.toContain(key)
      await page
        .getByRole('row')
        .filter({ hasText: 'laptop' })
        .getByRole('button', { name: 'Revoke' })
        .click()
      const dialog = page.getByRole('dialog', { name: 'Revoke the API key “laptop”?' })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect(await dialog.count()).toBe(0)
      await page
        .getByRole('row')
        .filter({ hasText: 'laptop' })
        .getByRole('button', { name: 'Revoke' })
        .click()
      await dialog.getByRole('button', { name: 'Revoke' }).click()
      expect(await page.getByRole('status').textContent()).toBe('API key revoked.')
      expect(await createWithCurl(key)).toBe('401')

      await page.getByRole('button', { name: 'Delete account' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click()
      await page.getByRole('heading', { name: 'Account deleted' }).waitFor()
      await page.goto('/account')
      expect(new URL(page.url()).pathname).toBe('/sign-in')
    })
  })

  it('signs out, and in again by an emailed link that leads to the page that was requested', async () => {
    const email = `again.${mode.replace(' ', '.')}@example.org`
    await withPage(options, async (page) => {
      await signUp(page, { email, username: `again-${mode.replaceAll(' ', '-')}` })
      await signOut(page, options)
      await page.goto('/account/profile')
      await page.getByLabel('Email').fill(email)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
      await page.goto(await service.mailedLink(email))
      expect(new URL(page.url()).pathname).toBe('/account/profile')
    })
  })
})

describe.each([
  ['with scripts', {}],
  ['without scripts', { javaScriptEnabled: false }],
] as const)('an account with GitHub, %s', (mode, options) => {
  it('is created, connects gists, and signs in again', async () => {
    const login = `octo-${mode.replace(' ', '-')}`
    await control(gitHub, { do: 'create account', login })
    await control(gitHub, { do: 'sign in', login })
    await withPage(options, async (page) => {
      await page.goto('/sign-up')
      await page.getByRole('button', { name: 'Continue with GitHub' }).click()
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
      await page.getByText(login).first().waitFor()
      await page.getByRole('button', { name: 'Allow gists' }).click()
      await page.getByText('publish documents as gists').waitFor()
      await signOut(page, options)
      await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Continue with GitHub' }).click()
      await page.getByRole('link', { name: 'Account' }).click()
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
      await field.pressSequentially('nstrator')
      await page.getByText('This username is available.').waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('false')
    })
  })

  it('copy a new key', async () => {
    await withPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await signUp(page, { email: 'copier@example.org', username: 'copier' })
      await page.goto('/account')
      await page.getByLabel('Name').fill('copied')
      await page.keyboard.press('Enter')
      const key = await page.getByText(/^imperial_/).textContent()
      await page.getByRole('button', { name: 'Copy' }).click()
      await page.getByText('Copied.').waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
    })
  })

  it.each(LOOKS)('are accessible and fit: %s, %i pixels wide', async (colorScheme, width) => {
    await withPage({ colorScheme, viewport: { width, height: 844 } }, async (page) => {
      const look = () => expectComplete(page)
      for (const path of [
        '/sign-in',
        '/sign-up',
        '/sign-in/link?token=none',
        '/sign-in?error=access_denied',
      ]) {
        await page.goto(path)
        await look()
      }
      const email = `looker${width}@example.org`
      await page.goto('/sign-up')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Username').fill('demo')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await look()
      await page.getByLabel('Username').fill(`looker-${width}`)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
      await look()
      const link = await service.mailedLink(email)
      await page.context().clearCookies()
      await page.goto(link)
      await look()
      await page.getByRole('button', { name: 'Sign in' }).click()
      for (const path of ['/', '/account', '/account/profile', '/sign-out']) {
        await page.goto(path)
        await look()
      }
      await page.goto('/account')
      await page.getByLabel('Name').fill('looked at')
      await page.keyboard.press('Enter')
      await page.getByText(/^imperial_/).waitFor()
      await look()
      await page.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('dialog').waitFor()
      await look()
    })
  })
})
