import { describe, expect, it } from 'vitest'
import { expectComplete } from '../support/browser.ts'
import { enterPassword, openTestSite, shownText } from '../support/test-site.ts'
import { getFreezes, getLinkedLines, getTools, LINE_HEIGHT, withWatchedPage } from '../support/viewer-page.ts'

const site = await openTestSite()

describe('a long encrypted document', () => {
  const lines = Array.from({ length: 12_345 }, (_, index) => (index % 7 ? `line ${index + 1}` : ''))
  const text = `${lines.join('\n')}\n`

  it('is numbered and can be selected as a whole, although it is laid out in chunks', async () => {
    const { id, password = '' } = await site.create(text, { encrypted: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await enterPassword(page, password)
      await page.locator('.document-header').waitFor()
      expect(await shownText(page)).toBe(text)
      const numbers = (await page.locator('.numbers').textContent())?.trimEnd().split('\n')
      expect(numbers).toEqual(lines.map((_, index) => String(index + 1)))
      const selected = await page.evaluate(() => {
        getSelection()?.selectAllChildren(document.querySelector('.text code') ?? document)
        return getSelection()?.toString()
      })
      expect(selected?.trimEnd()).toBe(text.trimEnd())
      await expectComplete(page)
    })
  })

  it.each([
    ['many lines', text],
    ['more lines than are numbered', '\n'.repeat(200_001)],
    ['a few long lines', `${'<b>long</b> '.repeat(9_000)}\n`.repeat(3)],
    ['the longest text that is laid out as a whole', 'x'.repeat(64 * 1024)],
  ])('is in the same HTML as other documents: %s', async (_, content) => {
    const plain = await site.create(content)
    const { id, password = '' } = await site.create(content, { encrypted: true })
    await site.withPage(async (page) => {
      const getColumns = async () => {
        await getTools(page).getByRole('button', { name: 'Wrap' }).waitFor()
        const html = await page
          .locator('section.text > pre')
          .evaluateAll((all) => all.map(({ className, innerHTML }) => className + innerHTML))
        // Only the server writes ids for line numbers. They make links to lines work without scripts.
        return html.join().replaceAll(/<span id="L\d+">(\d+)<\/span>/g, '$1')
      }
      await page.goto(`/${plain.id}`)
      const expected = await getColumns()
      await page.goto(`/${id}`)
      await enterPassword(page, password)
      expect((await getColumns()) === expected).toBe(true)
    })
  })

  it('supports links to lines', async () => {
    const { id, password = '' } = await site.create(text, { encrypted: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}#L9876-L9877`)
      await enterPassword(page, password)
      await page.locator('section.text code + .linked-lines').waitFor()
      await expect
        .poll(() => getLinkedLines(page))
        .toMatchObject({ line: 'line 9876', height: 2 * LINE_HEIGHT })
    })
  })

  it('of ten megabytes is opened without freezing the page', async () => {
    const line = 'a line of a very long text, with a number of words in it\n'
    const long = line.repeat(Math.floor((10 * 1024 * 1024) / line.length))
    const { id, password = '' } = await site.create(long, { encrypted: true })
    await withWatchedPage(site, async (page) => {
      await page.goto(`/${id}`)
      await enterPassword(page, password)
      await page.locator('.document-header').waitFor({ timeout: 60_000 })
      const waitUntilDrawn = () =>
        page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve))),
        )
      await waitUntilDrawn()
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2))
      await waitUntilDrawn()
      expect(await getFreezes(page)).toEqual([])
      expect((await shownText(page))?.length).toBe(long.length)
    })
  })
})
