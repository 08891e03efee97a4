import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  documentText,
  fetchText,
  openMenu,
  plainTextBox,
  save,
  shareButton,
} from '../support/code-editor-page.ts'
import { openTestSite } from '../support/test-site.ts'

const site = await openTestSite()
const creator = await site.signIn('no-script-creator')
const editor = await site.signIn('No-Script-Editor')

/** Opens a page without scripts that is signed in. */
const withPage = (profile: BrowserContextOptions, journey: (page: Page) => Promise<void>): Promise<void> =>
  site.withPage(journey, { ...profile, javaScriptEnabled: false })

const getText = (id: string) => fetchText(`${site.service.base}/${id}`)

const getId = (page: Page): string => new URL(page.url()).pathname.slice(1)

async function create(page: Page): Promise<string> {
  await shareButton(page).click()
  await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
  return getId(page)
}

describe('without scripts', () => {
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
      const id = await create(page)
      expect(await getText(id)).toBe('# Title\n\ntext')
      expect(await page.locator('.facts-line').innerText()).toMatch(/Markdown[\s\S]*never expires/)

      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await plainTextBox(page).fill('# Title\n\nnew text 😀')
      await page.getByLabel('Language').fill('rust')
      await save(page, id)
      expect(await getText(id)).toBe('# Title\n\nnew text 😀')
      expect(await page.locator('.facts-line').innerText()).toMatch(
        /Rust[\s\S]*edited .* by no-script-creator/,
      )

      await page.getByRole('button', { name: 'Delete document' }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete this document?' })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect(await dialog.count()).toBe(0)
      await page.getByRole('button', { name: 'Delete document' }).click()
      await dialog.getByRole('button', { name: 'Delete document' }).click()
      await page.waitForURL(/\/account\/documents$/)
      expect((await page.goto(`/${id}`))?.status()).toBe(404)
    })
  })

  it('two editors save over each other without losing text, and one leaves the document', async () => {
    await withPage(creator, async (page) => {
      await page.goto('/')
      await plainTextBox(page).fill('start\n')
      const id = await create(page)
      await page.getByRole('link', { name: 'Editors' }).click()
      await page.getByLabel('Username').fill('nobody-here')
      await page.getByRole('button', { name: 'Add editor' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('No account')
      expect(await page.getByLabel('Username').inputValue()).toBe('nobody-here')
      await page.getByLabel('Username').fill('no-script-editor')
      await page.getByRole('button', { name: 'Add editor' }).click()
      await page.getByRole('listitem').filter({ hasText: 'No-Script-Editor' }).waitFor()

      await page.goto(`/${id}/edit`)
      await withPage(editor, async (editorsPage) => {
        await editorsPage.goto(`/${id}/edit`)
        await plainTextBox(editorsPage).fill('from the editor')
        await save(editorsPage, id)

        await plainTextBox(page).fill('from the creator')
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        expect(await page.getByRole('alert').textContent()).toContain('last edited by No-Script-Editor')
        expect(await getText(id)).toBe('from the editor')
        expect(await plainTextBox(page).inputValue()).toBe('from the creator')
        expect(await page.getByLabel('Saved text').inputValue()).toBe('from the editor')
        await plainTextBox(page).fill('from both')
        await page.getByRole('button', { name: 'Save anyway' }).click()
        await page.waitForURL(`${site.service.base}/${id}`)
        expect(await getText(id)).toBe('from both')

        await editorsPage.getByRole('link', { name: 'Editors' }).click()
        await editorsPage.getByRole('button', { name: 'Leave document' }).click()
        await editorsPage.getByRole('dialog').getByRole('button', { name: 'Leave document' }).click()
        await editorsPage.getByRole('heading', { name: 'Shared with you' }).waitFor()
        await editorsPage.goto(`/${id}`)
        expect(await editorsPage.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0)
      })
      await page.goto(`/${id}/editors`)
      expect(await page.getByText('Only you can edit').count()).toBe(1)
    })
  })

  it('an encrypted document is created with a generated password and edited with it', async () => {
    await withPage(creator, async (page) => {
      await page.goto('/')
      await plainTextBox(page).fill('the secret')
      await openMenu(page, 'password-menu')
      await page.getByLabel('Encryption').selectOption('generated')
      await shareButton(page).click()
      await page.getByRole('heading', { name: 'Save this password' }).waitFor()
      const password = (await page.locator('#password').textContent()) ?? ''
      await page.getByRole('link', { name: 'Open document' }).click()
      const id = getId(page)

      await page.goto(`/${id}/edit`)
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Edit text' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('Wrong password')
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await plainTextBox(page).fill('another secret')
      expect(page.url()).not.toContain(password)
      await save(page, id)
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await documentText(page, 'another secret').waitFor()
    })
  })
})
