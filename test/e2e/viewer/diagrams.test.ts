import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectComplete } from '../support/browser.ts'
import { chooseLanguage, openCreatePage, paste } from '../support/code-editor-page.ts'
import { openTestSite } from '../support/test-site.ts'
import { getCurrentMatch, openFind, press, waitForFindStatus } from '../support/viewer-page.ts'

const site = await openTestSite()

const FENCE = '```'
const toFence = (code: string): string => `${FENCE}mermaid\n${code}\n${FENCE}\n\n`
const FLOWCHART = 'flowchart LR\n  start[Begin here] --> done[Finish there]'

const createMarkdown = async (text: string) => (await site.create(text, { language: 'markdown' })).id

const diagrams = (page: Page) => page.locator('.md-drawn > iframe')
const drawn = (page: Page, index = 0) => page.frameLocator('.md-drawn > iframe').nth(index).locator('svg')

const reason = (page: Page) => page.locator('.md-not-drawn')
const source = (page: Page) => page.locator('pre.md-mermaid')
const numbers = (page: Page) => page.locator('section.text .numbers')

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

  it('shows its source and the reason if it can’t be drawn, beside one that can', async () => {
    const id = await createMarkdown(`${toFence('flowchart LR\n  a --> [[[')}${toFence(FLOWCHART)}`)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await drawn(page).waitFor()
      await expect.poll(() => page.locator('.md-diagram').count()).toBe(1)
      expect(await source(page).first().isVisible()).toBe(true)
      expect(await source(page).last().isVisible()).toBe(false)
      expect(await reason(page).allInnerTexts()).toEqual([
        'Diagram not drawn: Mermaid found a mistake near line 2.',
      ])
      await expectComplete(page)
      await page.emulateMedia({ media: 'print' })
      expect(await reason(page).isVisible()).toBe(false)
    })
  })

  it.each([
    ['of a kind that isn’t known', 'nonsense\n  a --> b', 'Mermaid has no such kind of diagram.'],
    [
      'that is too long',
      `flowchart LR\n  a["${'word '.repeat(4_000)}"]`,
      'it has more than 20,000 characters.',
    ],
  ])('%s says so', async (_, code, text) => {
    const id = await createMarkdown(toFence(code))
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await reason(page).waitFor()
      expect(await reason(page).innerText()).toBe(`Diagram not drawn: ${text}`)
      expect(await source(page).isVisible()).toBe(true)
    })
  })

  it('says so if what draws it can’t be loaded', async () => {
    const id = await createMarkdown(toFence(FLOWCHART))
    await site.withPage(async (page) => {
      await page.route('**/assets/diagrams/diagram-*.html', (route) => route.abort())
      await page.goto(`/${id}`)
      await page.getByText('Diagram not drawn: what draws it couldn’t be loaded.').waitFor()
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
      await reason(page).waitFor()
      expect(await reason(page).innerText()).toBe('Diagram not drawn: it takes more than 3 seconds.')
      expect(await page.locator('.md-diagram').count()).toBe(0)
      expect(await source(page).isVisible()).toBe(true)
    })
  })

  it('shows its source once Find finds something there', async () => {
    const id = await createMarkdown(`Begin\n\n${toFence(FLOWCHART)}`)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await drawn(page).waitFor()
      await (await openFind(page)).fill('begin')
      await waitForFindStatus(page, '1 of 2')
      expect(await source(page).isVisible()).toBe(false)
      await page.keyboard.press('Enter')
      await waitForFindStatus(page, '2 of 2')
      expect(await source(page).isVisible()).toBe(true)
      expect(await getCurrentMatch(page)).toMatchObject({ line: '  start[Begin here] ', visible: true })
      expect(await drawn(page).isVisible()).toBe(true)
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

describe('a document in the language Mermaid', () => {
  it('is drawn, and has its source', async () => {
    const { id } = await site.create(FLOWCHART, { language: 'mmd' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await drawn(page).waitFor()
      expect(await numbers(page).isVisible()).toBe(false)
      await expectComplete(page)
      await shoot(page, 'document')
      await press(page, 'Source')
      await numbers(page).waitFor()
      expect(await drawn(page).isVisible()).toBe(false)
      await press(page, 'Rendered')
      await drawn(page).waitFor()
      expect(await page.locator('.md-diagram').count()).toBe(1)
      await (await openFind(page)).fill('finish')
      await waitForFindStatus(page, '1 of 1')
      await expect.poll(() => getCurrentMatch(page)).toMatchObject({ text: 'Finish', visible: true })
      expect(await numbers(page).isVisible()).toBe(true)
    })
  })

  it('shows its source if it can’t be drawn, and lines that are linked', async () => {
    const { id } = await site.create('flowchart LR\n  a --> [[[', { language: 'mermaid' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await reason(page).waitFor()
      expect(await reason(page).innerText()).toBe('Diagram not drawn: Mermaid found a mistake near line 2.')
      expect(await page.locator('.md-diagram').count()).toBe(0)
      expect(await source(page).isVisible()).toBe(true)
      await page.goto(`/${id}?from=elsewhere#L2`)
      await numbers(page).waitFor()
      expect(await source(page).count()).toBe(0)
    })
  })

  it('can be one of several files, and encrypted', async () => {
    const text = `-- a.mmd --\n${FLOWCHART}\n-- b.txt --\nb\n`
    const files = await site.create(text, { language: 'txtar' })
    const encrypted = await site.createEncrypted(FLOWCHART, 'password', { language: 'mermaid' })
    await site.withPage(async (page) => {
      await page.goto(`/${files.id}`)
      await press(page, 'Rendered')
      await drawn(page).waitFor()
      await page.goto(`/${encrypted.id}#password`)
      await drawn(page).waitFor()
    })
  })
})

describe('the preview of the editor', () => {
  it('draws diagrams, and what replaces them', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await chooseLanguage(page, 'markdown')
      await paste(page, `Flow\n\n${toFence(FLOWCHART)}`)
      await press(page, 'Preview')
      await drawn(page).waitFor()
      await paste(page, toFence('flowchart LR\n  other[Another one] --> end1'))
      await drawn(page, 1).waitFor()
      expect(await drawn(page, 1).textContent()).toContain('Another one')
      await shoot(page, 'preview')
    })
  })
})

describe('the preview of a text in the language Mermaid', () => {
  it('draws it, follows typing, and goes with the language', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await chooseLanguage(page, 'mermaid')
      await paste(page, FLOWCHART)
      await press(page, 'Preview')
      await drawn(page).waitFor()
      expect(await drawn(page).textContent()).toContain('Finish there')
      await expectComplete(page)
      await shoot(page, 'mermaid-preview')
      await diagrams(page).evaluate((frame) => frame.setAttribute('data-first', ''))
      await paste(page, '\n  done --> more[And more]')
      await expect.poll(() => drawn(page).textContent()).toContain('And more')
      // The frame stays, so that nothing flickers.
      expect(await page.locator('iframe[data-first]').count()).toBe(1)
      expect(await source(page).textContent()).toContain('And more')
      await paste(page, '\n  more --> [[[')
      await reason(page).waitFor()
      expect(await source(page).isVisible()).toBe(true)
      await chooseLanguage(page, 'markdown')
      await page.locator('article.rendered > .md-part > p').waitFor()
      await chooseLanguage(page, 'python')
      await page.locator('article.rendered').waitFor({ state: 'detached' })
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
