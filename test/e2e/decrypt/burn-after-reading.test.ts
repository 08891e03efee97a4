import { describe, expect, it } from 'vitest'
import {
  deriveClaimToken,
  encryptJwe,
  GENERATED_PASSWORD_ITERATIONS,
  hashClaimToken,
  parseJwe,
} from '../../../src/shared/jwe.ts'
import { getCopied } from '../support/browser.ts'
import { signIn } from '../support/session.ts'
import {
  enterPassword,
  openTestSite,
  PASSWORD,
  recordRequests,
  shownText,
  TEXT,
  waitForAlert,
} from '../support/test-site.ts'
import { press } from '../support/viewer-page.ts'

const site = await openTestSite()

describe('a document that burns after reading', () => {
  it('is deleted when a person reads it, not by a link preview, and can be saved', async () => {
    const { id } = await site.create(TEXT, { instant_delete: true, language: 'python' })
    for (const path of [`/${id}`, `/r/${id}`]) {
      expect(await site.getStatus(path)).toBe(200)
      expect(await site.getStatus(path, { method: 'HEAD' })).toBe(200)
    }
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await press(page, 'Read and delete')
      await page.getByRole('status').filter({ hasText: 'has been deleted' }).waitFor()
      expect(await shownText(page)).toBe(TEXT)
      expect(await page.locator('.facts-line').innerText()).toContain('Python')
      expect(await site.getStatus(`/${id}`)).toBe(404)
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save a copy')])
      expect(download.suggestedFilename()).toBe(`${id}.py`)
      await page.getByText(`Saved as ${id}.py.`).waitFor()
      const stream = await download.createReadStream()
      expect(Buffer.concat(await stream.toArray()).toString()).toBe(TEXT)
    })
  })

  it.each(['markdown', 'plaintext'])('has its tools in one row on a phone, as %s', async (language) => {
    const { id } = await site.create('# A title\n\nSome words.\n', { instant_delete: true, language })
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        await press(page, 'Read and delete')
        await page.getByRole('status').filter({ hasText: 'has been deleted' }).waitFor()
        if (language === 'markdown') await page.locator('article.rendered').waitFor()
        const tops = await page.locator('.tools > :is(button, fieldset)').evaluateAll((tools) =>
          tools
            .filter((tool) => tool.checkVisibility())
            .map((tool) => {
              const { top, bottom } = tool.getBoundingClientRect()
              return Math.round((top + bottom) / 20)
            }),
        )
        expect(tops.length).toBeGreaterThan(3)
        expect(new Set(tops).size).toBe(1)
      },
      { viewport: { width: 360, height: 740 } },
    )
  })

  it('makes the browser ask before the page is left, until it is saved or copied', async () => {
    const { id } = await site.create('last words', { instant_delete: true })
    await site.withPage(async (page) => {
      const dialogs: string[] = []
      page.on('dialog', async (dialog) => {
        dialogs.push(dialog.type())
        await dialog.dismiss()
      })
      await page.goto(`/${id}`)
      await press(page, 'Read and delete')
      await page.locator('#text', { hasText: 'last words' }).waitFor()
      await page.goto('/about').catch(() => {})
      expect(dialogs).toEqual(['beforeunload'])
      await page.locator('#text', { hasText: 'last words' }).waitFor()
      await press(page, 'Copy')
      await page.getByText('Copied.').waitFor()
      expect(getCopied(page)).toBe('last words')
      await page.goto('/about')
      expect(dialogs).toEqual(['beforeunload'])
    })
  })

  it('says that it may be deleted if no answer arrives, and whether it is on the next try', async () => {
    const { id } = await site.create('lost', { instant_delete: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.route('**/v1/**', async (route) => {
        await route.fetch()
        await route.abort()
      })
      await press(page, 'Read and delete')
      await waitForAlert(page, 'may already be deleted')
      await page.unroute('**/v1/**')
      await press(page, 'Read and delete')
      await waitForAlert(page, 'This document is gone')
    })
  })
})

