import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible } from '../support/browser.ts'
import {
  chooseEncryption,
  chooseLanguage,
  codeEditor,
  codeEditorText,
  fetchDocument,
  fetchText,
  fillCodeEditor,
  findDraft,
  languageValue,
  openCreatePage,
  openMenu,
  paste,
  save,
  shareButton,
  shareDocument,
} from '../support/code-editor-page.ts'
import { getCookies } from '../support/session.ts'
import { openTestSite } from '../support/test-site.ts'

const site = await openTestSite()
const ada = await site.signIn('Ada-Lovelace')
await site.signIn('Noether')

const PYTHON = '#!/usr/bin/env python3\nprint("x")\n'

describe('the language', () => {
  it('is detected in the text and in the title, and can be chosen', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      const waitForDetected = (label: string) =>
        page.locator('#language option:checked', { hasText: `Auto: ${label}` }).waitFor({ state: 'attached' })
      await fillCodeEditor(page, PYTHON)
      await waitForDetected('Python')
      expect(await page.getByLabel('Language').inputValue()).toBe('Python')
      await page.locator('.tok-string').waitFor()
      expect((await fetchDocument(await shareDocument(page))).settings.language).toBe('python')
      await openCreatePage(page)
      await fillCodeEditor(page, 'a = 1')
      await page.getByLabel('Title or file name').fill('a.rb')
      await waitForDetected('Ruby')
      await chooseLanguage(page, 'typescript')
      await fillCodeEditor(page, 'type A = string')
      await page.locator('.tok-keyword').waitFor()
      expect((await fetchDocument(await shareDocument(page))).settings).toMatchObject({
        title: 'a.rb',
        language: 'typescript',
      })
    })
  })

  it('is detected of each text that is saved, until one is chosen', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, PYTHON)
      const id = new URL(await shareDocument(page)).pathname.slice(1)
      const saveAs = async (text: string, choose?: string) => {
        await page.goto(`/${id}/edit`)
        await fillCodeEditor(page, text)
        if (choose !== undefined) await chooseLanguage(page, choose)
        const language = await languageValue(page)
        await save(page, id)
        return [language, (await fetchDocument(page.url())).settings.language]
      }
      expect(await saveAs('{"a": 1}\n')).toEqual(['auto', 'json'])
      expect(await saveAs(PYTHON, 'ruby')).toEqual(['ruby', 'ruby'])
      expect(await saveAs('{"a": 2}\n')).toEqual(['ruby', 'ruby'])
      expect(await saveAs('{"a": 3}\n', 'auto')).toEqual(['auto', 'json'])
      expect(await saveAs(PYTHON)).toEqual(['auto', 'python'])
    }, ada)
  })

  it('can be typed over while another one is detected', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      const field = page.getByLabel('Language')
      await field.focus()
      await paste(page, PYTHON)
      await page
        .locator('#language option:checked', { hasText: 'Auto: Python' })
        .waitFor({ state: 'attached' })
      expect(await field.inputValue()).toBe('Python')
      await page.keyboard.insertText('ruby')
      await field.press('Enter')
      expect(await languageValue(page)).toBe('ruby')
    })
  })

  it('is found by a part of its name, an abbreviation or the arrow keys', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      const field = page.getByLabel('Language')
      await field.click()
      await page.getByRole('option', { name: 'Auto' }).waitFor()
      await field.fill('script')
      await page.getByRole('option', { name: 'TypeScript' }).click()
      expect(await languageValue(page)).toBe('typescript')
      expect(await field.inputValue()).toBe('TypeScript')
      await field.fill('py')
      expect(await page.getByRole('option').first().textContent()).toBe('Python')
      await field.press('Escape')
      expect(await field.inputValue()).toBe('TypeScript')
      await field.fill('c')
      await field.press('ArrowDown')
      const active = await field.getAttribute('aria-activedescendant')
      const label = await page.locator(`#${active}`).textContent()
      await expectAccessible(page)
      await field.press('Enter')
      expect(await field.inputValue()).toBe(label)
      await field.fill('rb')
      await codeEditor(page).focus()
      expect(await languageValue(page)).toBe('ruby')
    })
  })

  it('is detected by the server if the page cannot load the detection', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.route('**/*.js', (route) => route.fulfill({ status: 404 }))
      await fillCodeEditor(page, PYTHON)
      await shareButton(page).click()
      await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
      expect((await fetchDocument(page.url())).settings.language).toBe('python')
    })
  })
})

