import { describe, expect, it } from 'vitest'
import { expectComplete } from '../support/browser.ts'
import { CLIPBOARD, recordCopies } from '../support/clipboard.ts'
import {
  enterPassword,
  openTestSite,
  PASSWORD,
  recordRequests,
  shownText,
  TEXT,
  waitForAlert,
} from '../support/test-site.ts'

const site = await openTestSite()

describe('a link with a password', () => {
  it('opens the document, removes the password from the address bar, and says who can read it', async () => {
    const { id } = await site.createEncrypted(TEXT, PASSWORD)
    await site.withPage(async (page) => {
      const sent = recordRequests(page)
      await page.goto(`/${id}#${encodeURIComponent(PASSWORD)}`)
      await page.locator('.document-header').waitFor()
      expect(page.url()).toBe(`${site.service.base}/${id}`)
      expect(await shownText(page)).toBe(TEXT)
      await page.getByRole('status').filter({ hasText: 'anyone with the link can read' }).waitFor()
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'line one']) {
        expect(sent.join('\n')).not.toContain(secret)
      }
      await expectComplete(page)
      // Pasting the same link again removes the password again.
      await page.evaluate((hash) => {
        location.hash = hash
      }, encodeURIComponent(PASSWORD))
      await expect.poll(() => page.url()).toBe(`${site.service.base}/${id}`)
      expect(await shownText(page)).toBe(TEXT)
    })
  })

  it('with a wrong password shows the form, and opens the document once the right link is pasted', async () => {
    const { id } = await site.createEncrypted('still here', PASSWORD)
    await site.withPage(async (page) => {
      await page.goto(`/${id}#wrong`)
      await waitForAlert(page, 'Wrong password')
      expect(page.url()).toBe(`${site.service.base}/${id}`)
      await page.evaluate((hash) => {
        location.hash = hash
      }, encodeURIComponent(PASSWORD))
      await page.locator('#text', { hasText: 'still here' }).waitFor()
      expect(page.url()).toBe(`${site.service.base}/${id}`)
    })
  })

  it.each([PASSWORD, 'L10'])('is copied, and opens the document: password %s', async (password) => {
    const { id } = await site.createEncrypted('shared by link', password)
    await site.withPage(async (page) => {
      const getCopied = await recordCopies(page)
      await page.goto(`/${id}`)
      await enterPassword(page, password)
      await page.locator('.link-with-password button').click()
      await page.getByText('Copied.').waitFor()
      const link = getCopied()
      expect(link).toMatch(new RegExp(`^${site.service.base}/${id}#.`))
      await page.goto('/about')
      await page.goto(link)
      await page.locator('#text', { hasText: 'shared by link' }).waitFor()
    }, CLIPBOARD)
  })
})

describe('a link to a place on the page', () => {
  it.each(['L3', 'L3-L14', 'main'])('is not taken for a password: #%s', async (fragment) => {
    const { id, password = '' } = await site.create('x', { encrypted: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}#${fragment}`)
      expect(page.url()).toBe(`${site.service.base}/${id}#${fragment}`)
      expect(await page.getByRole('alert').count()).toBe(0)
      await enterPassword(page, password)
      await page.locator('.document-header').waitFor()
      expect(page.url()).toBe(`${site.service.base}/${id}#${fragment}`)
    })
  })
})
