import { beforeAll, describe, expect, it } from 'vitest'
import { expectComplete, LOOKS } from '../support/browser.ts'
import { openTestSite, type TestSite } from '../support/test-site.ts'
import { press } from '../support/viewer-page.ts'

let site: TestSite

beforeAll(async () => {
  site = await openTestSite()
})

describe('the page of a document', () => {
  it.each(LOOKS)('is accessible and fits in every state: %s, %i pixels wide', async (colorScheme, width) => {
    const markdown = await site.create(
      '# A\n\n| a | b |\n|:--|--:|\n| `c` | d |\n\n```js\nlong '.concat('code '.repeat(50), '\n```\n'),
      { language: 'markdown' },
    )
    const log = await site.create(`\x1B[1;31m\u202Ered\x1B[0m\n${'x'.repeat(500)}\n`, {
      language: 'plaintext',
    })
    await site.withPage(
      async (page) => {
        await page.goto(`/${markdown.id}#L1-L3`)
        await page.waitForFunction(() => CSS.highlights.size > 0)
        await expectComplete(page)
        await press(page, 'Wrap')
        await expectComplete(page)
        for (const menu of ['Display', 'More']) {
          await press(page, menu)
          await expectComplete(page)
          await page.keyboard.press('Escape')
        }
        await press(page, 'Find')
        await expectComplete(page)
        await page.keyboard.press('Escape')
        await press(page, 'Rendered')
        await page.locator('article.rendered table').waitFor()
        await expectComplete(page)
        await page.goto(`/${log.id}`)
        await page.getByRole('button', { name: 'Colours', pressed: true }).waitFor()
        expect(await page.getByRole('note').textContent()).toContain('bidirectional')
        await expectComplete(page)
      },
      { colorScheme, viewport: { width, height: 844 } },
    )
  })

  it('can be used by keyboard alone', async () => {
    const { id } = await site.create('# A\n', { language: 'markdown' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const focused: string[] = []
      await page.locator('article.rendered').waitFor()
      await press(page, 'Source')
      await page.getByRole('button', { name: 'Rendered' }).focus()
      for (let tabs = 0; tabs < 12; tabs++) {
        await page.keyboard.press('Tab')
        focused.push(
          await page.evaluate(() => {
            const element = document.activeElement as HTMLInputElement
            const hasOutline = getComputedStyle(element).outlineStyle !== 'none'
            const name =
              element.ariaLabel ??
              element.querySelector('.tip')?.firstChild?.textContent ??
              element.textContent
            return `${name}${hasOutline ? '' : ' (no outline)'}`
          }),
        )
      }
      expect(focused).toEqual([
        'Source',
        'Copy',
        'Copy link',
        'Raw',
        'Download',
        'Duplicate',
        'QR code',
        'Print',
        'Wrap',
        'Find',
        'Display',
        'More',
      ])
    })
  })

  it('of a kilobyte takes at most 20 KB on the wire, including scripts and headers', async () => {
    const { id } = await site.create('a line of some words\n'.repeat(50))
    await site.withPage(async (page) => {
      const session = await page.context().newCDPSession(page)
      await session.send('Network.enable')
      await session.send('Network.setCacheDisabled', { cacheDisabled: true })
      const sizes: number[] = []
      session.on('Network.loadingFinished', ({ encodedDataLength }) => sizes.push(encodedDataLength))
      await page.goto(`/${id}`, { waitUntil: 'networkidle' })
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      expect(bytes).toBeLessThanOrEqual(20_000)
      expect(bytes).toBeGreaterThan(5_000)
    })
  })

  it('starts its text within 180 pixels of the top of a phone', async () => {
    const { id } = await site.create('a line of some words\n')
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        const top = await page.locator('code#text').evaluate((code) => code.getBoundingClientRect().top)
        expect(top).toBeLessThanOrEqual(180)
      },
      { viewport: { width: 390, height: 844 } },
    )
  })

  it('shows the same information without scripts, and no tools that need them', async () => {
    const { id } = await site.create('a\u202Eb\n', { language: 'markdown' })
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        const main = page.getByRole('main')
        expect((await main.getByRole('button').allTextContents()).map((name) => name.trim())).toEqual([
          'Display',
          'More',
        ])
        expect(await main.getByRole('textbox').count()).toBe(0)
        await press(page, 'More')
        // The first two are in the toolbar, and only a phone has them in the menu.
        expect(await page.locator('.tools').getByRole('link').allTextContents()).toEqual([
          'Raw',
          'Download',
          'Download as image',
          'Embed',
          'Report',
        ])
        await page.keyboard.press('Escape')
        expect(await page.getByRole('note').textContent()).toContain('bidirectional')
        expect(await page.locator('.facts-line').innerText()).toMatch(
          /^Markdown\s.*\d+ \w+ 2\d{3}, \d\d:\d\d UTC\s.*expires \d+ \w+ 2\d{3}, \d\d:\d\d UTC$/s,
        )
      },
      { javaScriptEnabled: false },
    )
  })
})