describe('settings', () => {
  it('are saved as chosen, and errors are shown at their fields', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, 'with settings')
      await page.getByLabel('Expires', { exact: true }).selectOption('date')
      await shareButton(page).click()
      expect(await page.getByRole('alert').textContent()).toContain('Choose an expiry date')
      await page.getByLabel('Date and time').fill('2020-01-01T12:00')
      await shareButton(page).click()
      await page.getByRole('alert').filter({ hasText: 'between 1 minute' }).waitFor()
      const soon = new Date(Date.now() + 3 * 86_400_000)
      soon.setSeconds(0, 0)
      await page.getByLabel('Date and time').evaluate((field, at) => {
        const date = new Date(at)
        const local = new Date(at - date.getTimezoneOffset() * 60_000)
        ;(field as HTMLInputElement).value = local.toISOString().slice(0, 16)
      }, soon.getTime())
      await openMenu(page, 'more-menu')
      await page.getByLabel('Editors').fill('Noether, nobody-here')
      await shareButton(page).click()
      await page.getByRole('alert').filter({ hasText: 'nobody-here' }).waitFor()
      const editors = page.getByLabel('Editors')
      expect(await editors.evaluate((element) => element === document.activeElement)).toBe(true)
      await editors.fill('')
      await editors.pressSequentially('Noe')
      const suggestions = page.locator('#usernames option')
      await expect
        .poll(() => suggestions.evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)))
        .toEqual(['Noether'])
      await editors.fill('Noether')
      await page.getByLabel('Visibility').selectOption('public')
      await page.getByLabel('Link length').selectOption('long')
      const link = await shareDocument(page)
      expect(link).toMatch(/\/[A-Za-z0-9]{36}$/)
      const { timestamps, settings, creator } = await fetchDocument(link)
      expect(timestamps.expiration).toBe(soon.toISOString())
      expect(settings).toMatchObject({ public: true, editors: ['Noether'] })
      expect(creator?.username).toBe('Ada-Lovelace')
    }, ada)
  })
})

describe('a session that ended', () => {
  it('creates no document without a creator', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, 'mine alone')
      await page.context().clearCookies()
      await shareButton(page).click()
      const alert = page.getByRole('alert').filter({ hasText: 'You’ve been signed out' })
      expect(await alert.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/sign-in')
      await page.context().addCookies(getCookies(ada))
      expect((await fetchDocument(await shareDocument(page))).creator?.username).toBe('Ada-Lovelace')
    }, ada)
  })
})

