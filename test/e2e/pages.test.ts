import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, expectComplete, LOOKS, startBrowser, watchPage } from './support/browser.ts'
import { createDocument, demoKey } from './support/documents.ts'
import { ROOT, type Service, startService } from './support/service.ts'

let service: Service
let browser: Browser
let key: string

beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), startBrowser()])
  key = demoKey(service)
})

afterAll(async () => {
  await browser.close()
  await service.stop()
})

const create = (content: string, settings: object) => createDocument(service, key, content, settings)

const withPage = (options: BrowserContextOptions, journey: (page: Page) => Promise<void>) =>
  watchPage(browser, service.base, options, journey)

describe.each([
  ['with scripts', {}],
  ['without scripts', { javaScriptEnabled: false }],
] as const)('%s', (_, options) => {
  it('a document is written, shown and read as text', async () => {
    await withPage(options, async (page) => {
      await page.goto('/')
      const box = page.getByRole('textbox', { name: 'Text' })
      expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
      await box.fill('first line\n<b>second</b> 😀\n')
      await page.getByRole('button', { name: 'Create document' }).click()
      if (!('javaScriptEnabled' in options)) {
        await page.getByRole('link', { name: 'Open', exact: true }).click()
      }
      await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
      expect(await page.locator('code').textContent()).toBe('first line\n<b>second</b> 😀\n')
      expect(await page.locator('.numbers').textContent()).toBe('1\n2')
      await page.getByRole('link', { name: 'Raw' }).click()
      await page.waitForURL(/\/r\//)
      expect(await page.locator('body').innerText()).toContain('<b>second</b> 😀')
    })
  })

  it('a password opens a document, and a wrong one is announced', async () => {
    const { id, password = '' } = await create('the secret text', { encrypted: true })
    await withPage(options, async (page) => {
      await page.goto(`/${id}`)
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Show the document' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('not the password')
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByText('the secret text').waitFor()
      expect(page.url()).not.toContain(password)
    })
  })

  it('a document that is read once asks first, and is gone afterwards', async () => {
    const { id } = await create('for your eyes only', { instant_delete: true })
    await withPage(options, async (page) => {
      await page.goto(`/${id}`)
      await page.reload()
      expect(await page.content()).not.toContain('for your eyes only')
      await page.getByRole('button', { name: 'Read and delete' }).click()
      await page.getByText('for your eyes only').waitFor()
      expect(await page.getByRole('status').textContent()).toContain('deleted')
      const gone = await page.goto(`/${id}`)
      expect(gone?.status()).toBe(404)
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Not found')
    })
  })

  it('an encrypted document that is read once survives a wrong password', async () => {
    const { id, password = '' } = await create('burn after reading', {
      instant_delete: true,
      encrypted: true,
    })
    await withPage(options, async (page) => {
      await page.goto(`/${id}`)
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Read and delete' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('Nothing was deleted')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Read and delete' }).click()
      await page.getByText('burn after reading').waitFor()
    })
  })

  it('a raw link that is read once offers a button, and gives the text alone', async () => {
    const { id } = await create('just the text', { instant_delete: true })
    await withPage(options, async (page) => {
      await page.goto(`/r/${id}`)
      await page.getByRole('button', { name: 'Read and delete' }).click()
      await page.waitForLoadState()
      expect(await page.locator('body').innerText()).toBe('just the text')
    })
  })
})

describe('for everybody', () => {
  it.each(LOOKS)('every page is accessible and fits: %s, %i pixels wide', async (colorScheme, width) => {
    const long = 'a line that is much longer than a phone is wide '.repeat(10)
    const plain = await create(`${long}\n`.repeat(50), { language: 'markdown', long_urls: true })
    const sealed = await create('x', { encrypted: true })
    const once = await create('x', { instant_delete: true, encrypted: true })
    await withPage({ colorScheme, viewport: { width, height: 844 } }, async (page) => {
      const visit = async (path: string) => {
        await page.goto(path)
        await expectComplete(page)
      }
      for (const path of ['/', `/${plain.id}`, `/${sealed.id}`, `/${once.id}`, '/xxxxxxxx', '/no/where'])
        await visit(path)
      await page.goto(`/${sealed.id}`)
      await page.getByLabel('Password').fill('wrong')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await expectAccessible(page)
    })
  })

  it('a double click reads a document that is read once, and does not lose it', async () => {
    const { id } = await create('once and no more', { instant_delete: true })
    await withPage({}, async (page) => {
      await page.goto(`/${id}`)
      const network = await page.context().newCDPSession(page)
      // The second click comes while the answer to the first is under way.
      await network.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 500,
        downloadThroughput: -1,
        uploadThroughput: -1,
      })
      await page.getByRole('button', { name: 'Read and delete' }).click({ clickCount: 2, delay: 50 })
      await page.getByText('once and no more').waitFor()
    })
  })

  it('everything is reached by keyboard, and the focus is seen', async () => {
    const { id } = await create('x\n', {})
    await withPage({}, async (page) => {
      await page.goto(`/${id}`)
      const visited: string[] = []
      for (let tabs = 0; tabs < 14; tabs++) {
        await page.keyboard.press('Tab')
        visited.push(
          await page.evaluate(() => {
            const element = document.activeElement as HTMLElement
            const seen = getComputedStyle(element).outlineStyle !== 'none'
            const label = (element as HTMLInputElement).labels?.[0]?.textContent
            return `${label ?? element.ariaLabel ?? element.textContent?.trim()}${seen ? '' : ' (unseen)'}`
          }),
        )
      }
      expect(visited).toEqual([
        'Skip to the content',
        'Regent',
        'New document',
        'Sign in',
        'Sign up',
        'Raw',
        'Report',
        'Download',
        'Copy',
        'Duplicate',
        'Wrap',
        'Find',
        'Go to line',
        'Text of the document',
      ])
    })
  })

  it('the stylesheet is kept for ever under its own name', async () => {
    const html = await (await fetch(service.base)).text()
    const path = /href="(\/assets\/immutable\/[^"]+\.css)"/.exec(html)?.[1]
    const response = await fetch(service.base + path)
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toContain('immutable')
  })

  it('every file beside the pages has the security headers of the pages', async () => {
    const { headers: expected } = await fetch(service.base)
    const names = [...expected.keys()].filter((name) =>
      /^(strict|referrer|permissions|cross-origin|origin-agent|x-(content|frame))-/.test(name),
    )
    expect(names.length).toBe(8)
    const assets = (await readdir(join(ROOT, 'dist/client/assets'), { recursive: true })).filter((name) =>
      name.includes('.'),
    )
    expect(assets).toContain('favicon.svg')
    for (const asset of assets) {
      const { status, headers } = await fetch(`${service.base}/assets/${asset}`)
      expect({ asset, status }).toEqual({ asset, status: 200 })
      for (const name of names) expect(`${asset} ${headers.get(name)}`).toBe(`${asset} ${expected.get(name)}`)
      const policy = headers.get('Content-Security-Policy')
      for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
        expect(policy).toContain(part)
      expect(policy).not.toContain('unsafe')
    }
  })
})
