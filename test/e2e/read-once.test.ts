import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deriveClaimToken, encryptJwe, hashClaimToken, parseJwe } from '../../src/shared/jwe.ts'
import { expectAccessible, expectComplete } from './support/browser.ts'
import {
  alertWith,
  enter,
  PASSWORD,
  record,
  SECRET,
  type Stage,
  shownText,
  startStage,
} from './support/secret.ts'
import { signIn } from './support/session.ts'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})

afterAll(() => stage.end())

describe('a document that is read once', () => {
  it('is deleted by a person and not by a preview, and can be kept', async () => {
    const { id } = await stage.create(SECRET, { instant_delete: true, language: 'python' })
    for (const path of [`/${id}`, `/r/${id}`]) {
      expect(await stage.statusOf(path)).toBe(200)
      expect(await stage.statusOf(path, { method: 'HEAD' })).toBe(200)
    }
    await stage.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'Read and delete' }).click()
      await page.getByRole('status').filter({ hasText: 'now deleted' }).waitFor()
      expect(await shownText(page)).toBe(SECRET)
      expect(await page.locator('.facts').innerText()).toContain('Python')
      expect(await stage.statusOf(`/${id}`)).toBe(404)
      await expectComplete(page)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save a copy' }).click(),
      ])
      expect(download.suggestedFilename()).toBe(`${id}.py`)
      await page.getByText(`Saved as ${id}.py.`).waitFor()
      const chunks: Buffer[] = []
      for await (const chunk of await download.createReadStream()) chunks.push(chunk)
      expect(Buffer.concat(chunks).toString()).toBe(SECRET)
    })
  })

  it('asks before it is left for ever, until it is kept', async () => {
    const { id } = await stage.create('last words', { instant_delete: true })
    await stage.withPage(
      async (page) => {
        const asked: string[] = []
        page.on('dialog', async (dialog) => {
          asked.push(dialog.type())
          await dialog.dismiss()
        })
        await page.goto(`/${id}`)
        await page.getByRole('button', { name: 'Read and delete' }).click()
        await page.getByText('last words').waitFor()
        await page.goto('/').catch(() => {})
        expect(asked).toEqual(['beforeunload'])
        await page.getByText('last words').waitFor()
        await page.getByRole('button', { name: 'Copy', exact: true }).click()
        await page.getByText('Copied.').waitFor()
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('last words')
        await page.goto('/')
        expect(asked).toEqual(['beforeunload'])
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    )
  })

  it('says that it may be gone when no answer comes, and whether it is on another try', async () => {
    const { id } = await stage.create('lost', { instant_delete: true })
    await stage.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.route('**/v1/**', async (route) => {
        await route.fetch()
        await route.abort()
      })
      await page.getByRole('button', { name: 'Read and delete' }).click()
      await alertWith(page, 'may have been deleted on its way to you')
      await page.unroute('**/v1/**')
      await page.getByRole('button', { name: 'Read and delete' }).click()
      await alertWith(page, 'This document is gone')
      await expectAccessible(page)
    })
  })
})

