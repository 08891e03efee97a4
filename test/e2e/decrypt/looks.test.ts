import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectComplete, LOOKS } from '../support/browser.ts'
import { enterPassword, PASSWORD, startTestSite, type TestSite, waitForAlert } from '../support/test-site.ts'

let site: TestSite

beforeAll(async () => {
  site = await startTestSite()
})

afterAll(() => site.stop())

const TEXT = `${'a line that is much longer than a phone is wide '.repeat(10)}\n`.repeat(30)

describe('the page of an encrypted document', () => {
  it.each(LOOKS)('is accessible and fits in every state: %s, %i pixels wide', async (colorScheme, width) => {
    const encrypted = await site.createEncrypted(TEXT, PASSWORD)
    const burning = await site.createEncrypted(TEXT, PASSWORD, { instant_delete: true })
    await site.withPage(
      async (page) => {
        for (const { id } of [encrypted, burning]) {
          await page.goto(`/${id}`)
          await expectComplete(page)
          await enterPassword(page, 'wrong')
          await page.getByRole('alert').waitFor()
          await expectComplete(page)
          await enterPassword(page, PASSWORD)
          await page.getByRole('heading', { name: id }).waitFor()
          await page.locator(':is(.link-with-password, .save-copy) button').last().click()
          await page.getByText('Copied.').waitFor()
          await expectComplete(page)
        }
        expect((await page.goto(`/${burning.id}`))?.status()).toBe(404)
        await expectComplete(page)
      },
      {
        colorScheme,
        viewport: { width, height: 844 },
        permissions: ['clipboard-read', 'clipboard-write'],
      },
    )
  })

  it('can be used by keyboard alone', async () => {
    const { id } = await site.createEncrypted('by keyboard', PASSWORD, { instant_delete: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.keyboard.type('wrong')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await waitForAlert(page, 'Nothing was deleted')
      // The field is focused again, with the wrong password selected.
      await page.keyboard.insertText(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByText('by keyboard').waitFor()
      await page.keyboard.press('Tab')
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
      expect(download.suggestedFilename()).toBe(`${id}.txt`)
    })
  })
})
