import { describe, expect, it } from 'vitest'
import { getCopied } from '../support/browser.ts'
import { enterPassword, openTestSite, shownText } from '../support/test-site.ts'
import {
  getCurrentMatch,
  getLinkedLines,
  getTools,
  goToLine,
  LINE_HEIGHT,
  openFind,
  press,
  waitForFindStatus,
  waitForViewer,
} from '../support/viewer-page.ts'

const site = await openTestSite()

declare global {
  interface Window {
    /** How many chunks the browser has begun to lay out in each frame. */
    laidOut: number[]
  }
}

describe('a long line', () => {
  /** Enough to freeze a browser for seconds if it were laid out as one line. */
  const LONG_LINE_BYTES = 600_000

  it.each([
    ['letters', 'javascript', 'var a = "<b>"; '],
    ['changes of direction', 'plaintext', 'abc \u202Eדעה\u202C 12 '],
    ['combining characters', 'plaintext', 'a\u0301\u0302e\u0327'],
  ])('of %s is complete, wrapped or not', async (_, language, unit) => {
    const text = `first\n${unit.repeat(LONG_LINE_BYTES / Buffer.byteLength(unit))}\nlast\n`
    const { id } = await site.create(text, { language })
    await site.withPage(async (page) => {
      await page.goto(`/${id}#L3`)
      if (language === 'javascript')
        await page
          .locator('.facts-line', {
            // On a slow machine, highlighting ends earlier, too.
            hasText: /not highlighted: (?:text after line \d+, )?lines over 10,000 characters/,
          })
          .waitFor()
      await expect.poll(() => getLinkedLines(page)).toMatchObject({ height: LINE_HEIGHT, line: 'last' })
      const startsWrapped = language === 'plaintext'
      await press(getTools(page), 'Wrap')
      await page.locator(`section.text${startsWrapped ? ':not(.wrapped)' : '.wrapped'}`).waitFor()
      await goToLine(page, '3')
      await expect.poll(() => getLinkedLines(page)).toMatchObject({ visible: true, line: 'last' })
      expect((await shownText(page)) === text).toBe(true)
      const selected = await page.evaluate(() => {
        getSelection()?.selectAllChildren(document.querySelector('code#text') ?? document.body)
        return String(getSelection())
      })
      expect(selected === text.trimEnd() || selected === text).toBe(true)
      expect(await page.evaluate(() => window.violations)).toEqual([])
    })
  })
})

describe('a line of a megabyte', () => {
  const line = `2026-11-22 12:00:00 ERROR ${'word '.repeat(200_000)}the end`

  it.each([
    ['a log', 'log', line, '.log'],
    ['a terminal', 'plaintext', `\x1B[31m${line}`, '.terminal'],
    ['JSON', 'json', JSON.stringify([line]), '#text'],
    ['text', 'plaintext', line, '#text'],
  ])(
    'of %s is in few boxes, of which only those with colours or matches have styles for them',
    async (_, language, text, element) => {
      const { id } = await site.create(text, { language })
      await site.withPage(async (page) => {
        await page.goto(`/${id}${language === 'json' ? '?view=source' : ''}`)
        const boxes = page.locator(`${element} .chunk > .stretch`)
        await boxes.first().waitFor()
        expect(await boxes.count()).toBeLessThan(10)
        const segments = await boxes.evaluateAll((all) =>
          all.map(({ childElementCount }) => childElementCount),
        )
        expect(Math.max(...segments)).toBeLessThanOrEqual(32)
        expect(await page.locator(`${element} .painted`).count()).toBe(0)
        await (await openFind(page)).fill('the end')
        await waitForFindStatus(page, '1 of 1')
        expect(await getCurrentMatch(page)).toMatchObject({ text: 'the end' })
        expect(await page.locator('.found').count()).toBe(1)
        expect((await shownText(page)) === text).toBe(true)
        await page.keyboard.press('Escape')
        await press(getTools(page), 'Copy')
        await page.getByText('Copied.').waitFor()
        expect(getCopied(page) === text).toBe(true)
      })
    },
  )
})

