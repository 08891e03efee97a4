import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  deriveClaimToken,
  GENERATED_PASSWORD_ITERATIONS,
  parseJwe,
} from '../../../src/shared/jwe.ts'
import { expectComplete } from '../support/browser.ts'
import { codeEditor, decryptContent, saveButton } from '../support/code-editor-page.ts'
import { signIn } from '../support/session.ts'
import { enterPassword, openTestSite, PASSWORD, recordRequests, waitForAlert } from '../support/test-site.ts'

const site = await openTestSite()
const demo = await signIn(site.service.folder, 'demo')

const withPage = (journey: (page: Page) => Promise<void>): Promise<void> => site.withPage(journey, demo)

/** Saves, and waits for the page of the document. */
async function save(page: Page): Promise<void> {
  await saveButton(page).click()
  await page.locator('.document-header').waitFor()
}

const fetchJwe = async (id: string): Promise<string> => (await site.read(id)).content

describe('an encrypted document', () => {
  it('is edited in the browser: neither text nor password leaves it', async () => {
    const text = 'first\r\n\0hidden\r\n'
    const { id } = await site.createEncrypted(text, PASSWORD, {}, CHOSEN_PASSWORD_ITERATIONS)
    await withPage(async (page) => {
      const sent = recordRequests(page)
      await page.goto(`/${id}`)
      await enterPassword(page, PASSWORD)
      // The password travels along in the link.
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await codeEditor(page).waitFor()
      expect(page.url()).toBe(`${site.service.base}/${id}/edit`)
      await expectComplete(page)
      await codeEditor(page).press('Control+End')
      await page.keyboard.type('more 😀')
      await save(page)
      await page.getByText('more 😀').waitFor()
      expect(page.url()).toBe(`${site.service.base}/${id}`)
      for (const secret of ['hidden', 'more', PASSWORD, encodeURIComponent(PASSWORD)])
        expect(sent.join('\n')).not.toContain(secret)
    })
    const jwe = await fetchJwe(id)
    expect(await decryptContent(jwe, PASSWORD)).toBe('first\r\n\0hidden\r\nmore 😀')
    expect(parseJwe(jwe).header.iterations).toBe(CHOSEN_PASSWORD_ITERATIONS)
  })

  it('with a generated password stays as cheap to decrypt', async () => {
    const { id, password = '' } = await site.create('text', { encrypted: true })
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await enterPassword(page, 'wrong')
      await waitForAlert(page, 'Wrong password')
      await enterPassword(page, password)
      await codeEditor(page).fill('changed')
      await save(page)
    })
    const jwe = await fetchJwe(id)
    expect(await decryptContent(jwe, password)).toBe('changed')
    expect(parseJwe(jwe).header.iterations).toBe(GENERATED_PASSWORD_ITERATIONS)
  })

  it('can be claimed with its password once it burns after reading', async () => {
    const { id } = await site.createEncrypted('all\r\nkinds\rof\nbreaks', PASSWORD)
    await withPage(async (page) => {
      await page.goto(`/${id}/edit#${encodeURIComponent(PASSWORD)}`)
      await page.getByText('This text has mixed line breaks').waitFor()
      await page.getByLabel('Delete after first read').check()
      await save(page)
    })
    const jwe = await fetchJwe(id)
    expect(await decryptContent(jwe, PASSWORD)).toBe('all\r\nkinds\rof\nbreaks')
    const { header } = parseJwe(jwe)
    const claim = `${site.service.base}/v1/document/${id}/claim`
    const { data } = (await (await fetch(claim)).json()) as { data: { header: string } }
    expect(data.header).toBe(header.encoded)
    const body = JSON.stringify({ token: await deriveClaimToken(PASSWORD, header) })
    const headers = { 'Content-Type': 'application/json' }
    expect((await fetch(claim, { method: 'POST', headers, body })).status).toBe(200)
  })

  it('has its settings changed without the password', async () => {
    const { id } = await site.createEncrypted('text', PASSWORD)
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await page.getByLabel('Visibility').selectOption('public')
      await page.getByRole('button', { name: 'Save settings' }).click()
      await page.waitForURL(`**/${id}`)
    })
    expect(await decryptContent(await fetchJwe(id), PASSWORD)).toBe('text')
  })
})