describe('a draft', () => {
  it('survives a reload, can be discarded, and is deleted once the document is created', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('a draft')
      await page.reload()
      await page.getByText('Draft restored').waitFor()
      expect(await codeEditorText(page)).toBe('a draft')
      await page.getByRole('button', { name: 'Discard draft' }).click()
      expect(await codeEditorText(page)).toBe('')
      expect(await findDraft(page)).toBeNull()
      await page.reload()
      await page.locator('.cm-content').waitFor()
      expect(await page.getByText('Draft restored').count()).toBe(0)
      await page.keyboard.type('another')
      await shareDocument(page)
      expect(await findDraft(page)).toBeNull()
    })
  })

  it('of one tab is neither deleted nor replaced by another tab in which nobody has typed', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      const other = await page.context().newPage()
      await openCreatePage(other)
      await other.keyboard.type('a draft')
      await expect.poll(() => findDraft(other)).not.toBeNull()
      await other.close()
      await page.bringToFront()
      await page.reload()
      await page.getByText('Draft restored').waitFor()
      expect(await codeEditorText(page)).toBe('a draft')
      // The other tab goes on with the same draft, and this one is left as it is.
      const third = await page.context().newPage()
      await openCreatePage(third)
      await fillCodeEditor(third, 'a longer draft')
      await expect.poll(async () => String(await findDraft(third))).toContain('a longer draft')
      await page.goto('/about')
      expect(String(await findDraft(page))).toContain('a longer draft')
      await third.close()
    })
  })

  it('is kept for each of two tabs, also when they are reloaded', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      const other = await page.context().newPage()
      await openCreatePage(other)
      await page.bringToFront()
      await page.keyboard.type('one text')
      await expect.poll(() => findDraft(page)).not.toBeNull()
      await other.bringToFront()
      await other.keyboard.type('another text')
      await other.reload()
      expect(await codeEditorText(other)).toBe('another text')
      await page.bringToFront()
      await page.reload()
      await page.getByRole('status').filter({ hasText: 'restore your other draft' }).waitFor()
      expect(await codeEditorText(page)).toBe('one text')
      await other.close()
      await shareDocument(page)
      await openCreatePage(page)
      expect(await codeEditorText(page)).toBe('another text')
      await shareDocument(page)
      expect(await findDraft(page)).toBeNull()
    })
  })

  it('is stored again by the tab in which it was typed if another tab discards it', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('long work')
      await expect.poll(() => findDraft(page)).not.toBeNull()
      const other = await page.context().newPage()
      await openCreatePage(other)
      expect(await codeEditorText(other)).toBe('long work')
      await other.getByRole('button', { name: 'Discard draft' }).click()
      // At once: a phone may discard the first tab, which is in the background.
      await expect.poll(async () => String(await findDraft(other))).toContain('long work')
      await other.keyboard.type('something else')
      await page.bringToFront()
      await page.goto('/about')
      await openCreatePage(page)
      expect(await codeEditorText(page)).toBe('long work')
      await other.bringToFront()
      await other.reload()
      expect(await codeEditorText(other)).toBe('something else')
      await other.close()
    })
  })

  it('is still there after signing in', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('written before')
      await expect.poll(() => findDraft(page)).not.toBeNull()
      await page.getByRole('link', { name: 'Sign in' }).click()
      await page.waitForURL('/sign-in')
      await page.context().addCookies(getCookies(ada))
      await openCreatePage(page)
      await page.getByText('Draft restored').waitFor()
      expect(await codeEditorText(page)).toBe('written before')
      expect((await fetchDocument(await shareDocument(page))).creator?.username).toBe('Ada-Lovelace')
    })
  })

  it('waits with its settings while a document is duplicated', async () => {
    const { id } = await site.create('of a\rdocument\r\n', { public: true, title: 'The original' })
    const duplicate = async (page: Page) => {
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('button', { name: 'Duplicate' }).click()
      await page.getByText('This is a copy').waitFor()
    }
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await openMenu(page, 'more-menu')
      await page.getByLabel('Visibility').selectOption('public')
      await fillCodeEditor(page, 'a draft')
      await duplicate(page)
      await page.getByText('restore your draft').waitFor()
      expect(await page.getByText('Draft restored').count()).toBe(0)
      expect(await page.locator('#visibility').inputValue()).toBe('unlisted')
      // An unchanged copy must not replace the waiting draft.
      await duplicate(page)
      expect(await fetchText(await shareDocument(page))).toBe('of a\rdocument\r\n')
      await page.getByText('duplicated from').getByRole('link', { name: 'The original' }).waitFor()
      await page.getByRole('link', { name: 'New document' }).click()
      await page.getByText('Draft restored').waitFor()
      expect(await codeEditorText(page)).toBe('a draft')
      expect(await page.locator('#visibility').inputValue()).toBe('public')
      await shareDocument(page)
      expect(await findDraft(page)).toBeNull()
      await duplicate(page)
      await fillCodeEditor(page, '')
      await fillCodeEditor(page, 'something else')
      await shareDocument(page)
      expect(await page.getByText('duplicated from').count()).toBe(0)
    }, ada)
  })

  it('restores the settings too, and shows them', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.getByLabel('Title or file name').fill('notes.py')
      await chooseLanguage(page, 'go')
      await page.getByLabel('Expires').selectOption('date')
      await page.getByLabel('Date and time').fill('2030-01-02T03:04')
      await page.locator('#visibility').evaluate((field) => {
        ;(field as HTMLSelectElement).value = 'public'
      })
      await page.getByLabel('Delete after first read').check()
      await fillCodeEditor(page, 'a draft')
      await page.reload()
      await page.getByText('Draft restored').waitFor()
      expect(await page.getByLabel('Date and time').inputValue()).toBe('2030-01-02T03:04')
      expect(await page.getByLabel('Title or file name').inputValue()).toBe('notes.py')
      expect(await languageValue(page)).toBe('go')
      expect(await page.locator('#visibility').inputValue()).toBe('public')
      expect(await page.locator('#more-menu.changed').count()).toBe(1)
      expect(await page.getByLabel('Delete after first read').isChecked()).toBe(true)
      await page.getByLabel('Date and time').waitFor()
    }, ada)
  })

  it('is never stored of a text that will be encrypted', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('a secret')
      await expect.poll(() => findDraft(page)).not.toBeNull()
      await chooseEncryption(page)
      expect(await findDraft(page)).toBeNull()
      await codeEditor(page).press('Control+End')
      await page.keyboard.type(', and more')
      await page.reload()
      await page.locator('.cm-content').waitFor()
      expect(await findDraft(page)).toBeNull()
      expect(await codeEditorText(page)).toBe('')
    }, ada)
  })
})