describe('a long text', () => {
  it('gets the styles of tools after its own, so that the browser needn’t lay it out again', async () => {
    const { id } = await site.create('word\n'.repeat(3_000))
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await openFind(page)
      const listSheets = () =>
        page.evaluate(() =>
          [...document.styleSheets].map(({ href }) => /[a-z-]+(?=-\w+\.css$)/.exec(href ?? '')?.[0]),
        )
      await expect.poll(listSheets).toEqual(['document-page', 'long-text', 'document-extras'])
    })
  })

  it('has its numbers beside its lines, and measures none in a chunk where none wraps', async () => {
    // The first chunk has the long line.
    const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index + 1}`)
    const { id } = await site.create(`${'a word '.repeat(60)}${lines.join('\n')}\n`, {
      language: 'plaintext',
    })
    await site.withPage(async (page) => {
      await page.addInitScript(() => {
        window.name = '0'
        const { getClientRects } = Range.prototype
        Range.prototype.getClientRects = function () {
          window.name = String(Number(window.name) + 1)
          return getClientRects.call(this)
        }
      })
      await page.goto(`/${id}`)
      const countMeasured = () => page.evaluate(() => Number(window.name))
      const getNumber = (line: number) =>
        page.locator('.placed-numbers span').getByText(String(line), { exact: true })
      const readBeside = (line: number) =>
        getNumber(line).evaluate((number) => {
          const { right, top } = number.getBoundingClientRect()
          const caret = document.caretPositionFromPoint(right + 30, top + 11)
          const data = caret?.offsetNode.textContent ?? ''
          const start = data.lastIndexOf('\n', (caret?.offset ?? 0) - 1) + 1
          return data.slice(start, data.indexOf('\n', start))
        })
      await expect.poll(() => readBeside(9)).toBe('line 9')
      expect(await countMeasured()).toBeGreaterThan(0)
      await goToLine(page, '1800')
      await expect.poll(() => readBeside(1_805)).toBe('line 1805')
      const measured = await countMeasured()
      await page.mouse.wheel(0, 400)
      await getNumber(1_850).waitFor()
      await expect.poll(() => readBeside(1_815)).toBe('line 1815')
      expect(await countMeasured()).toBe(measured)
    })
  })

  it('of more lines than a browser can lay out at their height links to them, wrapped or not', async () => {
    const text = 'line\n'.repeat(1_600_000)
    const { id } = await site.create(text, { language: 'plaintext' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}#L1500000`)
      await expect
        .poll(() => getLinkedLines(page))
        .toMatchObject({ visible: true, height: LINE_HEIGHT, line: 'line' })
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2 ** 24)
      await press(getTools(page), 'Wrap')
      await page.locator('section.text.wrapped').waitFor()
      await goToLine(page, '1550000')
      await expect
        .poll(() => getLinkedLines(page))
        .toMatchObject({ visible: true, height: LINE_HEIGHT, line: 'line' })
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2 ** 24)
    })
  })

  it('of long and short lines is as high as its lines, and links to them', async () => {
    const short = Array.from({ length: 3_000 }, (_, index) => `line ${index + 101}`)
    const text = `${`${'word '.repeat(1_800)}\n`.repeat(100)}${short.join('\n')}\n`
    const { id } = await site.create(text, { language: 'javascript' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}#L2345`)
      await expect
        .poll(() => getLinkedLines(page))
        .toMatchObject({ visible: true, height: LINE_HEIGHT, line: 'line 2345' })
      const height = await page.locator('code#text').evaluate((code) => code.getBoundingClientRect().height)
      expect(height).toBe(3_100 * LINE_HEIGHT)
      expect(await page.locator('code > .chunk').count()).toBe(64)
    })
  })

  it('of long lines is laid out a few chunks at a time once they no longer wrap', async () => {
    const { id } = await site.create(`${'word '.repeat(1_800)}\n`.repeat(300), { language: 'plaintext' })
    await site.withPage(async (page) => {
      await page.setViewportSize({ width: 1000, height: 1600 })
      await page.goto(`/${id}`)
      await waitForViewer(page)
      await page.evaluate(() => {
        window.laidOut = [0]
        const count = (event: Event) => {
          if (!('skipped' in event) || event.skipped) return
          window.laidOut.push((window.laidOut.pop() ?? 0) + 1)
        }
        for (const chunk of document.querySelectorAll<HTMLElement>('code > .chunk'))
          chunk.addEventListener('contentvisibilityautostatechange', count)
        const startFrame = () => {
          window.laidOut.push(0)
          requestAnimationFrame(startFrame)
        }
        startFrame()
      })
      await press(getTools(page), 'Wrap')
      await page.locator('section.text:not(.wrapped)').waitFor()
      await page.waitForFunction(() => window.laidOut.reduce((sum, count) => sum + count) > 30)
      await page.waitForFunction(() => !document.querySelector('.chunk[style*="hidden"]'))
      expect(await page.evaluate(() => Math.max(...window.laidOut))).toBeLessThanOrEqual(15)
    })
  })

  it('gets tints only for as many lines as are near the window, although chunks are lower before they are laid out', async () => {
    const { id } = await site.create(`--- a\n+++ b\n@@ -1 +1 @@\n${'+a\n'.repeat(1_100_000)}`, {
      language: 'diff',
    })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const tints = page.locator('.line-tints > .added')
      await tints.first().waitFor({ state: 'attached' })
      await page.evaluate(() => {
        window.name = '0'
        const { replaceChildren } = Element.prototype
        Element.prototype.replaceChildren = function (...nodes) {
          if (this.matches('.line-tints')) window.name = String(Math.max(Number(window.name), nodes.length))
          replaceChildren.apply(this, nodes)
        }
      })
      for (const share of [0.3, 0.6, 0.9]) {
        const top = await page.evaluate((share) => {
          scrollTo(0, share * document.documentElement.scrollHeight)
          return scrollY
        }, share)
        await page.waitForFunction(
          () =>
            [...document.querySelectorAll('.line-tints > .added')].filter((tint) => {
              const { top, bottom } = tint.getBoundingClientRect()
              return top < innerHeight / 2 && bottom > 0
            }).length > 10,
        )
        expect(top).toBeGreaterThan(0)
      }
      const most = await page.evaluate(() => Number(window.name))
      expect(most).toBeGreaterThan(10)
      expect(most).toBeLessThan(await page.evaluate(() => (3 * innerHeight) / 10 + 2))
    })
  })

  it('is copied as a whole after Ctrl+A, although the browser selects nothing', async () => {
    const text = `${'word '.repeat(9_000)}\n`.repeat(20)
    const { id } = await site.create(text)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const selected = page.locator('pre.all-selected')
      const copy = async () => {
        await page.evaluate(() => {
          document.addEventListener(
            'copy',
            ({ clipboardData }) => {
              window.name = clipboardData?.getData('text/plain') ?? ''
            },
            { once: true },
          )
        })
        await page.keyboard.press('Control+c')
        return page.evaluate(() => window.name)
      }
      await expect
        .poll(async () => {
          await page.keyboard.press('Control+a')
          return selected.count()
        })
        .toBe(1)
      expect(await page.evaluate(() => String(getSelection()))).toBe('')
      expect((await copy()) === text).toBe(true)
      await page.mouse.click(300, 300)
      await expect.poll(() => selected.count()).toBe(0)
      expect(await copy()).toBe('')
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
      await site.withPage(async (page) => {
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
        }
      })
    },
  )

  it.each([
    ['parse', `${'>'.repeat(100)}a\n${'b\n'.repeat(200_000)}`],
    ['lay out', `a|b\n-|-\n${'c|d\n'.repeat(200_000)}`],
  ])('is rendered although it takes long to %s', async (_, text) => {
    const { id } = await site.create(text, { language: 'markdown' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.locator('article.rendered > *').first().waitFor()
    })
  })
})

