import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  deriveClaimToken,
  hashClaimToken,
  parseEnvelope,
  sealEnvelope,
} from '../../src/documents/encryption.ts'
import { expectAccessible, expectComplete, startBrowser, watchPage } from './support/browser.ts'
import { type Service, startService } from './support/service.ts'

let service: Service
let browser: Browser
let key: string

beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), startBrowser()])
  key = /imperial_[A-Za-z0-9]{40}/.exec(service.printed())?.[0] ?? ''
})

afterAll(async () => {
  await browser.close()
  await service.stop()
})

interface Created {
  readonly id: string
  readonly password?: string
  readonly views: number
}

async function create(content: string, settings: object): Promise<Created> {
  const response = await fetch(`${service.base}/v1/document`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: key },
    body: JSON.stringify({ content, settings }),
  })
  const { data } = (await response.json()) as { data: Created }
  return data
}

/** As a browser makes a document whose password the service never sees. */
async function createSealed(text: string, password: string, settings: object = {}): Promise<Created> {
  const envelope = await sealEnvelope(new TextEncoder().encode(text), password, CHOSEN_PASSWORD_ITERATIONS)
  const { header } = parseEnvelope(envelope)
  const claimHash = await hashClaimToken(await deriveClaimToken(password, header))
  return create(envelope, {
    encrypted: true,
    client_encrypted: true,
    ...('instant_delete' in settings && { claim_hash: claimHash }),
    ...settings,
  })
}

const statusOf = async (path: string, init?: RequestInit) => (await fetch(service.base + path, init)).status

async function viewsOf(id: string): Promise<number> {
  const response = await fetch(`${service.base}/v1/document/${id}`)
  return ((await response.json()) as { data: Created }).data.views
}

const withPage = (journey: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) =>
  watchPage(browser, service.base, options, journey)

/** All that leaves a page from now on, as text. */
function record(page: Page): string[] {
  const sent: string[] = []
  page.on('request', async (request) => {
    sent.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? '')
  })
  return sent
}

const text = (page: Page) => page.locator('.text code').textContent()

