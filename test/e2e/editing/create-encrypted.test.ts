import type { Page, Request } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildPasswordLink } from '../../../src/shared/password-link.ts'
import { expectComplete, getCopied } from '../support/browser.ts'
import {
  chooseEncryption,
  codeEditorText,
  decryptContent,
  documentText,
  fetchDocument,
  fetchText,
  fillCodeEditor,
  openCreatePage,
  openMenu,
  shareButton,
  shareDocument,
  shareToast,
} from '../support/code-editor-page.ts'
import { enterPassword, openTestSite, type TestSite } from '../support/test-site.ts'

let site: TestSite

beforeAll(async () => {
  site = await openTestSite()
})

/** Records the forms that the page sends: Playwright doesn't see the files in them. */
async function recordForms(page: Page, onSend: (sent: string) => void): Promise<void> {
  await page.exposeFunction('recordForm', onSend)
  await page.evaluate(() => {
    const { recordForm, fetch: send } = globalThis as typeof globalThis & {
      recordForm: (sent: string) => void
    }
    globalThis.fetch = async (input, init) => {
      if (init?.body instanceof FormData) await recordForm(await new Response(init.body).text())
      return send(input, init)
    }
  })
}

describe('encryption', () => {
  it.each([
    ['a generated password', undefined, false],
    ['an own password, burned after reading', 'own / pass 😀#', true],
  ] as const)('happens in the browser, without an account, with %s', async (_, ownPassword, burns) => {
    let link = ''
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, 'the text that nobody sees')
      const password = await chooseEncryption(page, ownPassword)
      if (!ownPassword) expect(password).toMatch(/^[2-9b-df-hjkmnp-tv-zB-DF-HJ-NP-TV-Z]{24}$/)
      if (burns) await page.getByLabel('Delete after first read').check()

      const requests: string[] = []
      page.on('request', (request) => {
        requests.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`)
      })
      await recordForms(page, (sent) => requests.push(sent))
      const stored: string[] = []
      await page.exposeFunction('recordStored', (value: string) => stored.push(value))
      await page.evaluate(() => {
        const { setItem } = Storage.prototype
        Storage.prototype.setItem = function (key, value) {
          ;(globalThis as unknown as { recordStored: (value: string) => void }).recordStored(value)
          setItem.call(this, key, value)
        }
      })
      const url = await shareDocument(page)
      link = `${url}#${encodeURIComponent(password)}`
      // Nobody expects a password that they chose in a link.
      expect(getCopied(page)).toBe(ownPassword ? url : link)
      const readStored = () =>
        page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
      if (ownPassword) {
        // Browsers write what they store for a tab to disk, so this one doesn't know the password any more.
        expect(stored.join('\n')).toContain(new URL(url).pathname.slice(1))
        for (const secret of ['nobody sees', JSON.stringify(password), encodeURIComponent(password)])
          expect(stored.join('\n') + (await readStored())).not.toContain(secret)
        await shareToast(page).getByText('Link copied').waitFor()
        await shareToast(page).getByText('Asks for the password').waitFor()
        await enterPassword(page, ownPassword)
      } else {
        await shareToast(page).getByText('Link with password copied').waitFor()
        expect(await shareToast(page).getByLabel('Opens without asking').textContent()).toBe(link)
        expect(await shareToast(page).getByLabel('Asks for the password').textContent()).toBe(url)
        expect(await shareToast(page).getByLabel('Password', { exact: true }).textContent()).toBe(password)
      }
      // The creator sees the text, and nothing is burned.
      await documentText(page, 'the text that nobody sees').waitFor()
      // Browsers write other fields to disk, to restore them with the history.
      expect(await shareToast(page).locator('input:not([autocomplete="off"])').count()).toBe(0)

      const sent = requests.join('\n')
      expect(sent).toContain('name="client_encrypted"')
      expect(sent).toContain('name="claim_hash"')
      for (const secret of ['nobody sees', password, encodeURIComponent(password)]) {
        expect(sent).not.toContain(secret)
      }
      // The link of a generated one is all that its creator has, so this tab doesn't ask again.
      expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual(
        ownPassword ? [] : ['regent.passwords'],
      )
    })

    // On another device.
    await site.withPage(async (page) => {
      await page.goto(link)
      if (burns) await page.getByRole('button', { name: 'Read and delete' }).click()
      await documentText(page, 'the text that nobody sees').waitFor()
      if (burns) expect((await page.goto(link.replace(/#.*/, '?again')))?.status()).toBe(404)
    })
  })

  it('keeps a document that burns after reading for another device', async () => {
    let url = ''
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, 'for your eyes only')
      await page.getByLabel('Delete after first read').check()
      url = await shareDocument(page)
      await documentText(page, 'for your eyes only').waitFor()
      await page.reload()
      await documentText(page, 'for your eyes only').waitFor()
    })
    await site.withPage(async (page) => {
      await page.goto(url)
      await page.getByRole('button', { name: 'Read and delete' }).click()
      await documentText(page, 'for your eyes only').waitFor()
    })
    expect(await site.getStatus(new URL(url).pathname)).toBe(404)
  })

  it('gives a link that decrypts, even if the password looks like a link to lines', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, 'opened by its link')
      await chooseEncryption(page, 'L10-L20')
      const url = await shareDocument(page)
      await page.goto('/about')
      await page.goto(buildPasswordLink(url, 'L10-L20'))
      await documentText(page, 'opened by its link').waitFor()
      expect(page.url()).toBe(url)
    })
  })

  it('can be undone, which brings back the text and the password', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.getByLabel('Title or file name').fill('secret.py')
      await fillCodeEditor(page, 'print("a secret")')
      const password = await chooseEncryption(page)
      const url = await shareDocument(page)
      await shareToast(page).getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Your text is back').waitFor()
      expect(await site.getStatus(new URL(url).pathname)).toBe(404)
      await page.locator('.cm-content').waitFor()
      expect(await codeEditorText(page)).toBe('print("a secret")')
      expect(await page.getByLabel('Title or file name').inputValue()).toBe('secret.py')
      await openMenu(page, 'password-menu')
      expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(password)
      const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
      expect(kept).not.toContain('a secret')
      // The password is a generated one as before: nobody else has it.
      const again = await shareDocument(page)
      expect(again).not.toBe(url)
      await expect.poll(() => getCopied(page)).toBe(buildPasswordLink(again, password))
      await documentText(page, 'print("a secret")').waitFor()
    })
  })

  it('asks before a generated password is lost that has not been copied', async () => {
    await site.withPage(async (page) => {
      const questions: string[] = []
      page.on('dialog', async (dialog) => {
        questions.push(dialog.type())
        await dialog.dismiss()
      })
      // A browser that refuses to copy without asking.
      await page.addInitScript(() => {
        if (location.pathname !== '/') return
        navigator.clipboard.write = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
      })
      await openCreatePage(page)
      await page.keyboard.type('a secret')
      await chooseEncryption(page)
      await shareDocument(page)
      const toast = shareToast(page)
      await toast.getByText('Copy the link').waitFor()
      await toast.getByRole('button', { name: 'Close' }).click()
      await toast.getByText('Copy the password first').waitFor()
      await page.getByRole('link', { name: 'New document' }).click()
      await expect.poll(() => questions).toEqual(['beforeunload'])
      await toast.getByRole('button', { name: 'Copy password' }).click()
      await expect.poll(() => getCopied(page)).toHaveLength(24)
      await page.getByRole('link', { name: 'New document' }).click()
      await page.waitForURL('/')
      expect(questions).toHaveLength(1)
    })
  })

  it('asks for a password if none is entered', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, 'x')
      await chooseEncryption(page, '')
      await shareButton(page).click()
      expect(await page.getByRole('alert').textContent()).toContain('Enter a password')
      const field = page.getByLabel('Password', { exact: true })
      await page.getByRole('button', { name: 'Generate password' }).click()
      expect(await field.inputValue()).toHaveLength(24)
      await page.getByRole('button', { name: 'Hide password' }).click()
      expect(await field.getAttribute('type')).toBe('password')
      await page.getByRole('button', { name: 'Show password' }).click()
      expect(await field.getAttribute('type')).toBe('text')
    })
  })

  it('happens in the page if the browser refuses the worker', async () => {
    await site.withPage(async (page) => {
      await page.route('**/jwe-worker-*.js', (route) => route.abort())
      await openCreatePage(page)
      await fillCodeEditor(page, 'still a secret')
      const password = await chooseEncryption(page)
      const url = await shareDocument(page)
      expect(await decryptContent(await fetchText(url), password)).toBe('still a secret')
    })
  })

  it('sends and loses nothing if its script cannot be loaded', async () => {
    await site.withPage(async (page) => {
      const posts: Request[] = []
      page.on('request', (request) => request.method() === 'POST' && posts.push(request))
      await openCreatePage(page)
      await page.route('**/*.js', (route) => route.abort())
      await fillCodeEditor(page, 'kept')
      await chooseEncryption(page)
      await shareButton(page).click()
      await page.getByRole('alert').filter({ hasText: 'The encryption code couldn’t be loaded' }).waitFor()
      expect(posts).toEqual([])
      expect(await codeEditorText(page)).toBe('kept')
    })
  })

  it('is not offered on an insecure page, which says why', async () => {
    await site.withPage(async (page) => {
      await page.addInitScript(() => Object.defineProperty(globalThis, 'isSecureContext', { value: false }))
      await openCreatePage(page)
      await openMenu(page, 'password-menu')
      expect(await page.getByLabel('Encrypt with a password').isDisabled()).toBe(true)
      await page.getByText('so your browser can’t encrypt the document').waitFor()
      await expectComplete(page)
      await fillCodeEditor(page, 'open to all')
      expect((await fetchDocument(await shareDocument(page))).settings.encrypted).toBe(false)
    })
  })
})