describe('a large document', () => {
  it.each([
    ['200,000 lines of 10 MiB', (line: number) => `${line} ${'the quick brown fox '.repeat(3)}`.slice(0, 51)],
    ['200,000 short lines', (line: number) => `${line} o`],
  ])('of %s opens at its last line, scrolls, finds and wraps', async (_, toLine) => {
    const text = `${Array.from({ length: 200_000 }, (_, index) => toLine(index + 1)).join('\n')}\n`
    const { id } = await site.create(text, { language: 'typescript' })
    await site.withPage(async (page) => {
      const waitForMark = () =>
        page.waitForFunction(() => !document.querySelector<HTMLElement>('.linked-lines')?.hidden)
      await page.goto(`/${id}#L200000`)
      await waitForMark()
      await expect.poll(() => getLinkedLines(page)).toMatchObject({ visible: true, line: toLine(200_000) })
      await page.evaluate(() => {
        location.hash = '#L100000-L100001'
      })
      await page.waitForFunction(() => scrollY < document.documentElement.scrollHeight / 1.5)
      await expect
        .poll(() => getLinkedLines(page))
        .toMatchObject({ visible: true, height: 2 * LINE_HEIGHT, line: toLine(100_000) })
      for (let turn = 0; turn < 10; turn++) {
        await page.mouse.wheel(0, 20_000)
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
      }
      await page.evaluate(() => {
        location.hash = '#L150000'
      })
      await waitForMark()
      await (await openFind(page)).fill('200000 ')
      await waitForFindStatus(page, '1 of 1')
      await expect.poll(() => getCurrentMatch(page)).toMatchObject({ text: '200000 ', visible: true })
      await page.keyboard.press('Escape')
      // Not by mouse, which would wait until the page stops scrolling.
      await getTools(page)
        .getByRole('button', { name: 'Wrap' })
        .evaluate((button) => (button as HTMLElement).click())
      await goToLine(page, '123456')
      await page.waitForFunction(() => location.hash === '#L123456')
      await page.locator('.placed-numbers span', { hasText: '123456' }).waitFor()
      await expect.poll(() => getLinkedLines(page)).toMatchObject({ visible: true, line: toLine(123_456) })
      // The styles of colours apply to the chunks that have some, of 400.
      await expect.poll(() => page.locator('.chunk.painted').count()).toBeLessThanOrEqual(3)
      // All of them are before what is visible.
      await (await openFind(page)).fill('o')
      await waitForFindStatus(page, '1 of the first 10,000')
      expect((await shownText(page)) === text).toBe(true)
    })
  })
})

