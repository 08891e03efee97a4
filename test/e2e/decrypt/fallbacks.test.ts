import { describe, expect, it } from 'vitest'
import { expectComplete } from '../support/browser.ts'
import { enterPassword, openTestSite, PASSWORD, waitForAlert } from '../support/test-site.ts'
import { press } from '../support/viewer-page.ts'

const site = await openTestSite()

/** Hides what a page needs for decrypting. */
const hide = (name: string) => {
  const owner = name === 'subtle' ? Crypto.prototype : window
  Object.defineProperty(owner, name, { value: undefined })
}

describe('a browser that cannot decrypt', () => {
  it.each([
    ['without HTTPS', 'isSecureContext', 'wasn’t loaded over HTTPS'],
    ['without WebCrypto', 'subtle', 'browser can’t decrypt the document'],
  ])('says why, and lets the server decrypt: %s', async (_, missing, reason) => {
    const { id } = await site.createEncrypted('by the server', PASSWORD)
    await site.withPage(async (page) => {
      await page.addInitScript(hide, missing)
      await page.goto(`/${id}`)
      await page.getByText(reason).waitFor()
      await expectComplete(page)
      await enterPassword(page, 'wrong')
      await waitForAlert(page, 'Wrong password')
      await page.goto(`/${id}#${encodeURIComponent(PASSWORD)}`)
      await page.locator('main form button').click()
      await page.locator('#text', { hasText: 'by the server' }).waitFor()
      expect(page.url()).toBe(`${site.service.base}/${id}`)
    })
  })

  it('lets the server decrypt a document that burns after reading', async () => {
    const { id } = await site.createEncrypted('burned by the server', PASSWORD, { instant_delete: true })
    await site.withPage(async (page) => {
      await page.addInitScript(hide, 'subtle')
      await page.goto(`/${id}`)
      await enterPassword(page, PASSWORD)
      await page.locator('#text', { hasText: 'burned by the server' }).waitFor()
    })
  })

  it('without scripts says who sees the password, and what a # in the link means', async () => {
    const encrypted = await site.createEncrypted('no script', PASSWORD)
    const burning = await site.createEncrypted('no script, burned', PASSWORD, { instant_delete: true })
    const plain = await site.create('no script, no password, burned', { instant_delete: true })
    await site.withPage(
      async (page) => {
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
      },
      { javaScriptEnabled: false },
    )
  })
})

describe('a page whose encryption code is not loaded', () => {
  it('says so, and decrypts on the next try', async () => {
    const { id, password = '' } = await site.create('in the end', { encrypted: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.route('**/jwe-worker-*', (route) => route.abort())
      await enterPassword(page, password)
      await waitForAlert(page, 'couldn’t be loaded')
      await page.unroute('**/jwe-worker-*')
      await page.keyboard.press('Enter')
      await page.locator('#text', { hasText: 'in the end' }).waitFor()
    })
  })
})
