import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CODE_EDITOR_FILES } from '../../src/ui/assets.generated.ts'
import {
  codeEditorText,
  fetchText,
  fillCodeEditor,
  openCreatePage,
  openMenu,
  plainTextBox,
  save,
  saveButton,
  shareButton,
} from './support/code-editor-page.ts'
import { enterPassword, openTestSite, PASSWORD, waitForAlert } from './support/test-site.ts'
import { press } from './support/viewer-page.ts'

const site = await openTestSite()
const creator = await site.signIn('no-script-creator')
await site.signIn('No-Script-Editor')

const withPage = (profile: BrowserContextOptions, journey: (page: Page) => Promise<void>): Promise<void> =>
  site.withPage(journey, { ...profile, javaScriptEnabled: false })

const getText = (id: string) => fetchText(`${site.service.base}/${id}`)

const getId = (page: Page): string => new URL(page.url()).pathname.slice(1)

describe('without scripts', () => {
  it('a document is created, shown, read as raw text, and edited by its management link', async () => {
    let link = ''
    await withPage({}, async (page) => {
      await page.goto('/')
      const box = plainTextBox(page)
      expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
      await box.fill('first line\n<b>second</b> 😀\n')
      await shareButton(page).click()
      link = (await page.locator('#management-link').textContent())?.trim() ?? ''
      await page.getByRole('link', { name: 'Open document' }).click()
      await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
      expect(await page.locator('code').textContent()).toBe('first line\n<b>second</b> 😀\n')
      expect(await page.locator('.numbers').textContent()).toBe('1\n2')
      // Not by a click: Playwright may look into the page of the text, whose sandbox reports every script as an error.
      await page.getByRole('button', { name: 'More', exact: true }).click()
      const raw = await page.getByRole('link', { name: 'Raw' }).getAttribute('href')
      expect(await (await page.request.get(raw ?? '')).text()).toBe('first line\n<b>second</b> 😀\n')
    })
    // In another browser.
    await withPage({}, async (page) => {
      await page.goto(link)
      expect(new URL(page.url()).search).toBe('')
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await plainTextBox(page).fill('changed')
      await saveButton(page).click()
      await page.locator('code', { hasText: 'changed' }).waitFor()
    })
  })

  it('a document is created with settings, edited, and deleted after a confirmation', async () => {
    await withPage(creator, async (page) => {
      await page.goto('/')
      await plainTextBox(page).fill('# Title\n\ntext')
      await page.getByLabel('Language').selectOption('markdown')
      await page.getByLabel('Expires').selectOption('never')
      await openMenu(page, 'more-menu')
      await page.getByLabel('Visibility').selectOption('public')
      await page.getByLabel('Editors').fill('no-script-editor, nobody-here')
      await shareButton(page).click()
      expect(await page.getByRole('alert').textContent()).toContain('nobody-here')
      expect(await plainTextBox(page).inputValue()).toBe('# Title\n\ntext')
      expect(await page.getByLabel('Expires').inputValue()).toBe('never')
      await page.getByLabel('Editors').fill('no-script-editor')
      await shareButton(page).click()
      await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
      const id = getId(page)
      expect(await getText(id)).toBe('# Title\n\ntext')
      expect(await page.locator('.facts-line').innerText()).toMatch(/Markdown[\s\S]*never expires/)

      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await plainTextBox(page).fill('# Title\n\nnew text 😀')
      await page.getByLabel('Language').selectOption('rust')
      await save(page, id)
      expect(await getText(id)).toBe('# Title\n\nnew text 😀')
      expect(await page.locator('.facts-line').innerText()).toMatch(
        /Rust[\s\S]*edited .* by no-script-creator/,
      )

      await press(page, 'More')
      await press(page, 'Make unlisted')
      expect(await page.locator('.facts-line').innerText()).not.toContain('Public')
      await press(page, 'More')
      await page.getByRole('button', { name: 'Delete document' }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete this document?' })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect.poll(() => dialog.count()).toBe(0)
      await press(page, 'More')
      await page.getByRole('button', { name: 'Delete document' }).click()
      await dialog.getByRole('button', { name: 'Delete document' }).click()
      await page.waitForURL(/\/account\/documents$/)
      expect((await page.goto(`/${id}`))?.status()).toBe(404)
    })
  })

  it('a document is deleted from the menu of a phone', async () => {
    const phone = { ...creator, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    await withPage(phone, async (page) => {
      await page.goto('/')
      await plainTextBox(page).fill('written on a phone')
      await shareButton(page).click()
      await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('button', { name: 'Delete document' }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete this document?' })
      await dialog.getByRole('button', { name: 'Delete document' }).click()
      await page.waitForURL(/\/account\/documents$/)
    })
  })

  it('documents are decrypted and burned by the server, and the page says who sees the password', async () => {
    const encrypted = await site.createEncrypted('no script', PASSWORD)
    const burning = await site.createEncrypted('no script, burned', PASSWORD, { instant_delete: true })
    const plain = await site.create('no script, no password, burned', { instant_delete: true })
    await withPage({}, async (page) => {
      for (const { id } of [encrypted, burning]) {
        await page.goto(`/${id}`)
        await page.getByText('The password is sent to the server').waitFor()
        await page.getByText('contains a #').waitFor()
        await enterPassword(page, 'wrong')
        await waitForAlert(page, 'Wrong password')
        await enterPassword(page, PASSWORD)
        await page.locator('.text').getByText('no script').waitFor()
      }
      await page.goto(`/${plain.id}`)
      expect(await page.getByText('password').count()).toBe(0)
      await press(page, 'Read and delete')
      await page.getByRole('status').filter({ hasText: 'has been deleted' }).waitFor()
      await page.locator('#text', { hasText: 'no script, no password, burned' }).waitFor()
    })
  })
})

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
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, 'not lost\nat all')
      await breakWhenSaving(page)
      await shareButton(page).click()
      await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
      expect(await fetchText(page.url())).toBe('not lost\nat all')
    }, creator)
  })

  it('while saving hands the text over to the form without scripts', async () => {
    const { id } = await site.create('before', { editors: ['no-script-creator'] })
    await site.withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await fillCodeEditor(page, 'after')
      await breakWhenSaving(page)
      await saveButton(page).click()
      await page.waitForURL(`**/${id}`)
    }, creator)
    expect((await site.read(id)).content).toBe('after')
  })

  it('while sharing never sends a text that the browser is to encrypt', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, 'a secret')
      await openMenu(page, 'password-menu')
      await page.getByLabel('Encrypt with a password').check()
      await breakWhenSaving(page)
      const posts: string[] = []
      page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
      await shareButton(page).click()
      await page.getByRole('alert').filter({ hasText: 'nothing was sent' }).waitFor()
      expect(posts).toEqual([])
      expect(await codeEditorText(page)).toBe('a secret')
    }, creator)
  })

  it('while starting leaves the form as it is without scripts', async () => {
    await site.withPage(
      async (page) => {
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
      },
      { ...creator, ...CHANGED_TAB },
    )
  })

  it('because the code editor is missing leaves the text box', async () => {
    await site.withPage(async (page) => {
      for (const file of CODE_EDITOR_FILES) await page.route(`**${file}`, (route) => route.abort())
      await page.goto('/')
      await plainTextBox(page).fill('without modules')
      await shareButton(page).click()
      await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
      expect(await fetchText(page.url())).toBe('without modules')
    }, creator)
  })
})