async function enter(page: Page, password: string) {
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

const alertWith = (page: Page, words: string) => page.getByRole('alert').filter({ hasText: words }).waitFor()

const PASSWORD = 'pä#ss%wörd 😀'
const SECRET = 'line one\r\n<b>line</b> two 😀\u0000\n'

describe('an encrypted document', () => {
  it('is opened in the browser, which tells nobody its password or its text, as one view', async () => {
    const { id } = await createSealed(SECRET, PASSWORD, { language: 'python' })
    await withPage(async (page) => {
      const sent = record(page)
      await page.goto(`/${id}`)
      await enter(page, 'wrong')
      await alertWith(page, 'This is not the password. Try again.')
      await enter(page, PASSWORD)
      await page.getByRole('heading', { name: id }).waitFor()
      expect(await text(page)).toBe(SECRET)
      expect(await page.locator('.numbers').textContent()).toBe('1\n2')
      expect(await page.title()).toBe(`${id} · Regent`)
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
      await page.getByRole('status').filter({ hasText: 'Opened in your browser' }).waitFor()
      for (const fact of ['Python', 'Views', 'demo'])
        expect(await page.locator('.facts').innerText()).toContain(fact)
      expect(sent.filter((part) => part.includes('/v1/document/'))).toHaveLength(1)
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'line one', 'wrong']) {
        expect(sent.join('\n')).not.toContain(secret)
      }
      await expectComplete(page)
    })
    expect(await viewsOf(id)).toBe(2)
  })

  it('tells other scripts of its page the text and its language', async () => {
    const { id } = await createSealed('print(1)', PASSWORD, { language: 'python' })
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      const shown = page.evaluate(
        () =>
          new Promise((resolve) => {
            document.addEventListener('regent:document', (event) => resolve((event as CustomEvent).detail))
          }),
      )
      await enter(page, PASSWORD)
      expect(await shown).toEqual({ text: 'print(1)', language: 'python' })
    })
  })

  it('that the service encrypted opens the same way', async () => {
    const { id, password = '' } = await create('by the service', { encrypted: true })
    await withPage(async (page) => {
      const sent = record(page)
      await page.goto(`/${id}`)
      await enter(page, password)
      await page.getByText('by the service').waitFor()
      expect(sent.join('\n')).not.toContain(password)
    })
  })

  it('says when it can not be had, and opens on another try', async () => {
    const { id, password = '' } = await create('patience', { encrypted: true })
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.route('**/v1/**', (route) => route.abort())
      await enter(page, password)
      await alertWith(page, 'The server could not be reached')
      await page.unroute('**/v1/**')
      await page.route('**/v1/**', (route) => route.fulfill({ status: 503, body: '{}' }))
      await page.getByRole('button', { name: 'Show the document' }).click()
      await alertWith(page, 'Something went wrong at the server')
      await page.unroute('**/v1/**')
      await page.getByRole('button', { name: 'Show the document' }).click()
      await page.getByText('patience').waitFor()
    })
  })

  it('says that it is being opened when that takes longer than a blink, and takes one attempt at a time', async () => {
    const { id, password = '' } = await create('slowly', { encrypted: true })
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      let asked = 0
      let go = () => {}
      const released = new Promise<void>((resolve) => {
        go = resolve
      })
      await page.route('**/v1/**', async (route) => {
        asked += 1
        await released
        await route.continue()
      })
      await enter(page, password)
      await page.getByRole('status').filter({ hasText: 'Opening…' }).waitFor()
      await page.keyboard.press('Enter')
      await expectAccessible(page)
      go()
      await page.getByText('slowly').waitFor()
      expect(asked).toBe(1)
    })
  })

  it('that is gone by then says so', async () => {
    const { id, password = '' } = await create('x', { encrypted: true })
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await fetch(`${service.base}/v1/document/${id}`, { method: 'DELETE', headers: { Authorization: key } })
      await enter(page, password)
      await alertWith(page, 'This document is gone')
    })
  })

  it('of ten megabytes opens while the page stays alive', async () => {
    const line = 'a line of a very long text, with a number of words in it\n'
    const long = line.repeat(Math.floor((10 * 1024 * 1024) / line.length))
    const { id, password = '' } = await create(long, { encrypted: true })
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.evaluate(() => {
        const tasks: number[] = []
        Object.assign(window, { tasks })
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) tasks.push(duration)
        }).observe({ type: 'longtask' })
      })
      await enter(page, password)
      await page.getByRole('heading', { name: id }).waitFor({ timeout: 60_000 })
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
      expect((await text(page))?.length).toBe(long.length)
    })
  })
})

describe('a link with the password in it', () => {
  it('opens the document at once, leaves the address, and says who can read it', async () => {
    const { id } = await createSealed(SECRET, PASSWORD)
    await withPage(async (page) => {
      const sent = record(page)
      await page.goto(`/${id}#${encodeURIComponent(PASSWORD)}`)
      await page.getByRole('heading', { name: id }).waitFor()
      expect(page.url()).toBe(`${service.base}/${id}`)
      expect(await text(page)).toBe(SECRET)
      await page.getByRole('status').filter({ hasText: 'whoever has this link can read' }).waitFor()
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'line one']) {
        expect(sent.join('\n')).not.toContain(secret)
      }
      await expectComplete(page)
    })
  })

  it('with a wrong password leaves the address too, and asks', async () => {
    const { id } = await createSealed('still here', PASSWORD)
    await withPage(async (page) => {
      await page.goto(`/${id}#wrong`)
      await alertWith(page, 'not the password')
      expect(page.url()).toBe(`${service.base}/${id}`)
      // The same page, and the whole link pasted into its address.
      await page.evaluate((hash) => {
        location.hash = hash
      }, encodeURIComponent(PASSWORD))
      await page.getByText('still here').waitFor()
      expect(page.url()).toBe(`${service.base}/${id}`)
    })
  })

  it('is not mistaken for a link to a line, or to the content', async () => {
    const { id } = await createSealed('x', PASSWORD)
    await withPage(async (page) => {
      for (const place of ['L3', 'L3-L14', 'main']) {
        await page.goto(`/${id}`)
        await page.goto(`/${id}#${place}`)
        await page.reload()
        expect(page.url()).toBe(`${service.base}/${id}#${place}`)
        expect(await page.getByRole('alert').count()).toBe(0)
        await enter(page, PASSWORD)
        await page.getByRole('heading', { name: id }).waitFor()
        expect(page.url()).toBe(`${service.base}/${id}#${place}`)
      }
    })
  })

  it.each([PASSWORD, 'L10', '%41'])('is copied, and opens the document: password %s', async (password) => {
    const { id } = await createSealed('shared by link', password)
    await withPage(
      async (page) => {
        await page.goto(`/${id}`)
        await enter(page, password)
        await page.getByRole('button', { name: 'Copy link with password' }).click()
        await page.getByText('Copied.').waitFor()
        const link = await page.evaluate(() => navigator.clipboard.readText())
        expect(link).toMatch(new RegExp(`^${service.base}/${id}#.`))
        await page.goto('/')
        await page.goto(link)
        await page.getByText('shared by link').waitFor()
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    )
  })
})

