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
      // Its first frame is drawn, and so is one from its middle.
      const settled = () =>
        page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve))),
        )
      await settled()
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2))
      await settled()
      const tasks = await page.evaluate<number[]>(() => Reflect.get(window, 'tasks'))
      expect(Math.max(0, ...tasks)).toBeLessThan(1_000)
      expect((await text(page))?.length).toBe(long.length)
    })
  })
})

describe('a long text', () => {
  it('is numbered, selected and copied as a whole, though it is laid out in parts', async () => {
    const lines = Array.from({ length: 1_234 }, (_, index) => (index % 7 ? `line ${index}` : ''))
    const long = `${lines.join('\n')}\n`
    const { id, password = '' } = await create(long, { encrypted: true })
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await enter(page, password)
      await page.getByRole('heading', { name: id }).waitFor()
      expect(await text(page)).toBe(long)
      const numbers = (await page.locator('.numbers').textContent())?.trimEnd().split('\n')
      expect(numbers).toEqual(lines.map((_, index) => String(index + 1)))
      const selected = await page.evaluate(() => {
        getSelection()?.selectAllChildren(document.querySelector('.text code') ?? document)
        return getSelection()?.toString()
      })
      expect(selected?.trimEnd()).toBe(long.trimEnd())
      const [numbersHeight, textHeight] = await page
        .locator('.text pre')
        .evaluateAll((columns) => columns.map((column) => column.firstElementChild?.scrollHeight))
      expect(numbersHeight).toBeGreaterThan(0)
      expect(textHeight).toBeGreaterThan(0)
      await expectComplete(page)
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

describe('where the browser can not decrypt', () => {
  it.each([
    ['without a secure connection', 'isSecureContext', 'did not come over a secure connection'],
    ['without WebCrypto', 'subtle', 'can not decrypt by itself'],
  ])('the page says why, and the server opens the document: %s', async (_, missing, why) => {
    const sealed = await createSealed('by the server', PASSWORD)
    const once = await createSealed('by the server, once', PASSWORD, { instant_delete: true })
    await withPage(async (page) => {
      await page.addInitScript((name) => {
        const owner = name === 'subtle' ? Crypto.prototype : window
        Object.defineProperty(owner, name, { value: undefined })
      }, missing)
      await page.goto(`/${sealed.id}`)
      await page.getByText(why).waitFor()
      await expectComplete(page)
      await enter(page, 'wrong')
      await alertWith(page, 'not the password')
      await page.goto(`/${sealed.id}#${encodeURIComponent(PASSWORD)}`)
      await page.getByRole('button', { name: 'Show the document' }).click()
      await page.getByText('by the server').waitFor()
      expect(page.url()).toBe(`${service.base}/${sealed.id}`)
      await page.goto(`/${once.id}`)
      await page.getByText(why).waitFor()
      await enter(page, PASSWORD)
      await page.getByText('by the server, once').waitFor()
    })
  })

  it('without scripts says who sees the password, and what a # in a link is', async () => {
    const sealed = await createSealed('no script', PASSWORD)
    const once = await createSealed('no script, once', PASSWORD, { instant_delete: true })
    const plain = await create('no script, no password, once', { instant_delete: true })
    await withPage(
      async (page) => {
        for (const { id } of [sealed, once]) {
          await page.goto(`/${id}`)
          await page.getByText('The password is sent to this server').waitFor()
          await page.getByText('what follows the # is the password').waitFor()
          await enter(page, 'wrong')
          await alertWith(page, 'This is not the password')
          await enter(page, PASSWORD)
          await page.locator('.text').getByText('no script').waitFor()
        }
        await page.goto(`/${plain.id}`)
        expect(await page.getByText('password').count()).toBe(0)
        await page.getByRole('button', { name: 'Read and delete' }).click()
        await page.getByRole('status').filter({ hasText: 'now deleted' }).waitFor()
        await page.getByText('no script, no password, once').waitFor()
      },
      { javaScriptEnabled: false },
    )
  })

  it('because a part of the page is not there, somebody is told, and can try again', async () => {
    const { id, password = '' } = await create('in the end', { encrypted: true })
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.route('**/envelope-worker-*', (route) => route.abort())
      await enter(page, password)
      await alertWith(page, 'could not be loaded')
      await page.unroute('**/envelope-worker-*')
      await page.keyboard.press('Enter')
      await page.getByText('in the end').waitFor()
    })
  })
})

describe('for everybody', () => {
  it.each([
    ['light', 390],
    ['dark', 390],
    ['light', 1440],
    ['dark', 1440],
  ] as const)('every state is accessible and fits: %s, %i pixels wide', async (colorScheme, width) => {
    const long = 'a line that is much longer than a phone is wide '.repeat(10)
    const sealed = await createSealed(`${long}\n`.repeat(30), PASSWORD)
    const once = await createSealed(`${long}\n`.repeat(30), PASSWORD, { instant_delete: true })
    await withPage(
      async (page) => {
        for (const { id } of [sealed, once]) {
          await page.goto(`/${id}`)
          await expectComplete(page)
          await enter(page, 'wrong')
          await page.getByRole('alert').waitFor()
          await expectComplete(page)
          await enter(page, PASSWORD)
          await page.getByRole('heading', { name: id }).waitFor()
          await expectComplete(page)
          await page.getByRole('button', { name: /^Copy/ }).click()
          await page.getByText('Copied.').waitFor()
          await expectComplete(page)
        }
        await page.goto(`/${sealed.id}#${encodeURIComponent(PASSWORD)}`)
        await page.getByRole('heading', { name: sealed.id }).waitFor()
        await expectComplete(page)
        expect((await page.goto(`/${once.id}`))?.status()).toBe(404)
        await expectComplete(page)
      },
      {
        colorScheme,
        viewport: { width, height: 844 },
        permissions: ['clipboard-read', 'clipboard-write'],
      },
    )
  })

  it('everything is done by keyboard alone', async () => {
    const { id } = await createSealed('by keyboard', PASSWORD, { instant_delete: true })
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.keyboard.type('wrong')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await alertWith(page, 'Nothing was deleted')
      // The field has the focus again, and what was wrong in it is selected.
      await page.keyboard.insertText(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByText('by keyboard').waitFor()
      await page.keyboard.press('Tab')
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
      expect(download.suggestedFilename()).toBe(`${id}.txt`)
    })
  })
})
