import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible, watchPage } from '../support/browser.ts'
import { openTestSite } from '../support/test-site.ts'

const site = await openTestSite()

declare global {
  interface Window {
    heights: { readonly src: string; readonly context: string; readonly height: number }[]
  }
}

/** Another site. Its pages have the HTML in their query. `/isolated` is isolated from other origins. */
const host = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://host')
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    ...(pathname === '/isolated' && {
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Opener-Policy': 'same-origin',
    }),
  })
  const listener =
    'heights = []; addEventListener("message", ({ data }) => heights.push(JSON.parse(data)), false)'
  response.end(
    `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><script>${listener}</script>` +
      `<main><h1>Host</h1>${searchParams.get('html') ?? ''}</main>`,
  )
})
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
afterAll(() => void host.close())
const { port } = host.address() as AddressInfo
/** Another site than `127.0.0.1`, not only another port of it. */
const HOST = `http://localhost:${port}`

const hostPage = (html: string, path = '/') => `${HOST}${path}?html=${encodeURIComponent(html)}`

const withHost = (journey: (page: Page) => Promise<void>) => watchPage(site.service.base, {}, journey, [HOST])

/** Returns the code that the site offers for a document. */
async function copyCode(page: Page, path: string): Promise<string> {
  await page.goto(path)
  return (await page.locator('code#embed').textContent()) ?? ''
}

const CODE = 'const answer: number = 42 // the answer\n'.repeat(60)

describe('the code of an embed', () => {
  it('shows the document on a page of another site, coloured, in a frame that fits', async () => {
    const { id } = await site.create(CODE, { language: 'typescript', title: 'answer.ts' })
    await withHost(async (page) => {
      const code = await copyCode(page, `/${id}/embed/code?lines=10-14`)
      await page.goto(hostPage(code))
      const frame = page.frameLocator('iframe')
      await frame.getByText('Lines 10–14 of 60').waitFor()
      const inner = page.frames().find((candidate) => candidate.url().includes('/embed'))
      await inner?.waitForFunction(() => CSS.highlights.size > 0)
      const scrolls = await inner?.evaluate(() => {
        const body = document.querySelector('.embed-body')
        return body ? body.scrollHeight - body.clientHeight : null
      })
      expect(scrolls).toBe(0)
      await expectAccessible(page)
      await page.waitForFunction(() => window.heights.length > 0)
      const [message] = await page.evaluate(() => window.heights)
      expect(message).toMatchObject({ src: inner?.url(), context: 'iframe.resize' })
      expect(Math.abs((message?.height ?? 0) - 198)).toBeLessThan(20)
    })
  })

  it('works where a page is isolated from other origins', async () => {
    const { id } = await site.create(CODE, { language: 'typescript' })
    await withHost(async (page) => {
      await page.goto(hostPage(await copyCode(page, `/${id}/embed/code`), '/isolated'))
      await page.frameLocator('iframe').locator('#text').waitFor()
      const inner = page.frames().find((candidate) => candidate.url().includes('/embed'))
      await inner?.waitForFunction(() => CSS.highlights.size > 0)
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
    })
  })

  it('renders Markdown, whose links leave the frame', async () => {
    const { id } = await site.create('# Title\n\n[top](#title) [out](https://example.org/)\n', {
      language: 'markdown',
    })
    await withHost(async (page) => {
      await page.goto(hostPage(await copyCode(page, `/${id}/embed/code`)))
      const frame = page.frameLocator('iframe')
      await frame.getByRole('heading', { level: 2, name: 'Title' }).waitFor()
      await frame.getByRole('link', { name: 'top' }).click()
      expect(page.context().pages()).toHaveLength(1)
      const base = await frame.locator('base').getAttribute('target')
      expect(base).toBe('_blank')
    })
  })

  it('takes the lines that the address of the document links to', async () => {
    const { id } = await site.create(CODE)
    await site.withPage(async (page) => {
      await page.goto(`/${id}#L3-L5`)
      await page.locator('.linked-lines').first().waitFor()
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('link', { name: 'Embed' }).click()
      await page.waitForURL(/\/embed\/code\?lines=L3-L5$/)
      expect(await page.getByLabel('Lines').inputValue()).toBe('3-5')
      await page.frameLocator('.embed-preview').getByText('Lines 3–5 of 60').waitFor()
    })
  })
})

describe('an embed', () => {
  it('is the only page of a document that a browser shows in a frame of another site', async () => {
    const { id } = await site.create('framed text')
    const { base } = site.service
    await withHost(async (page) => {
      // The browser reports each refusal as an error.
      const other = await page.context().newPage()
      const paths = [`/${id}/embed`, `/${id}`, `/${id}/embed/code`, `/r/${id}`, '/']
      await other.goto(hostPage(paths.map((path) => `<iframe src="${base}${path}"></iframe>`).join('')))
      await other.waitForLoadState('networkidle')
      const shown = other.frames().filter((frame) => frame.url().startsWith(base))
      expect(shown.map((frame) => frame.url())).toEqual([`${base}/${id}/embed`])
      expect(await shown[0]?.locator('#text').textContent()).toBe('framed text')
      await other.close()
    })
  })

  it('shows the source of diagrams, whose frame it doesn’t allow', async () => {
    const { id } = await site.create('```mermaid\nflowchart LR\n  a --> b\n```\n', { language: 'markdown' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}/embed`)
      await page.locator('article .md-mermaid').waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.locator('iframe, .md-not-drawn').count()).toBe(0)
      expect(await page.evaluate(() => window.violations)).toEqual([])
    })
  })

  it('shows the codes of hidden characters', async () => {
    const { id } = await site.create('one\nuser\u202E" # admin\u2069\n', { language: 'python' })
    await withHost(async (page) => {
      await page.goto(hostPage(`<iframe src="${site.service.base}/${id}/embed?lines=2"></iframe>`))
      const frame = page.frameLocator('iframe')
      const codes = frame.locator('bdi')
      await codes.nth(1).waitFor()
      expect(await codes.evaluateAll((all) => all.map(({ dataset }) => dataset.code))).toEqual([
        'U+202E',
        'U+2069',
      ])
      expect(await frame.locator('#text').textContent()).toBe('user\u202E" # admin\u2069\n')
    })
  })

  it('is readable without scripts, and in a sandbox', async () => {
    const { id } = await site.create(CODE, { language: 'markdown' })
    await withHost(async (page) => {
      const other = await page.context().newPage()
      await other.goto(hostPage(`<iframe sandbox src="${site.service.base}/${id}/embed"></iframe>`))
      const text = other.frameLocator('iframe').locator('#text')
      await text.waitFor()
      expect(await text.isVisible()).toBe(true)
      const numbers = other.frameLocator('iframe').locator('.numbers')
      expect(await numbers.evaluate((element) => getComputedStyle(element).textAlign)).toBe('right')
      await other.close()
    })
  })
})
