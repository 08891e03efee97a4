import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openTestSite } from '../support/test-site.ts'

const site = await openTestSite()

const LONG = 'a line that is much longer than any paper is wide '.repeat(8).trim()
const LOG =
  '2026-11-22 14:31:58 INFO ready\n2026-11-22 14:31:59 ERROR it broke\n2026-11-22 14:32:00 INFO done\n'

/** Opens a document as somebody who has chosen a dark theme and wraps lines. */
const withDocument = async (
  content: string,
  language: string,
  journey: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
) => {
  const { id } = await site.create(content, { language })
  const url = site.service.base
  await site.withPage(
    async (page) => {
      await page.context().addCookies([
        { name: 'theme', value: 'plum', url },
        { name: 'display', value: 'wrap18', url },
      ])
      await page.goto(`/${id}`)
      await journey(page)
    },
    { ...options, colorScheme: 'dark', viewport: { width: 700, height: 900 } },
  )
}

/** Prints the page, and expects black text on white without any tools. */
async function print(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const colours = await page.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.documentElement)
    return { backgroundColor, color }
  })
  expect(colours).toEqual({ backgroundColor: 'rgb(255, 255, 255)', color: 'rgb(0, 0, 0)' })
  expect(await page.locator('.tools, .log-bar, .footer').filter({ visible: true }).count()).toBe(0)
  expect(await page.getByRole('button').or(page.getByRole('navigation')).count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  expect(await page.locator('section.text').evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  expect(await page.getByText(page.url()).isVisible()).toBe(true)
}

/** Returns the lines on paper, each with its number. */
const getLines = (page: Page) =>
  page
    .locator('.print-lines li:visible')
    .evaluateAll((items) => items.map((item) => `${(item as HTMLLIElement).value} ${item.textContent}`))

describe('on paper', () => {
  it('code has numbered lines, which wrap, in black on white', async () => {
    await withDocument(`// ${LONG}\nconst a = 1\n`, 'javascript', async (page) => {
      await page.waitForFunction(() => CSS.highlights.has('tok-keyword'))
      await print(page)
      await expect.poll(() => getLines(page)).toEqual([`1 // ${LONG}`, '2 const a = 1'])
      expect(await page.locator('#text').isVisible()).toBe(false)
      await page.emulateMedia({ media: 'screen' })
      await page.locator('.print-lines').waitFor({ state: 'detached' })
      expect(await page.locator('#text').isVisible()).toBe(true)
    })
  })

  it('a document is complete without scripts, too', async () => {
    const text = `${LONG}\nshort\n\n<b>last</b> 😀\n`
    await withDocument(
      text,
      'plaintext',
      async (page) => {
        await print(page)
        expect((await page.locator('#text').innerText()).trimEnd()).toBe(text.trimEnd())
        expect(await page.locator('.numbers').isVisible()).toBe(false)
      },
      { javaScriptEnabled: false },
    )
  })

  it('Markdown is rendered, and its details are open', async () => {
    const text =
      '# Title\n\n```js\nconst a = 1\n```\n\n<details><summary>More</summary>\n\nhidden text\n\n</details>\n'
    await withDocument(text, 'markdown', async (page) => {
      const article = page.locator('article.rendered')
      await article.getByRole('heading', { name: 'Title' }).waitFor()
      await print(page)
      await article.getByText('hidden text').waitFor()
      expect(await page.locator('section.text').isVisible()).toBe(false)
      const background = await article.evaluate((element) => getComputedStyle(element).backgroundColor)
      expect(background).toBe('rgb(255, 255, 255)')
    })
  })

  it('a filtered log has the lines that are displayed, with their numbers in the document', async () => {
    await withDocument(LOG, 'log', async (page) => {
      await page.locator('.log-bar').waitFor({ state: 'attached' })
      await page.getByRole('searchbox', { name: 'Filter' }).fill('broke')
      await page.getByText('1 of 3 lines').waitFor()
      await print(page)
      await expect.poll(() => getLines(page)).toEqual(['2 2026-11-22 14:31:59 ERROR it broke'])
    })
  })

  it('terminal output has no control characters', async () => {
    await withDocument('\x1B[32mgreen\x1B[0m\n', 'plaintext', async (page) => {
      await page.getByRole('button', { name: 'Terminal', pressed: true }).waitFor()
      await page.waitForFunction(() => CSS.highlights.has('ansi-green'))
      await print(page)
      await expect.poll(() => getLines(page)).toEqual(['1 green'])
    })
  })

  it('a diff has its lines unchanged', async () => {
    await withDocument('@@ -1 +1 @@\n-a\n+b\n', 'diff', async (page) => {
      await page.locator('.line-tints .added').waitFor()
      await print(page)
      await expect.poll(() => getLines(page)).toEqual(['1 @@ -1 +1 @@', '2 -a', '3 +b'])
      expect(await page.locator('.line-tints').isVisible()).toBe(false)
    })
  })
})