describe('an encrypted document that is read once', () => {
  it('survives wrong passwords and is deleted for the right one, which nobody is told', async () => {
    const { id } = await stage.createSealed(SECRET, PASSWORD, { instant_delete: true, language: 'rust' })
    await stage.withPage(async (page) => {
      const sent = record(page)
      await page.goto(`/${id}`)
      await expectComplete(page)
      await enter(page, 'wrong')
      await alertWith(page, 'Nothing was deleted')
      await expectAccessible(page)
      expect(await stage.statusOf(`/${id}`)).toBe(200)
      await enter(page, PASSWORD)
      await page.getByRole('status').filter({ hasText: 'now deleted' }).waitFor()
      expect(await shownText(page)).toBe(SECRET)
      expect(await stage.statusOf(`/${id}`)).toBe(404)
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'line one', 'wrong"']) {
        expect(sent.join('\n')).not.toContain(secret)
      }
      await expectComplete(page)
    })
  })

  it('waits for its button when the link has the password in it', async () => {
    const { id } = await stage.createSealed('once by link', PASSWORD, { instant_delete: true })
    await stage.withPage(async (page) => {
      await page.goto(`/${id}#${encodeURIComponent(PASSWORD)}`)
      await page.waitForFunction(() => document.activeElement?.textContent === 'Read and delete')
      expect(page.url()).toBe(`${stage.service.base}/${id}`)
      expect(await stage.statusOf(`/${id}`)).toBe(200)
      await page.keyboard.press('Enter')
      await page.getByText('once by link').waitFor()
    })
  })

  it('is read by one of two who ask at once, and the other is told', async () => {
    const { id } = await stage.createSealed('for one', PASSWORD, { instant_delete: true })
    const ask = async (): Promise<'read' | 'told'> => {
      let outcome: 'read' | 'told' = 'told'
      await stage.withPage(async (page) => {
        await page.goto(`/${id}`)
        await enter(page, PASSWORD)
        const read = page.getByText('for one')
        const told = page.getByRole('alert').filter({ hasText: 'This document is gone' })
        await read.or(told).waitFor()
        if (await read.count()) outcome = 'read'
      })
      return outcome
    }
    expect((await Promise.all([ask(), ask()])).sort()).toEqual(['read', 'told'])
  })

  it('keeps the envelope of somebody whose proof and envelope have two passwords', async () => {
    const envelope = await encryptJwe(new TextEncoder().encode('x'), 'another', 1_000)
    const token = await deriveClaimToken(PASSWORD, parseJwe(envelope).header)
    const { id } = await stage.create(envelope, {
      encrypted: true,
      client_encrypted: true,
      instant_delete: true,
      claim_hash: await hashClaimToken(token),
    })
    await stage.withPage(async (page) => {
      await page.goto(`/${id}`)
      await enter(page, PASSWORD)
      await page.getByRole('status').filter({ hasText: 'now deleted' }).waitFor()
      expect(await shownText(page)).toBe(envelope)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save a copy' }).click(),
      ])
      expect(download.suggestedFilename()).toBe(`${id}.jwe`)
    })
  })

  it('takes no password to the server at its raw link either', async () => {
    const { id } = await stage.createSealed('raw secret', PASSWORD, { instant_delete: true })
    await stage.withPage(async (page) => {
      const sent = record(page)
      await page.goto(`/r/${id}`)
      await enter(page, PASSWORD)
      await page.getByText('raw secret').waitFor()
      expect(sent.join('\n')).not.toContain(encodeURIComponent(PASSWORD).slice(0, 8))
    })
  })

  it('whose answer breaks off is deleted, and its reader is told so', async () => {
    const { id } = await stage.createSealed('half of it', PASSWORD, { instant_delete: true })
    await stage.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.route('**/claim', async (route) => {
        if (route.request().method() === 'GET') return route.continue()
        const response = await route.fetch()
        return route.fulfill({ response, body: (await response.text()).slice(0, 100) })
      })
      await enter(page, PASSWORD)
      await alertWith(page, 'It is deleted, and what arrived can not be shown')
      const gone = await page.goto(`/${id}`)
      expect(gone?.status()).toBe(404)
      await page.getByText('it has expired, was deleted, or was read by its one reader').waitFor()
    })
  })

  it('is opened by its creator without deleting it', async () => {
    const { id } = await stage.createSealed('for the creator too', PASSWORD, { instant_delete: true })
    await stage.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        await enter(page, 'wrong')
        await alertWith(page, 'not the password')
        await enter(page, PASSWORD)
        await page.getByText('for the creator too').waitFor()
        await page.getByRole('link', { name: 'Edit', exact: true }).waitFor()
        expect(await stage.statusOf(`/${id}`)).toBe(200)
      },
      await signIn(stage.service.folder, 'demo'),
    )
  })
})
