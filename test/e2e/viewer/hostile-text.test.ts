import { describe, expect, it } from 'vitest'
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts'
import { shownText, startTestSite } from '../support/test-site.ts'
import { press, withWatchedPage } from '../support/viewer-page.ts'

const site = await startTestSite()

describe('a hostile text', () => {
  it.each(HOSTILE_TEXTS)('is displayed as text in every view: %s', async (_, language, text) => {
    const { id } = await site.create(text, { language })
    const displayed = text.replaceAll('\0', '\uFFFD')
    await withWatchedPage(site, async (page) => {
      const requested: string[] = []
      page.on('request', (request) => requested.push(new URL(request.url()).pathname))
      await page.goto(`/${id}`)
      expect(await shownText(page)).toBe(displayed)
      await press(page, 'Wrap')
      if (language === 'markdown') {
        const article = page.locator('article.rendered')
        await article.waitFor({ state: 'attached' })
        const forbidden = article.locator(
          'img, form, input:not([type="checkbox"][disabled]), iframe, object, script, style, video, [name], [style], [onclick], [onerror], [ontoggle]',
        )
        expect(await forbidden.count()).toBe(0)
        for (const link of await article.locator('a').all()) {
          expect(await link.getAttribute('rel')).toBe('noopener nofollow ugc')
          const address = await link.getAttribute('href')
          if (address !== null) expect(address).toMatch(/^(#|https?:\/\/|mailto:)/i)
        }
        const ids = await article.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id))
        expect(ids.filter((name) => !name.startsWith('user-content-'))).toEqual([])
        expect(new Set(ids).size).toBe(ids.length)
        // Only the site's icons are drawings, and only its own classes have styles.
        expect(await article.locator('svg:not(.md-icon), math').count()).toBe(0)
        const classes = await article
          .locator('[class]')
          .evaluateAll((elements) => elements.flatMap((element) => [...element.classList]))
        expect(classes.filter((name) => !/^(md|tok)-/.test(name))).toEqual([])
        expect(await page.evaluate(() => document.getElementById('text')?.localName)).toBe('code')
      }
      if (language === 'log') {
        await page.getByRole('button', { name: 'Log', pressed: true }).waitFor()
        await press(page, 'Source')
      }
      expect(await shownText(page)).toBe(displayed)
      expect(await page.evaluate(() => ({ ran: window.ran, violations: window.violations }))).toEqual({
        violations: [],
      })
      expect(requested.filter((path) => path !== `/${id}` && !path.startsWith('/assets/'))).toEqual([])
      expect(await page.title()).toMatch(/ · Regent$/)
    })
    const raw = await fetch(`${site.service.base}/r/${id}`)
    expect(await raw.text()).toBe(text)
    expect(raw.headers.get('Content-Type')).toMatch(/^text\/plain/)
  })
})
