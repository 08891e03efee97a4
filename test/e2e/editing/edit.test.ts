import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addAccount } from '../support/accounts.ts'
import { expectComplete } from '../support/browser.ts'
import {
  codeEditor,
  codeEditorText,
  documentText,
  fetchText,
  holdScript,
  save,
  saveButton,
} from '../support/code-editor-page.ts'
import { sessionCookie, signIn } from '../support/session.ts'
import { enterPassword, openTestSite, PASSWORD, waitForAlert } from '../support/test-site.ts'

const site = await openTestSite()
const demo = await signIn(site.service.folder, 'demo')

const withPage = (journey: (page: Page) => Promise<void>): Promise<void> => site.withPage(journey, demo)

const textOf = (id: string) => fetchText(`${site.service.base}/${id}`)

describe('the page for editing', () => {
  it('sets an expiry date', async () => {
    const { id } = await site.create('text')
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await page.getByLabel('Expires').selectOption('On a date…')
      await page.getByLabel('Date and time').fill('2030-01-02T03:04')
      await save(page, id)
      const at = await page.evaluate(() => new Date('2030-01-02T03:04').toISOString())
      expect((await site.read(id)).timestamps.expiration).toBe(at)
    })
  })

  it('recognizes its own change if it was saved but the response was lost', async () => {
    const { id } = await site.create('text')
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await codeEditor(page).fill('changed')
      await page.route('**/v1/document', async (route) => {
        await route.fetch()
        await route.abort()
      })
      await saveButton(page).click()
      await waitForAlert(page, 'Can’t reach Regent')
      expect(await textOf(id)).toBe('changed')
      await page.unroute('**/v1/document')
      await save(page, id)
    })
  })

  it('keeps the text if the session has ended or the document is gone', async () => {
    const { id } = await site.create('text')
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await codeEditor(page).fill('changed')
      await page.context().clearCookies()
      await saveButton(page).click()
      await waitForAlert(page, 'You’ve been signed out')
      const cookie = await sessionCookie(site.service.folder, 'demo')
      await page.context().addCookies([{ ...cookie, url: site.service.base }])
      await site.remove(id)
      await saveButton(page).click()
      await waitForAlert(page, 'This document no longer exists')
      expect(await codeEditorText(page)).toBe('changed')
    })
  })

  it('keeps what was typed before its script ran', async () => {
    const { id } = await site.create('a\r\nb\r\n')
    await withPage(async (page) => {
      const release = await holdScript(page, 'edit')
      await page.goto(`/${id}/edit`, { waitUntil: 'commit' })
      const textarea = page.locator('textarea#content')
      await textarea.fill('a\nwritten early\n')
      release()
      await codeEditor(page).locator('.cm-line').first().waitFor()
      expect(await codeEditorText(page)).toBe('a\nwritten early\n')
      // The code editor replaces the textarea rather than hiding it.
      expect(await textarea.count()).toBe(0)
      await save(page, id)
    })
    expect(await textOf(id)).toBe('a\r\nwritten early\r\n')
  })

  it('asks before it is left with unsaved changes', async () => {
    const { id } = await site.create('text')
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await codeEditor(page).fill('changed')
      const back = page.getByRole('main').getByRole('link', { name: 'Back to' })
      const asked = page.waitForEvent('dialog')
      const leaving = back.click()
      const dialog = await asked
      expect(dialog.type()).toBe('beforeunload')
      await dialog.dismiss()
      await leaving
      expect(await codeEditorText(page)).toBe('changed')
      await codeEditor(page).fill('text')
      await back.click()
      await page.waitForURL(`**/${id}`)
    })
  })

  it('offers no settings to an account whose email address is not confirmed', async () => {
    await addAccount(site.service.folder, 'Newcomer', { confirmed: false })
    const { id } = await site.createEncrypted('text', PASSWORD, { editors: ['Newcomer'] })
    const newcomer = await signIn(site.service.folder, 'Newcomer')
    await site.withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await enterPassword(page, PASSWORD)
      await codeEditor(page).fill('changed')
      expect(await page.getByLabel('Language').count()).toBe(0)
      await expectComplete(page)
      await saveButton(page).click()
      await page.locator('.document-header').waitFor()
      await documentText(page, 'changed').waitFor()
    }, newcomer)
  })
})
