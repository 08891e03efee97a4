import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectCompleteInLooks } from './support/browser.ts'
import { plainTextBox } from './support/code-editor-page.ts'
import { ROOT } from './support/service.ts'
import { openTestSite } from './support/test-site.ts'

const site = await openTestSite()

describe('without scripts', () => {
  const withPage = (journey: (page: Page) => Promise<void>) =>
    site.withPage(journey, { javaScriptEnabled: false })

  it('a document is created, shown and read as raw text', async () => {
    await withPage(async (page) => {
      await page.goto('/')
      const box = plainTextBox(page)
      expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
      await box.fill('first line\n<b>second</b> 😀\n')
      await page.getByRole('button', { name: 'Share' }).click()
      await page.getByRole('link', { name: 'Open document' }).click()
      await page.waitForURL(/\/[A-Za-z0-9]{8}$/)
      expect(await page.locator('code').textContent()).toBe('first line\n<b>second</b> 😀\n')
      expect(await page.locator('.numbers').textContent()).toBe('1\n2')
      await page.getByRole('link', { name: 'Raw' }).click()
      await page.waitForURL(/\/r\//)
      expect(await page.locator('body').innerText()).toContain('<b>second</b> 😀')
    })
  })

  it('a password decrypts a document, and a wrong one is announced', async () => {
    const { id, password = '' } = await site.create('the secret text', { encrypted: true })
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Show document' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('Wrong password')
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await page.locator('#text', { hasText: 'the secret text' }).waitFor()
      expect(page.url()).not.toContain(password)
    })
  })

  it('a document that burns after reading asks first, and is gone afterwards', async () => {
    const { id } = await site.create('for your eyes only', { instant_delete: true })
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.reload()
      expect(await page.content()).not.toContain('for your eyes only')
      await page.getByRole('button', { name: 'Read and delete' }).click()
      await page.locator('#text', { hasText: 'for your eyes only' }).waitFor()
      expect(await page.getByRole('status').textContent()).toContain('deleted')
      const gone = await page.goto(`/${id}`)
      expect(gone?.status()).toBe(404)
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Not found')
    })
  })

  it('an encrypted document that burns after reading survives a wrong password', async () => {
    const { id, password = '' } = await site.create('burn after reading', {
      instant_delete: true,
      encrypted: true,
    })
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Read and delete' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('Nothing was deleted')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Read and delete' }).click()
      await page.locator('#text', { hasText: 'burn after reading' }).waitFor()
    })
  })

  it('the raw link of a document that burns after reading asks first, and returns only the text', async () => {
    const { id } = await site.create('just the text', { instant_delete: true })
    await withPage(async (page) => {
      await page.goto(`/r/${id}`)
      await page.getByRole('button', { name: 'Read and delete' }).click()
      await page.waitForLoadState()
      expect(await page.locator('body').innerText()).toBe('just the text')
    })
  })
})

describe('with and without an account', () => {
  it('every page is accessible and fits', async () => {
    const long = 'a line that is much longer than a phone is wide '.repeat(10)
    const { id } = await site.create(`${long}\n`.repeat(50), { language: 'markdown', long_urls: true })
    await site.withPage(async (page) => {
      for (const path of ['/', `/${id}`, '/xxxxxxxx']) {
        await page.goto(path)
        await expectCompleteInLooks(page)
      }
    })
  })

  it('a double click does not lose a document that burns after reading', async () => {
    const { id } = await site.create('once and no more', { instant_delete: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const network = await page.context().newCDPSession(page)
      // The second click happens before the response to the first.
      await network.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 500,
        downloadThroughput: -1,
        uploadThroughput: -1,
      })
      await page.getByRole('button', { name: 'Read and delete' }).click({ clickCount: 2, delay: 50 })
      await page.locator('#text', { hasText: 'once and no more' }).waitFor()
    })
  })

  it('everything is reached by keyboard, with a visible focus', async () => {
    const { id } = await site.create('x\n', {})
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const visited: string[] = []
      for (let tabs = 0; tabs < 20; tabs++) {
        await page.keyboard.press('Tab')
        visited.push(
          await page.evaluate(() => {
            const element = document.activeElement as HTMLElement
            const visible = getComputedStyle(element).outlineStyle !== 'none'
            const label = element.querySelector('.tip, [data-age]')?.firstChild?.textContent
            return `${label ?? element.ariaLabel ?? element.textContent?.trim()}${visible ? '' : ' (no focus)'}`
          }),
        )
      }
      expect(visited).toEqual([
        'Skip to content',
        'Regent',
        'New document',
        'Explore',
        'Sign in',
        'Sign up',
        'just now',
        'in 7 days',
        'Copy',
        'Copy link',
        'Raw',
        'Download',
        'Duplicate',
        'QR code',
        'Print',
        'Wrap',
        'Find',
        'Display',
        'More',
        'Document text',
      ])
    })
  })

  it('the stylesheet is cached for ever under its immutable name', async () => {
    const page = await fetch(site.service.base, { headers: { Accept: 'text/html' } })
    const html = await page.text()
    const path = /href="(\/assets\/immutable\/[^"]+\.css)"/.exec(html)?.[1]
    const response = await fetch(site.service.base + path)
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toContain('immutable')
  })

  it('the icons and the manifest are served with their types', async () => {
    const fetchType = async (path: string) =>
      (await fetch(site.service.base + path)).headers.get('Content-Type')
    expect(await fetchType('/favicon.ico')).toMatch(/^image\/(x-icon|vnd\.microsoft\.icon)$/)
    expect(await fetchType('/apple-touch-icon.png')).toBe('image/png')
    const manifest = await fetch(`${site.service.base}/assets/manifest.webmanifest`)
    expect(manifest.headers.get('Content-Type')).toBe('application/manifest+json')
    const { icons } = (await manifest.json()) as { icons: { src: string; type: string }[] }
    for (const { src, type } of icons) expect(await fetchType(`/assets/${src}`)).toBe(type)
  })

  it('every asset has the security headers of the pages', async () => {
    const { headers: expected } = await fetch(site.service.base)
    const names = [...expected.keys()].filter((name) =>
      /^(strict|referrer|permissions|cross-origin|origin-agent|x-(content|frame))-/.test(name),
    )
    // All but Strict-Transport-Security, which the Worker doesn't send over http.
    expect(names.length).toBe(7)
    const files = await readdir(join(ROOT, 'dist/client'), { recursive: true })
    // There are many chunks, and all are alike.
    const [chunk = '', ...otherChunks] = files.filter((name) => name.startsWith('assets/immutable/shared-'))
    const assets = files.filter(
      (name) => name.includes('.') && name !== '_headers' && !otherChunks.includes(name),
    )
    expect(assets).toContain(chunk)
    expect(assets).toEqual(expect.arrayContaining(['favicon.ico', 'assets/favicon.svg']))
    for (const asset of assets) {
      const { status, headers } = await fetch(`${site.service.base}/${asset}`)
      expect({ asset, status }).toEqual({ asset, status: 200 })
      // Other sites show the pictures of link previews, and embeds in a sandbox have an origin of their own.
      const isShared = /^assets\/[^/]*\.png$|\/embed-page-/.test(asset)
      const getExpected = (name: string) =>
        isShared && name === 'cross-origin-resource-policy' ? 'cross-origin' : expected.get(name)
      for (const name of names) expect(`${asset} ${headers.get(name)}`).toBe(`${asset} ${getExpected(name)}`)
      const policy = headers.get('Content-Security-Policy')
      for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
        expect(policy).toContain(part)
      expect(policy).not.toContain('unsafe')
    }
  })
})
