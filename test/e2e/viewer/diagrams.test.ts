import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openTestSite } from '../support/test-site.ts'

const site = await openTestSite()

const FENCE = '```'
const toFence = (code: string): string => `${FENCE}mermaid\n${code}\n${FENCE}\n\n`
const FLOWCHART = 'flowchart LR\n  start[Begin here] --> done[Finish there]'

const createMarkdown = async (text: string) => (await site.create(text, { language: 'markdown' })).id

const diagrams = (page: Page) => page.locator('.md-drawn > iframe')
const drawn = (page: Page, index = 0) => page.frameLocator('.md-drawn > iframe').nth(index).locator('svg')

const source = (page: Page) => page.locator('pre.md-mermaid')

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Pictures of it for people, if somebody asks for them. */
const shoot = async (page: Page, name: string) => {
  const folder = process.env.DIAGRAM_SCREENSHOTS
  if (!folder) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (let index = 0; index < (await diagrams(page).count()); index++) {
      await diagrams(page).nth(index).scrollIntoViewIfNeeded()
      await page.screenshot({ path: `${folder}/${name}-${index + 1}-${colorScheme}.png` })
    }
  }
}

describe('a diagram', () => {
  it('is drawn in place of its source, in a page of its own', async () => {
    const id = await createMarkdown(`# Flow\n\n${toFence(FLOWCHART)}`)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await drawn(page).waitFor()
      expect(await drawn(page).textContent()).toContain('Finish there')
      expect(await source(page).isVisible()).toBe(false)
      const { height = 0 } = (await diagrams(page).boundingBox()) ?? {}
      expect(height).toBeGreaterThan(30)
      expect(await diagrams(page).getAttribute('sandbox')).toBe('allow-scripts')
      await page.emulateMedia({ media: 'print' })
      expect(await source(page).isVisible()).toBe(true)
      expect(await diagrams(page).isVisible()).toBe(false)
    })
  })

  it('loads nothing until it comes into view', async () => {
    const id = await createMarkdown(`${'word\n\n'.repeat(400)}${toFence(FLOWCHART)}`)
    await site.withPage(async (page) => {
      const loaded: string[] = []
      page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
      await page.goto(`/${id}`)
      await page.locator('.md-mermaid').waitFor({ state: 'attached' })
      await page.waitForLoadState('networkidle')
      expect(loaded.filter((path) => path.startsWith('/assets/diagrams/'))).toEqual([])
      await page.locator('.md-mermaid').scrollIntoViewIfNeeded()
      await drawn(page).waitFor()
    })
  })

  it('shows its source if it can’t be drawn, beside one that can', async () => {
    const id = await createMarkdown(`${toFence('flowchart LR\n  a --> [[[')}${toFence(FLOWCHART)}`)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await drawn(page).waitFor()
      await expect.poll(() => page.locator('.md-diagram').count()).toBe(1)
      expect(await source(page).first().isVisible()).toBe(true)
      expect(await source(page).last().isVisible()).toBe(false)
    })
  })

  it('shows its source if drawing takes too long', async () => {
    const id = await createMarkdown(toFence(FLOWCHART))
    await site.withPage(async (page) => {
      // Starts, and never ends.
      await page.route('**/assets/diagrams/frame-*.js', (route) =>
        route.fulfill({
          contentType: 'text/javascript',
          headers: { 'Access-Control-Allow-Origin': '*' },
          body: 'parent.postMessage({ ready: true }, "*")',
        }),
      )
      await page.goto(`/${id}`)
      await page.locator('.md-diagram').waitFor({ state: 'attached' })
      await expect.poll(() => page.locator('.md-diagram').count()).toBe(0)
      expect(await source(page).isVisible()).toBe(true)
    })
  })

  it('runs nothing that its author wrote', async () => {
    const code = `flowchart LR\n  a["<b onclick='parent.postMessage(1, 1)'>bold</b><script>parent.postMessage(1, 1)</script>"] --> b\n  click b "javascript:alert(1)"`
    const id = await createMarkdown(toFence(code))
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await drawn(page).waitFor()
      const html = await drawn(page).evaluate((svg) => svg.outerHTML)
      expect(html).not.toContain('postMessage')
      expect(html).not.toContain('javascript:')
    })
  })
})

describe.each([
  ['desktop', 0.54, { viewport: { width: 1280, height: 900 } }],
  ['phone', 0.69, PHONE],
] satisfies [string, number, BrowserContextOptions][])('on a %s', (screen, leastScale, options) => {
  it('the diagrams of our own architecture are drawn', async () => {
    const text = await readFile('docs/architecture.md', 'utf8')
    const id = await createMarkdown(text)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.locator('.md-mermaid').first().waitFor({ state: 'attached' })
      const blocks = page.locator('.md-code:has(> .md-mermaid)')
      for (let index = 0; index < 6; index++) {
        await blocks.nth(index).scrollIntoViewIfNeeded()
        await drawn(page, index).waitFor()
        // Words stay readable: wide diagrams are scrolled.
        const scale = await drawn(page, index).evaluate((element) => {
          const svg = element as SVGSVGElement
          return svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
        })
        expect(scale).toBeGreaterThanOrEqual(leastScale)
      }
      expect(await diagrams(page).count()).toBe(6)
      await shoot(page, screen)
    }, options)
  })
})
