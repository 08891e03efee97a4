import { describe, expect, it } from 'vitest'
import { expectCompleteInLooks } from '../support/browser.ts'
import { CLIPBOARD } from '../support/clipboard.ts'
import { enterPassword, openTestSite, PASSWORD, waitForAlert } from '../support/test-site.ts'

const site = await openTestSite()

const TEXT = `${'a line that is much longer than a phone is wide '.repeat(10)}\n`.repeat(30)

describe('the page of an encrypted document', () => {
  it.each([
    ['encrypted', {}],
    ['burning after reading', { instant_delete: true }],
  ])('is accessible and fits in every state: %s', async (_, settings) => {
    const { id } = await site.createEncrypted(TEXT, PASSWORD, settings)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await expectCompleteInLooks(page)
      await enterPassword(page, 'wrong')
      await page.getByRole('alert').waitFor()
      await expectCompleteInLooks(page)
      await enterPassword(page, PASSWORD)
      await page.locator('.document-header').waitFor()
      await page.locator(':is(.link-with-password, .save-copy) button').last().click()
      await page.getByText('Copied.').waitFor()
      await expectCompleteInLooks(page)
    }, CLIPBOARD)
  })

  it('can be used by keyboard alone', async () => {
    const { id } = await site.createEncrypted('by keyboard', PASSWORD, { instant_delete: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      // The browser focuses the field with its first frame, which may be after the page has loaded.
      await page.locator('input[type="password"]:focus').waitFor()
      await page.keyboard.type('wrong')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await waitForAlert(page, 'Nothing was deleted')
      // The field is focused again, with the wrong password selected.
      await page.keyboard.insertText(PASSWORD)
      await page.keyboard.press('Enter')
      await page.locator('#text', { hasText: 'by keyboard' }).waitFor()
      // The time of creation, then the first button.
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
      expect(download.suggestedFilename()).toBe(`${id}.txt`)
    })
  })
})
