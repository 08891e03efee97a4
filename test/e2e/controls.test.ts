import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { codeEditor } from './support/code-editor-page.ts'
import { signIn } from './support/session.ts'
import { openTestSite } from './support/test-site.ts'
import { press } from './support/viewer-page.ts'

const site = await openTestSite()
const demo = await signIn(site.service.env, 'demo')

const DESKTOP = { viewport: { width: 1280, height: 800 } }
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Names what somebody sees and can use, outside of the text itself. */
const listControls = (page: Page): Promise<string[]> =>
  page
    .locator('a[href], button, input, select, textarea, summary, [contenteditable="true"]')
    .evaluateAll((elements) =>
      elements
        .filter((element) => {
          // A toggle is an invisible checkbox, and its label is what people see.
          const shown = element.matches('label > input') ? (element.parentElement ?? element) : element
          const { right, width, height } = shown.getBoundingClientRect()
          return shown.checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1 && right > 0
        })
        .filter((element) => !element.closest('section.text, article.rendered'))
        .map((element) => element.ariaLabel ?? element.textContent?.trim().replaceAll(/\s+/g, ' ') ?? ''),
    )

async function expectAtMost(
  most: number,
  open: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  await site.withPage(
    async (page) => {
      await open(page)
      await page.waitForLoadState('networkidle')
      const controls = await listControls(page)
      expect(controls.length, controls.join(', ')).toBeLessThanOrEqual(most)
      expect(controls.length).toBeGreaterThan(8)
    },
    { ...DESKTOP, ...options },
  )
}

describe.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
])('on %s', (_, device) => {
  it('the home page has at most 14 controls, with an account too', async () => {
    const open = async (page: Page) => {
      await page.goto('/')
      await codeEditor(page).waitFor()
    }
    await expectAtMost(14, open, device)
    await expectAtMost(14, open, { ...demo, ...device })
  })

  it('the page of a document has at most 18, for its author too', async () => {
    const { id } = await site.create('# Notes\n', { language: 'markdown', public: true })
    const open = async (page: Page) => {
      await page.goto(`/${id}`)
      await page.locator('article.rendered').waitFor()
    }
    await expectAtMost(18, open, device)
    await expectAtMost(18, open, { ...demo, ...device })
  })

  it('the page of a log has at most 22, for its author too', async () => {
    const log = ['ERROR', 'WARN', 'INFO', 'DEBUG'].map((level) => `2026-11-29 05:00:00 ${level} words\n`)
    const { id } = await site.create(log.join(''), { language: 'log' })
    const open = async (page: Page) => {
      await page.goto(`/${id}`)
      await page.locator('.log-bar').waitFor({ state: 'attached' })
    }
    await expectAtMost(22, open, device)
    await expectAtMost(22, open, { ...demo, ...device })
  })
})

/** Lists what is too small for a finger. The button of a fold is larger than it looks. */
const listSmall = (page: Page): Promise<string[]> =>
  page.locator('button, select, .masthead a, .footer a, .home-notes a').evaluateAll((elements) =>
    elements
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect()
        const tall = element.matches('.fold') ? getComputedStyle(element, '::before').height : height
        return width < 40 || Number.parseFloat(String(tall)) < 40
      })
      .map((element) => element.ariaLabel ?? element.textContent ?? ''),
  )

describe('on a phone', () => {
  it('buttons, and links outside of texts, are at least 40 pixels wide and high', async () => {
    const trace =
      '2026-11-29 05:00:00 ERROR broken\n    at run (/srv/app.js:10:5)\n    at start (/srv/app.js:2:1)\n'
    const { id } = await site.create(trace, { language: 'log' })
    await site.withPage(
      async (page) => {
        await page.goto('/')
        await codeEditor(page).waitFor()
        expect(await listSmall(page)).toEqual([])
        await page.goto(`/${id}`)
        await page.locator('.fold').waitFor()
        expect(await listSmall(page)).toEqual([])
        await press(page, 'Filter')
        await press(page, 'Options')
        expect(await listSmall(page)).toEqual([])
        await page.keyboard.press('Escape')
        await press(page, 'More')
        expect(await listSmall(page)).toEqual([])
      },
      { ...demo, ...PHONE },
    )
  })
})
