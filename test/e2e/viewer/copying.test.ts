import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openTestSite } from '../support/test-site.ts'
import { press } from '../support/viewer-page.ts'

const site = await openTestSite()

/** Returns what Ctrl+A and Ctrl+C copy, as the page or else the browser's selection gives it. */
async function copyAll(page: Page): Promise<string> {
  await page.keyboard.press('Control+a')
  // The first key loads what handles it. Until then, the browser has selected the whole page.
  await page.waitForFunction(() => {
    const footer = document.querySelector('footer')
    return footer && !getSelection()?.containsNode(footer, true)
  })
  await page.evaluate(() => {
    // After the page's own listener, which may have been added later.
    addEventListener(
      'copy',
      ({ clipboardData, defaultPrevented }) => {
        window.name = defaultPrevented
          ? (clipboardData?.getData('text/plain') ?? '')
          : (getSelection()?.toString() ?? '')
      },
      { once: true },
    )
  })
  await page.keyboard.press('Control+c')
  return page.evaluate(() => window.name)
}

const expectSaid = (page: Page, message: string) =>
  page.locator('#text-status').getByText(message, { exact: true }).waitFor()

const ROWS = Array.from({ length: 4_000 }, (_, row) => `${row},a,b,"c ${row}"\n`).join('')
const CSV = `id,one,two,three\n${ROWS}`

describe('Ctrl+A and Ctrl+C', () => {
  it('copy all of a table that has only some rows in the page, sorted and filtered too, and say so', async () => {
    const { id } = await site.create(CSV, { language: 'csv' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.getByText('4,000 rows').waitFor()
      expect((await copyAll(page)) === CSV).toBe(true)
      await expectSaid(page, 'Copied the whole text: 4,001 lines.')
      await page.getByRole('searchbox', { name: 'Filter rows' }).fill('c 17')
      await page.getByText(' of 4,000 rows').waitFor()
      await page.locator('.table-scroller').focus()
      expect((await copyAll(page)) === CSV).toBe(true)
    })
  })

  it('copy all of a tree, also when the browser’s menu has selected the whole page', async () => {
    const text = `${JSON.stringify(Array.from({ length: 2_000 }, (_, id) => ({ id, name: `name ${id}` })))}\n`
    const { id } = await site.create(text, { language: 'json' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.locator('.json-row').nth(10).waitFor()
      expect((await copyAll(page)) === text).toBe(true)
      await page.mouse.click(5, 5)
      await page.evaluate(() => getSelection()?.selectAllChildren(document.body))
      const copied = await page.evaluate(() => {
        const clipboardData = new DataTransfer()
        document.dispatchEvent(new ClipboardEvent('copy', { clipboardData, cancelable: true }))
        return clipboardData.getData('text/plain')
      })
      expect(copied === text).toBe(true)
      await expectSaid(page, 'Copied the whole text: 1 line.')
    })
  })

  it('copy the lines of a log that are shown, and say how many', async () => {
    const lines = Array.from(
      { length: 5_000 },
      (_, line) => `2026-11-22 12:00:00 ${line % 100 === 0 ? 'ERROR' : 'INFO'} message ${line}\n`,
    )
    const { id } = await site.create(lines.join(''), { language: 'log' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'Error 50' }).waitFor()
      expect((await copyAll(page)) === lines.join('')).toBe(true)
      await expectSaid(page, 'Copied the whole text: 5,000 lines.')
      await press(page, 'Error 50')
      await page.getByText('50 of 5,000 lines').waitFor()
      expect(await copyAll(page)).toBe(lines.filter((_, line) => line % 100 === 0).join(''))
      await expectSaid(page, 'Copied the 50 lines shown, of 5,000.')
    })
  })

  it('copy the text alone, wherever the focus is, with the first keys that the page gets', async () => {
    const { id } = await site.create('# Title\n\nSome **text**.\n', { language: 'markdown' })
    const { id: short } = await site.create('one\ntwo\n')
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.locator('.rendered strong').waitFor()
      expect(await copyAll(page)).toMatch(/^Title\s+Some text\.\s*$/)
      await page.goto(`/${short}`)
      await page.getByRole('button', { name: 'Wrap' }).waitFor()
      await page.keyboard.press('Control+a')
      await expect.poll(() => page.evaluate(() => getSelection()?.toString().trim())).toBe('one\ntwo')
    })
  })

  it('copy the source of long Markdown', async () => {
    const text = `# Title\n\n${'Some *words* of a paragraph.\n\n'.repeat(6_000)}`
    const { id } = await site.create(text, { language: 'markdown' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.locator('.rendered em').first().waitFor()
      expect((await copyAll(page)) === text).toBe(true)
    })
  })
})
