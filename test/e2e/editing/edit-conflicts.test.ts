import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CHOSEN_PASSWORD_ITERATIONS, encryptJwe } from '../../../src/shared/jwe.ts'
import { expectComplete } from '../support/browser.ts'
import {
  codeEditor,
  codeEditorText,
  decryptContent,
  fetchText,
  save,
  saveButton,
} from '../support/code-editor-page.ts'
import { signIn } from '../support/session.ts'
import { enterPassword, openTestSite, PASSWORD, recordRequests, waitForAlert } from '../support/test-site.ts'

const site = await openTestSite()
const demo = await signIn(site.service.folder, 'demo')

const withPage = (journey: (page: Page) => Promise<void>): Promise<void> => site.withPage(journey, demo)

const textOf = (id: string) => fetchText(`${site.service.base}/${id}`)

const LINES = 'one\ntwo\nthree\nfour\nfive'

/** Opens a document for editing. Then someone else changes it by the API. */
async function editDuring(page: Page, id: string, change: object): Promise<void> {
  await page.goto(`/${id}/edit`)
  await codeEditor(page).waitFor()
  await site.edit(id, change)
}

describe('a document that someone else has saved', () => {
  it('gets both changes once it is saved again', async () => {
    const { id } = await site.create(LINES.replaceAll('\n', '\r\n'))
    await withPage(async (page) => {
      await editDuring(page, id, { content: `${LINES}\nsix`.replaceAll('\n', '\r\n') })
      await codeEditor(page).fill(LINES.replace('one', 'ONE'))
      await saveButton(page).click()
      await waitForAlert(page, 'Their changes to other lines are already in your text')
      expect(await textOf(id)).toBe(`${LINES}\nsix`.replaceAll('\n', '\r\n'))
      expect(await codeEditorText(page)).toBe(`${LINES.replace('one', 'ONE')}\nsix`)
      expect(await codeEditor(page).locator('del').allTextContents()).toEqual(['one'])
      await expectComplete(page)
      await save(page, id)
    })
    expect(await textOf(id)).toBe(`${LINES.replace('one', 'ONE')}\nsix`.replaceAll('\n', '\r\n'))
  })

  it('offers a choice for each line that both changed', async () => {
    const { id } = await site.create(LINES)
    await withPage(async (page) => {
      await editDuring(page, id, { content: LINES.replace('one', 'theirs').replace('five', 'theirs') })
      await codeEditor(page).fill(LINES.replace('one', 'mine').replace('five', 'mine'))
      await saveButton(page).click()
      await waitForAlert(page, 'Crossed-out lines are the saved version')
      await page.getByRole('button', { name: 'Use theirs' }).first().click()
      expect(await codeEditorText(page)).toBe(LINES.replace('one', 'theirs').replace('five', 'mine'))
      const keep = page.getByRole('button', { name: 'Keep mine' })
      await keep.focus()
      await page.keyboard.press('Enter')
      await keep.waitFor({ state: 'detached' })
      await codeEditor(page).press('Control+Enter')
      await page.waitForURL(`**/${id}`)
    })
    expect(await textOf(id)).toBe(LINES.replace('one', 'theirs').replace('five', 'mine'))
  })

  it('keeps their settings, except those that both changed', async () => {
    const { id } = await site.create('text')
    await withPage(async (page) => {
      await editDuring(page, id, { settings: { language: 'python', public: true } })
      await page.getByLabel('Language').fill('rust')
      await saveButton(page).click()
      await waitForAlert(page, 'You both changed “Language”')
      expect(await page.getByLabel('Visibility').inputValue()).toBe('public')
      expect(await page.getByLabel('Language').inputValue()).toBe('rust')
      await save(page, id)
    })
    expect((await site.read(id)).settings).toMatchObject({ language: 'rust', public: true })
  })
})

describe('an encrypted document that someone else has saved', () => {
  it('is compared in the browser', async () => {
    const { id } = await site.createEncrypted(LINES, PASSWORD)
    await withPage(async (page) => {
      const sent = recordRequests(page)
      await page.goto(`/${id}/edit`)
      await enterPassword(page, PASSWORD)
      await codeEditor(page).fill(LINES.replace('one', 'mine'))
      await site.edit(id, { content: LINES.replace('five', 'theirs'), password: PASSWORD })
      await saveButton(page).click()
      await waitForAlert(page, 'Someone else saved this document')
      expect(await codeEditorText(page)).toBe(LINES.replace('one', 'mine').replace('five', 'theirs'))
      await saveButton(page).click()
      await page.locator('.document-header').waitFor()
      for (const secret of ['mine', 'theirs', PASSWORD]) expect(sent.join('\n')).not.toContain(secret)
    })
    const { content } = await site.read(id)
    expect(await decryptContent(content, PASSWORD)).toBe(
      LINES.replace('one', 'mine').replace('five', 'theirs'),
    )
  })

  it('is not overwritten if its password has changed', async () => {
    const { id } = await site.createEncrypted('text', PASSWORD)
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await enterPassword(page, PASSWORD)
      await codeEditor(page).fill('mine')
      const theirs = new TextEncoder().encode('theirs')
      const content = await encryptJwe(theirs, 'another', CHOSEN_PASSWORD_ITERATIONS)
      await site.edit(id, { content, settings: { client_encrypted: true } })
      for (let attempts = 0; attempts < 2; attempts++) {
        await saveButton(page).click()
        await waitForAlert(page, 'Someone changed this document’s password')
      }
      expect(await codeEditorText(page)).toBe('mine')
    })
    const { content } = await site.read(id)
    expect(await decryptContent(content, 'another')).toBe('theirs')
  })
})
