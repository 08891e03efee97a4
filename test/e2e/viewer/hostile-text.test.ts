import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts'
import { openTestSite, shownText } from '../support/test-site.ts'
import { press } from '../support/viewer-page.ts'

const site = await openTestSite()

declare global {
  interface Window {
    /** Set by the texts if their scripts run. */
    ran?: number
  }
}

const isMarkdown = ([, language]: (typeof HOSTILE_TEXTS)[number]) => language === 'markdown'

/** Expects that rendered Markdown has only harmless elements and attributes. */
async function expectHarmless(page: Page, name: string): Promise<void> {
  const article = page.locator('article.rendered')
  await article.waitFor({ state: 'attached' })
  const forbidden = article.locator(
    'img, form, input:not([type="checkbox"][disabled]), iframe, object, script, style, video, [name], [style], [onclick], [onerror], [ontoggle]',
  )
  expect(await forbidden.count(), name).toBe(0)
  for (const link of await article.locator('a').all()) {
    expect(await link.getAttribute('rel'), name).toBe('noopener nofollow ugc')
    const address = await link.getAttribute('href')
    if (address !== null) expect(address, name).toMatch(/^(#|https?:\/\/|mailto:)/i)
  }
  const ids = await article.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id))
  expect(
    ids.filter((id) => !id.startsWith('user-content-')),
    name,
  ).toEqual([])
  expect(new Set(ids).size, name).toBe(ids.length)
  // The only drawings are the site's icons, and only the site's own classes have styles.
  expect(await article.locator('svg:not(.md-icon), math').count(), name).toBe(0)
  const classes = await article
    .locator('[class]')
    .evaluateAll((elements) => elements.flatMap((element) => [...element.classList]))
  expect(
    classes.filter((name) => !/^(md|tok)-/.test(name)),
    name,
  ).toEqual([])
  expect(await page.evaluate(() => document.getElementById('text')?.localName), name).toBe('code')
}

describe('hostile texts', () => {
  it.each([
    ['Markdown', HOSTILE_TEXTS.filter(isMarkdown)],
    ['other languages', HOSTILE_TEXTS.filter((text) => !isMarkdown(text))],
  ])('are displayed as text in every view: %s', async (_, texts) => {
    await site.withPage(async (page) => {
      const requested: string[] = []
      page.on('request', (request) => requested.push(new URL(request.url()).pathname))
      for (const [name, language, text] of texts) {
        const { id } = await site.create(text, { language })
        const displayed = text.replaceAll('\0', '\uFFFD')
        requested.length = 0
        await page.goto(`/${id}`)
        expect(await shownText(page), name).toBe(displayed)
        // The browser remembers the choice, so every other text starts wrapped.
        await press(page, 'Wrap')
        if (language === 'markdown') await expectHarmless(page, name)
        if (language === 'log') {
          await page.getByRole('button', { name: 'Log', pressed: true }).waitFor()
          await press(page, 'Source')
        }
        expect(await shownText(page), name).toBe(displayed)
        expect(await page.evaluate(() => ({ ran: window.ran, violations: window.violations })), name).toEqual(
          { violations: [] },
        )
        expect(
          requested.filter((path) => path !== `/${id}` && !path.startsWith('/assets/')),
          name,
        ).toEqual([])
        expect(await page.title(), name).toMatch(/ · Regent$/)
        const raw = await fetch(`${site.service.base}/r/${id}`)
        expect(await raw.text(), name).toBe(text)
        expect(raw.headers.get('Content-Type'), name).toMatch(/^text\/plain/)
      }
    })
  })
})
