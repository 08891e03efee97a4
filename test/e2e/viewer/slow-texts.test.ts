import { describe, expect, it } from 'vitest'
import { openTestSite, shownText } from '../support/test-site.ts'
import {
  getFreezes,
  getLinkedLines,
  getTools,
  goToLine,
  LINE_HEIGHT,
  press,
  UNTIL_LAID_OUT,
  withWatchedPage,
} from '../support/viewer-page.ts'

const site = await openTestSite()

describe('a long line', () => {
  /** Enough to freeze a browser for seconds if it were laid out as one line. */
  const LONG_LINE_BYTES = 600_000

  it.each([
    ['letters', 'javascript', 'var a = "<b>"; '],
    ['changes of direction', 'plaintext', 'abc \u202Eדעה\u202C 12 '],
    ['combining characters', 'plaintext', 'a\u0301\u0302e\u0327'],
  ])('of %s is complete, wrapped or not, and does not freeze the page', async (_, language, unit) => {
    const text = `first\n${unit.repeat(LONG_LINE_BYTES / Buffer.byteLength(unit))}\nlast\n`
    const { id } = await site.create(text, { language })
    await withWatchedPage(site, async (page) => {
      await page.goto(`/${id}#L3`)
      if (language === 'javascript')
        await page
          .locator('.facts-line', { hasText: 'not highlighted: lines over 10,000 characters' })
          .waitFor()
      await expect
        .poll(() => getLinkedLines(page), UNTIL_LAID_OUT)
        .toMatchObject({ height: LINE_HEIGHT, line: 'last' })
      await press(getTools(page), 'Wrap')
      await goToLine(page, '3')
      await expect
        .poll(() => getLinkedLines(page), UNTIL_LAID_OUT)
        .toMatchObject({ visible: true, line: 'last' })
      expect((await shownText(page)) === text).toBe(true)
      const selected = await page.evaluate(() => {
        getSelection()?.selectAllChildren(document.querySelector('code#text') ?? document.body)
        return String(getSelection())
      })
      expect(selected === text.trimEnd() || selected === text).toBe(true)
      expect(await page.evaluate(() => window.violations)).toEqual([])
      expect(await getFreezes(page)).toEqual([])
    })
  })
})

describe('slow Markdown', () => {
  it.each([
    ['elements', '<details><summary>s</summary>'.repeat(2_000)],
    ['blocks', '<div>\n\n'.repeat(900)],
  ])(
    'shows the source with a line that says why if %s are nested too deeply, in an embed too',
    async (_, text) => {
      const { id } = await site.create(`# Title\n\n${text}`, { language: 'markdown' })
      await withWatchedPage(site, async (page) => {
        for (const path of [`/${id}`, `/${id}/embed`]) {
          await page.goto(path)
          const article = page.locator('article.rendered')
          await article.getByText(/^\(Lines? 3.* too long or too deeply nested to render/).waitFor()
          await article.getByRole('heading', { name: 'Title' }).waitFor()
          const getSource = () =>
            article
              .locator('.md-source')
              .evaluateAll((pieces) => pieces.map((piece) => piece.textContent).join(''))
          await expect.poll(async () => (await getSource()).trim() === text.trim()).toBe(true)
          expect(await article.locator('details, div:not(.md-part)').count()).toBe(0)
          expect(await getFreezes(page)).toEqual([])
        }
      })
    },
  )

  it.each([
    ['parse', `${'>'.repeat(100)}a\n${'b\n'.repeat(200_000)}`],
    ['lay out', `a|b\n-|-\n${'c|d\n'.repeat(200_000)}`],
  ])('does not freeze the page if it takes long to %s', async (_, text) => {
    const { id } = await site.create(text, { language: 'markdown' })
    await withWatchedPage(site, async (page) => {
      await page.goto(`/${id}`)
      await page.locator('article.rendered > *').first().waitFor()
      expect(await getFreezes(page)).toEqual([])
    })
  })
})