describe('an encrypted document that burns after reading', () => {
  it('is deleted for the right password only, which is never sent', async () => {
    const { id } = await site.createEncrypted(TEXT, PASSWORD, { instant_delete: true, language: 'rust' })
    await site.withPage(async (page) => {
      const sent = recordRequests(page)
      await page.goto(`/${id}`)
      await enterPassword(page, 'wrong')
      await waitForAlert(page, 'Nothing was deleted')
      expect(await site.getStatus(`/${id}`)).toBe(200)
      await enterPassword(page, PASSWORD)
      await page.getByRole('status').filter({ hasText: 'has been deleted' }).waitFor()
      expect(await shownText(page)).toBe(TEXT)
      expect(await site.getStatus(`/${id}`)).toBe(404)
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'line one', 'wrong"']) {
        expect(sent.join('\n')).not.toContain(secret)
      }
    })
  })

  it('is not deleted by a link with its password until the button is pressed', async () => {
    const { id } = await site.createEncrypted('burned by link', PASSWORD, { instant_delete: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}#${encodeURIComponent(PASSWORD)}`)
      await page.waitForFunction(() => document.activeElement?.textContent === 'Read and delete')
      expect(page.url()).toBe(`${site.service.base}/${id}`)
      expect(await site.getStatus(`/${id}`)).toBe(200)
      await page.keyboard.press('Enter')
      await page.locator('#text', { hasText: 'burned by link' }).waitFor()
    })
  })

  it('is shown as a JWE if it was encrypted with another password than the one claimed', async () => {
    const text = new TextEncoder().encode('x')
    const jwe = await encryptJwe(text, 'another', GENERATED_PASSWORD_ITERATIONS)
    const token = await deriveClaimToken(PASSWORD, parseJwe(jwe).header)
    const { id } = await site.create(jwe, {
      encrypted: true,
      client_encrypted: true,
      instant_delete: true,
      claim_hash: await hashClaimToken(token),
    })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await enterPassword(page, PASSWORD)
      await page.getByRole('status').filter({ hasText: 'has been deleted' }).waitFor()
      expect(await shownText(page)).toBe(jwe)
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save a copy')])
      expect(download.suggestedFilename()).toBe(`${id}.jwe`)
    })
  })

  it('is decrypted in the browser at its raw link, too', async () => {
    const { id } = await site.createEncrypted('raw secret', PASSWORD, { instant_delete: true })
    await site.withPage(async (page) => {
      const sent = recordRequests(page)
      await page.goto(`/r/${id}`)
      await enterPassword(page, PASSWORD)
      await page.locator('#text', { hasText: 'raw secret' }).waitFor()
      expect(sent.join('\n')).not.toContain(encodeURIComponent(PASSWORD).slice(0, 8))
    })
  })

  it('says that it is deleted if the answer is interrupted', async () => {
    const { id } = await site.createEncrypted('half of it', PASSWORD, { instant_delete: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.route('**/claim', async (route) => {
        if (route.request().method() === 'GET') return route.continue()
        const response = await route.fetch()
        return route.fulfill({ response, body: (await response.text()).slice(0, 100) })
      })
      await enterPassword(page, PASSWORD)
      await waitForAlert(page, 'The document has been deleted and can’t be shown.')
      const gone = await page.goto(`/${id}`)
      expect(gone?.status()).toBe(404)
      await page.getByText('If there was a document here, it has expired or was deleted.').waitFor()
    })
  })

  it('is not deleted when its creator reads it', async () => {
    const { id } = await site.createEncrypted('for the creator too', PASSWORD, { instant_delete: true })
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        await enterPassword(page, PASSWORD)
        await page.locator('#text', { hasText: 'for the creator too' }).waitFor()
        await page.getByRole('link', { name: 'Edit', exact: true }).waitFor()
        expect(await site.getStatus(`/${id}`)).toBe(200)
      },
      await signIn(site.service.env, 'demo'),
    )
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
