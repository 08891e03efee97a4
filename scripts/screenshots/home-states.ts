import type { Page } from 'playwright-core'
import { at, CODE, click, MARKDOWN, NO_SCRIPTS, type State } from './world.ts'

async function typeText(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').focus()
  await page.keyboard.insertText(text)
}

/** Opens one of the panels below the bar. */
const openPanel = (page: Page, id: 'password-menu' | 'more-menu') => page.locator(`#${id} > summary`).click()

const encrypt = async (page: Page) => {
  await openPanel(page, 'password-menu')
  // Opening it turns encryption on, a moment later.
  await page.getByRole('checkbox', { name: 'Encrypt with a password', checked: true }).waitFor()
}

async function share(page: Page): Promise<void> {
  await click(page, 'Share')
  await page.getByRole('region', { name: 'Shared' }).waitFor()
}

/** The page for new documents, and what it leads to. */
export const HOME_STATES: State[] = [
  { name: 'home', open: at('/') },
  { name: 'home-signed-in', viewer: 'ada', open: at('/') },
  {
    name: 'home-typed',
    open: async (page) => {
      await page.goto('/')
      await typeText(page, CODE)
    },
  },
  {
    name: 'home-password',
    whole: false,
    open: async (page) => {
      await page.goto('/')
      await typeText(page, CODE)
      await encrypt(page)
    },
  },
  {
    name: 'home-settings',
    viewer: 'ada',
    whole: false,
    open: async (page) => {
      await page.goto('/')
      await openPanel(page, 'more-menu')
    },
  },
  {
    name: 'home-language',
    whole: false,
    open: async (page) => {
      await page.goto('/')
      await page.getByLabel('Language').fill('ja')
      await page.getByRole('option', { name: 'JavaScript' }).waitFor()
    },
  },
  {
    name: 'home-expiry-date',
    viewer: 'ada',
    open: async (page) => {
      await page.goto('/')
      await page.getByLabel('Expires').selectOption('date')
    },
  },
  {
    name: 'home-error',
    viewer: 'ada',
    whole: false,
    open: async (page) => {
      await page.goto('/')
      await typeText(page, 'some text')
      await openPanel(page, 'more-menu')
      await page.getByLabel('Editors').fill('nobody-has-this-name')
      await click(page, 'Share')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'home-offline',
    open: async (page) => {
      await page.goto('/')
      await typeText(page, CODE)
      await page.context().setOffline(true)
      await click(page, 'Share')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'home-draft',
    open: async (page) => {
      await page.goto('/')
      await typeText(page, CODE)
      await page.waitForFunction(() => localStorage.length > 0)
      await page.reload()
      await page.getByRole('button', { name: 'Discard draft' }).waitFor()
    },
  },
  {
    name: 'home-find',
    open: async (page) => {
      await page.goto('/')
      await typeText(page, CODE)
      await page.keyboard.press('Control+f')
      await page.locator('.cm-search').waitFor()
    },
  },
  {
    name: 'home-preview',
    whole: false,
    open: async (page) => {
      await page.goto('/')
      await typeText(page, MARKDOWN)
      await click(page, 'Preview')
      await page.locator('.rendered table').waitFor()
    },
  },
  { name: 'home-without-scripts', viewer: 'ada', context: NO_SCRIPTS, open: at('/') },
  {
    name: 'shared-now',
    whole: false,
    open: async (page) => {
      await page.goto('/')
      await typeText(page, CODE)
      await share(page)
    },
  },
  {
    name: 'shared-now-qr',
    whole: false,
    open: async (page) => {
      await page.goto('/')
      await typeText(page, CODE)
      await share(page)
      await click(page, 'QR code')
      await page.getByRole('img', { name: 'QR code for the link' }).waitFor()
    },
  },
  {
    name: 'shared-now-encrypted',
    viewer: 'ada',
    whole: false,
    open: async (page) => {
      await page.goto('/')
      await typeText(page, CODE)
      await encrypt(page)
      await share(page)
      await page.locator('.numbers .linked-lines').waitFor({ state: 'attached' })
    },
  },
]