describe('a document that is read once', () => {
  it('is deleted by a person and not by a preview, and can be kept', async () => {
    const { id } = await create(SECRET, { instant_delete: true, language: 'python' })
    for (const path of [`/${id}`, `/r/${id}`]) {
      expect(await statusOf(path)).toBe(200)
      expect(await statusOf(path, { method: 'HEAD' })).toBe(200)
    }
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'Read and delete' }).click()
      await page.getByRole('status').filter({ hasText: 'now deleted' }).waitFor()
      expect(await text(page)).toBe(SECRET)
      expect(await page.locator('.facts').innerText()).toContain('Python')
      expect(await statusOf(`/${id}`)).toBe(404)
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
    const { id } = await create('last words', { instant_delete: true })
    await withPage(
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
    const { id } = await create('lost', { instant_delete: true })
    await withPage(async (page) => {
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
    const { id } = await createSealed(SECRET, PASSWORD, { instant_delete: true, language: 'rust' })
    await withPage(async (page) => {
      const sent = record(page)
      await page.goto(`/${id}`)
      await expectComplete(page)
      await enter(page, 'wrong')
      await alertWith(page, 'Nothing was deleted')
      await expectAccessible(page)
      expect(await statusOf(`/${id}`)).toBe(200)
      await enter(page, PASSWORD)
      await page.getByRole('status').filter({ hasText: 'now deleted' }).waitFor()
      expect(await text(page)).toBe(SECRET)
      expect(await statusOf(`/${id}`)).toBe(404)
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'line one', 'wrong"']) {
        expect(sent.join('\n')).not.toContain(secret)
      }
      await expectComplete(page)
    })
  })

  it('waits for its button when the link has the password in it', async () => {
    const { id } = await createSealed('once by link', PASSWORD, { instant_delete: true })
    await withPage(async (page) => {
      await page.goto(`/${id}#${encodeURIComponent(PASSWORD)}`)
      await page.waitForFunction(() => document.activeElement?.textContent === 'Read and delete')
      expect(page.url()).toBe(`${service.base}/${id}`)
      expect(await statusOf(`/${id}`)).toBe(200)
      await page.keyboard.press('Enter')
      await page.getByText('once by link').waitFor()
    })
  })

  it('is read by one of two who ask at once, and the other is told', async () => {
    const { id } = await createSealed('for one', PASSWORD, { instant_delete: true })
    const ask = async (): Promise<'read' | 'told'> => {
      let outcome: 'read' | 'told' = 'told'
      await withPage(async (page) => {
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
    const envelope = await sealEnvelope(new TextEncoder().encode('x'), 'another', 1_000)
    const token = await deriveClaimToken(PASSWORD, parseEnvelope(envelope).header)
    const { id } = await create(envelope, {
      encrypted: true,
      client_encrypted: true,
      instant_delete: true,
      claim_hash: await hashClaimToken(token),
    })
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await enter(page, PASSWORD)
      await page.getByRole('status').filter({ hasText: 'now deleted' }).waitFor()
      expect(await text(page)).toBe(envelope)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save a copy' }).click(),
      ])
      expect(download.suggestedFilename()).toBe(`${id}.jwe`)
    })
  })

  it('takes no password to the server at its raw link either', async () => {
    const { id } = await createSealed('raw secret', PASSWORD, { instant_delete: true })
    await withPage(async (page) => {
      const sent = record(page)
      await page.goto(`/r/${id}`)
      await enter(page, PASSWORD)
      await page.getByText('raw secret').waitFor()
      expect(sent.join('\n')).not.toContain(encodeURIComponent(PASSWORD).slice(0, 8))
    })
  })
})
