import { describe, expect, it } from 'vitest'
import { expectAccessible, expectComplete } from '../support/browser.ts'
import {
  enterPassword,
  openTestSite,
  PASSWORD,
  recordRequests,
  shownText,
  TEXT,
  waitForAlert,
} from '../support/test-site.ts'
import { goToLine, press } from '../support/viewer-page.ts'

const site = await openTestSite()

describe('an encrypted document', () => {
  it('is decrypted in the browser, without sending the password or the text, and counts one view', async () => {
    const { id } = await site.createEncrypted(TEXT, PASSWORD, { language: 'python' })
    await site.withPage(async (page) => {
      const sent = recordRequests(page)
      await page.goto(`/${id}`)
      await enterPassword(page, 'wrong')
      await waitForAlert(page, 'Wrong password. Try again.')
      await enterPassword(page, PASSWORD)
      await page.locator('.document-header').waitFor()
      expect(await shownText(page)).toBe(TEXT)
      expect(await page.locator('.numbers').textContent()).toBe('1\n2')
      expect(await page.title()).toBe(`${id} · Regent`)
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
      await page.getByRole('status').filter({ hasText: 'Decrypted in your browser' }).waitFor()
      for (const fact of ['Python', '1 view', 'demo']) {
        expect(await page.locator('.facts-line').innerText()).toContain(fact)
      }
      expect(sent.filter((part) => part.includes('/v1/document/'))).toHaveLength(1)
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'line one', 'wrong']) {
        expect(sent.join('\n')).not.toContain(secret)
      }
    })
    expect(await site.getViews(id)).toBe(2)
  })

  it('warns about hidden characters', async () => {
    const { id } = await site.createEncrypted('a\nb\u202Ec\u200Bd\u200B\n', PASSWORD)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await enterPassword(page, PASSWORD)
      await page.locator('.document-header').waitFor()
      expect(await page.getByRole('note').textContent()).toBe(
        'Be careful: this text may not be what it looks like. It contains 1 bidirectional control character (line 2) and 2 invisible characters (first on line 2).',
      )
      await page.getByRole('link', { name: 'first on line 2' }).click()
      await page.locator('pre:not(.numbers) > .linked-lines').waitFor()
      await expectComplete(page)
    })
  })

  it('can be opened on another try after the request failed', async () => {
    const { id, password = '' } = await site.create('patience', { encrypted: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.route('**/v1/**', (route) => route.abort())
      await enterPassword(page, password)
      await waitForAlert(page, 'The server couldn’t be reached')
      await page.unroute('**/v1/**')
      await page.locator('main form button').click()
      await page.locator('#text', { hasText: 'patience' }).waitFor()
    })
  })

  it('says that it is being opened if that takes long, and ignores further submissions', async () => {
    const { id, password = '' } = await site.create('slowly', { encrypted: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      let requests = 0
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/v1/**', async (route) => {
        requests += 1
        await released
        await route.continue()
      })
      await enterPassword(page, password)
      await page.getByRole('status').filter({ hasText: 'Decrypting…' }).waitFor()
      await page.keyboard.press('Enter')
      await expectAccessible(page)
      release()
      await page.locator('#text', { hasText: 'slowly' }).waitFor()
      expect(requests).toBe(1)
    })
  })

  it('that was deleted in the meantime says so', async () => {
    const { id, password = '' } = await site.create('x', { encrypted: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await site.remove(id)
      await enterPassword(page, password)
      await waitForAlert(page, 'This document is gone')
    })
  })

  it('has the same tools as other documents, except Duplicate, which would store its text', async () => {
    const text = 'const answer = 42\nconst question = null\n'
    const { id, password = '' } = await site.create(text, { encrypted: true, language: 'typescript' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await enterPassword(page, password)
      await page.waitForFunction(() => CSS.highlights.has('tok-keyword'))
      await goToLine(page, '2')
      await page.waitForFunction(() => location.hash === '#L2')
      await press(page, 'Wrap')
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download' }).click()
      const stream = await (await download).createReadStream()
      expect(Buffer.concat(await stream.toArray()).toString()).toBe(text)
      expect(await page.getByRole('button', { name: 'Duplicate' }).count()).toBe(0)
      await expectComplete(page)
    })
  })
})