describe('a long encrypted document', () => {
  const lines = Array.from({ length: 12_345 }, (_, index) => (index % 7 ? `line ${index + 1}` : ''))
  const text = `${lines.join('\n')}\n`

  it('is numbered, linked to by lines, and can be selected as a whole, although it is laid out in chunks', async () => {
    const { id, password = '' } = await site.create(text, { encrypted: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}#L9876-L9877`)
      await enterPassword(page, password)
      await page.locator('section.text code + .linked-lines').waitFor()
      await expect
        .poll(() => getLinkedLines(page))
        .toMatchObject({ line: 'line 9876', height: 2 * LINE_HEIGHT })
      expect(await shownText(page)).toBe(text)
      const numbers = (await page.locator('.numbers').textContent())?.trimEnd().split('\n')
      expect(numbers).toEqual(lines.map((_, index) => String(index + 1)))
      const selected = await page.evaluate(() => {
        getSelection()?.selectAllChildren(document.querySelector('.text code') ?? document)
        return getSelection()?.toString()
      })
      expect(selected?.trimEnd()).toBe(text.trimEnd())
    })
  })

  it.each([
    ['many lines', text],
    ['more lines than are numbered', '\n'.repeat(200_001)],
    ['many lines in a short text', 'a\n'.repeat(2_001)],
    ['a few long lines', `${'<b>long</b> '.repeat(9_000)}\n`.repeat(3)],
    ['the longest text that is laid out as a whole', 'x'.repeat(64 * 1024)],
  ])('is in the same HTML as other documents: %s', async (_, content) => {
    const plain = await site.create(content)
    const { id, password = '' } = await site.create(content, { encrypted: true })
    await site.withPage(async (page) => {
      const getColumns = async () => {
        await getTools(page).getByRole('button', { name: 'Wrap' }).waitFor()
        await waitForViewer(page)
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

  it('of ten megabytes is opened', async () => {
    const line = 'a line of a very long text, with a number of words in it\n'
    const long = line.repeat(Math.floor((10 * 1024 * 1024) / line.length))
    const { id, password = '' } = await site.create(long, { encrypted: true })
    await site.withPage(async (page) => {
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
      expect((await shownText(page))?.length).toBe(long.length)
    })
  })
})
