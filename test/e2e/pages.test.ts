import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectComplete } from './support/browser.ts'
import { ROOT } from './support/service.ts'
import { openTestSite } from './support/test-site.ts'

const site = await openTestSite()

describe('a page', () => {
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
      for (let tabs = 0; tabs < 14; tabs++) {
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
        'just now',
        'in 7 days',
        'Copy',
        'Copy link',
        'Wrap',
        'Find',
        'Display',
        'More',
        'Document text',
      ])
    })
  })

  it('the stylesheet is cached for ever under its immutable name', async () => {
    const headers = {
      Accept: 'text/html',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    }
    const page = await fetch(site.service.base, { headers })
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
    const { icons, share_target } = (await manifest.json()) as {
      icons: { src: string; type: string }[]
      share_target: object
    }
    expect(share_target).toMatchObject({
      action: '/share',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'file' }] },
    })
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
    // There are many scripts, and all are alike.
    const [script = '', ...otherScripts] = files.filter((name) => /^assets\/immutable\/.*\.js$/.test(name))
    const assets = files.filter(
      (name) => name.includes('.') && name !== '_headers' && !otherScripts.includes(name),
    )
    // What draws diagrams runs in a sandboxed frame, with a policy of its own.
    const [drawing, pageAssets] = [true, false].map((draws) =>
      assets.filter((name) => name.startsWith('assets/diagrams/') === draws),
    ) as [string[], string[]]
    for (const asset of drawing) {
      const policy = (await fetch(`${site.service.base}/${asset}`)).headers.get('Content-Security-Policy')
      for (const part of ["default-src 'none'", "frame-ancestors 'self'", 'sandbox allow-scripts'])
        expect(policy).toContain(part)
      expect(policy).toMatch(/script-src 'self';/)
    }
    expect(assets).toContain(script)
    expect(assets).toEqual(expect.arrayContaining(['favicon.ico', 'assets/favicon.svg']))
    for (const asset of pageAssets) {
      const { status, headers } = await fetch(`${site.service.base}/${asset}`)
      expect({ asset, status }).toEqual({ asset, status: 200 })
      // Other sites show the pictures of link previews, and embeds in a sandbox have an origin of their own.
      const isShared = /^assets\/[^/]*\.png$|\/(?:embed-page|long-text)-/.test(asset)
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

const withPage = (options: BrowserContextOptions, journey: (page: Page) => Promise<void>) =>
  site.withPage(journey, options)

const isDark = (page: Page) =>
  page.evaluate(() => {
    const [red = 255] = (getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g) ?? []).map(
      Number,
    )
    return red < 128
  })

/** Opens a document, where the themes are in a menu. */
async function openThemes(page: Page): Promise<string> {
  const { id } = await site.create('const a = 1\n', { language: 'javascript' })
  await page.goto(`/${id}`)
  await page.getByRole('button', { name: 'Display', exact: true }).click()
  return id
}

/** Chooses a theme, and waits for the answer, which has a cookie: a late one would replace the next choice. */
async function choose(page: Page, theme: string): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/theme'))
  await page.getByRole('button', { name: theme, exact: true }).click()
  await (await answered).finished()
}

const pressed = (page: Page) => page.locator('.theme [aria-pressed="true"]').textContent()

describe.each([
  ['with scripts', {}],
  ['without scripts', { javaScriptEnabled: false }],
] as const)('%s', (_, options) => {
  it('a chosen theme overrides the system theme until it is reset', async () => {
    await withPage({ ...options, colorScheme: 'light' }, async (page) => {
      const id = await openThemes(page)
      expect(await isDark(page)).toBe(false)
      await choose(page, 'Dark')
      await page.locator('html[data-theme="dark"]').waitFor()
      expect(await isDark(page)).toBe(true)
      expect(page.url()).toBe(`${site.service.base}/${id}`)
      await page.goto('/about')
      expect(await isDark(page)).toBe(true)
      await openThemes(page)
      expect(await pressed(page)).toBe('Dark')
      await choose(page, 'System')
      await page.locator('html:not([data-theme])').waitFor()
      await page.goto('/sign-in')
      expect(await isDark(page)).toBe(false)
    })
  })

  it('a response already has the chosen theme, so that nothing flashes', async () => {
    await withPage({ ...options, colorScheme: 'dark' }, async (page) => {
      await openThemes(page)
      await choose(page, 'Light')
      await page.locator('html[data-theme="light"]').waitFor()
      const response = await page.goto('/sign-up')
      expect(await response?.text()).toContain('<html lang="en" data-theme="light">')
      expect(await isDark(page)).toBe(false)
    })
  })
})

it('the server replaces the cookie of the script, which browsers keep for a shorter time', async () => {
  await withPage({}, async (page) => {
    await openThemes(page)
    await choose(page, 'Dark')
    await expect
      .poll(async () =>
        (await page.context().cookies()).map(({ name, value, expires }) => [name, value, expires > 0]),
      )
      .toEqual([['theme', 'dark', true]])
  })
})

describe('with forced colours', () => {
  it('the pressed theme is visible, and highlighted code does not look selected', async () => {
    await withPage({ forcedColors: 'active' }, async (page) => {
      await openThemes(page)
      const getColour = (name: string) =>
        page
          .getByRole('button', { name, exact: true })
          .evaluate((button) => getComputedStyle(button).backgroundColor)
      expect(await getColour('System')).not.toBe(await getColour('Light'))
      const adjusted = await page
        .locator('#text')
        .evaluate((code) => getComputedStyle(code).forcedColorAdjust)
      expect(adjusted).toBe('none')
      await page.keyboard.press('Escape')
      await expectComplete(page)
    })
  })

  it('wrapped lines have only their own numbers next to them', async () => {
    await withPage({ forcedColors: 'active' }, async (page) => {
      const content = 'a line that is longer than any window is wide '.repeat(20).concat('\nshort')
      const response = await page.request.post('/v1/document', { data: { content } })
      const { data } = (await response.json()) as { data: { id: string } }
      await page.goto(`/${data.id}`)
      await page.locator('.placed-numbers').first().waitFor()
      const getColour = (selector: string) =>
        page.locator(selector).evaluate((numbers) => getComputedStyle(numbers).color)
      expect(await getColour('pre.numbers')).toBe('rgba(0, 0, 0, 0)')
      expect(await getColour('.placed-numbers')).not.toBe('rgba(0, 0, 0, 0)')
      await expectComplete(page)
    })
  })
})
