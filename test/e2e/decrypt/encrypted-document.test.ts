import { describe, expect, it } from 'vitest'
import { expectAccessible, expectComplete, getCopied } from '../support/browser.ts'
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

  it('is opened without asking again in a tab that had the link, which keeps its password nowhere else', async () => {
    const { id } = await site.createEncrypted(TEXT, PASSWORD)
    await site.withPage(async (page) => {
      const isOpen = () => page.locator('.document-header').waitFor()
      await page.goto(`/${id}#${encodeURIComponent(PASSWORD)}`)
      await isOpen()
      expect(page.url()).not.toContain('#')
      await page.reload()
      await isOpen()
      await page.goto('/about')
      await page.goto(`/${id}`)
      await isOpen()
      await page.goBack()
      await page.goForward()
      await isOpen()
      await page.goto(`/${id}.py`)
      await isOpen()
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage }) + document.cookie)).not.toContain(
        'wörd',
      )
    })
  })

  it('forgets a password that was typed, and the one of a document that burns', async () => {
    const { id } = await site.createEncrypted(TEXT, PASSWORD)
    const { id: burning } = await site.createEncrypted(TEXT, PASSWORD, { instant_delete: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await enterPassword(page, PASSWORD)
      await page.locator('.document-header').waitFor()
      await page.reload()
      await page.getByLabel('Password').waitFor()
      await page.goto(`/${burning}#${encodeURIComponent(PASSWORD)}`)
      await page.getByRole('button', { name: 'Read and delete' }).click()
      await page.locator('.document-header').waitFor()
      expect(await page.evaluate(() => sessionStorage.getItem('regent.passwords'))).toBeNull()
    })
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
      await press(page, 'More')
      await page.getByRole('link', { name: 'Download' }).click()
      const stream = await (await download).createReadStream()
      expect(Buffer.concat(await stream.toArray()).toString()).toBe(text)
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('button', { name: 'Print' }).waitFor()
      expect(await page.getByRole('button', { name: 'Duplicate' }).count()).toBe(0)
    })
  })
})

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
      await page.goto(`/${id}`)
      await enterPassword(page, password)
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('button', { name: 'Copy link with password' }).click()
      await page.getByText('Copied.').waitFor()
      const link = getCopied(page)
      expect(link).toMatch(new RegExp(`^${site.service.base}/${id}#.`))
      await page.goto('/about')
      await page.goto(link)
      await page.locator('#text', { hasText: 'shared by link' }).waitFor()
    })
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
})

describe('a link with a generated password', () => {
  it.each(['.', ')', '&utm_source=x', '%3E', '.)'])(
    'opens the document with %s behind it',
    async (altered) => {
      const { id, password = '' } = await site.create('behind it', { encrypted: true })
      await site.withPage(async (page) => {
        await page.goto(`/${id}#${password}${altered}`)
        await page.locator('#text', { hasText: 'behind it' }).waitFor()
      })
    },
  )

  it('leads from an address whose # was encoded', async () => {
    const { id, password = '' } = await site.create('encoded', { encrypted: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}%23${password}`)
      await page.locator('#text', { hasText: 'encoded' }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`/${id}`)
    })
  })
})

describe('a page whose encryption code is not loaded', () => {
  it('decrypts without the worker if only that is missing', async () => {
    const { id, password = '' } = await site.create('without the worker', { encrypted: true })
    await site.withPage(async (page) => {
      await page.route('**/jwe-worker-*', (route) => route.abort())
      await page.goto(`/${id}`)
      await enterPassword(page, password)
      await page.locator('#text', { hasText: 'without the worker' }).waitFor()
    })
  })

  it('says so, and decrypts on the next try', async () => {
    const { id, password = '' } = await site.create('in the end', { encrypted: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`, { waitUntil: 'networkidle' })
      await page.route('**/assets/immutable/*.js', (route) => route.abort())
      await enterPassword(page, password)
      await waitForAlert(page, 'couldn’t be loaded')
      await page.unroute('**/assets/immutable/*.js')
      await page.keyboard.press('Enter')
      await page.locator('#text', { hasText: 'in the end' }).waitFor()
    })
  })
})
