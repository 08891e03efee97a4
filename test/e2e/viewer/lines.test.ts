import { beforeAll, describe, expect, it } from 'vitest'
import { openTestSite, shownText, type TestSite } from '../support/test-site.ts'
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

let site: TestSite

beforeAll(async () => {
  site = await openTestSite()
})

describe('line links', () => {
  const text = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`).join('\n')

  it('are followed, clicked, Shift+clicked and typed', async () => {
    const { id } = await site.create(text)
    await site.withPage(async (page) => {
      await page.goto(`/${id}#L250-L252`)
      await expect
        .poll(() => getLinkedLines(page))
        .toMatchObject({
          visible: true,
          height: 3 * LINE_HEIGHT,
          line: 'line 250',
        })
      await page.goto(`/${id}`)
      const numbers = page.locator('.numbers')
      const above = await numbers.evaluate((column) => Number.parseFloat(getComputedStyle(column).paddingTop))
      const click = (line: number, modifiers: 'Shift'[] = []) =>
        numbers.click({ position: { x: 10, y: above + (line - 0.5) * LINE_HEIGHT }, modifiers })
      await click(12)
      await expect.poll(() => new URL(page.url()).hash).toBe('#L12')
      await click(9, ['Shift'])
      await expect.poll(() => new URL(page.url()).hash).toBe('#L9-L12')
      await expect.poll(() => getLinkedLines(page)).toMatchObject({ height: 4 * LINE_HEIGHT, line: 'line 9' })
      expect(await page.evaluate(() => String(getSelection()))).toBe('')
      await goToLine(page, '299')
      await page.locator('#text-status').getByText('Line 299', { exact: true }).waitFor()
      await expect.poll(() => getLinkedLines(page)).toMatchObject({ visible: true, line: 'line 299' })
      await goToLine(page, '301')
      await page.locator('#text-status').getByText('Enter a line number from 1 to 300').waitFor()
      await page.evaluate(() => {
        location.hash = '#L5'
      })
      await page.waitForFunction(() => scrollY < 200)
      await expect.poll(() => getLinkedLines(page)).toMatchObject({ visible: true, line: 'line 5' })
    })
  })

  it('work without scripts', async () => {
    const { id } = await site.create(text)
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}#L250`)
        const number = page.getByText('250', { exact: true })
        expect(await number.boundingBox()).toMatchObject({ y: expect.closeTo(180, -2) })
        const [linked, other] = await Promise.all(
          [number, page.getByText('251', { exact: true })].map((each) =>
            each.evaluate((element) => getComputedStyle(element).color),
          ),
        )
        expect(linked).not.toBe(other)
      },
      { javaScriptEnabled: false },
    )
  })
})

describe('wrapped lines', () => {
  it('keep their numbers beside them, and stay wrapped on the next visit', async () => {
    const { id } = await site.create(`${'long words '.repeat(200)}\nsecond\n${'x'.repeat(3_000)}\nfourth\n`)
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        await press(page, 'Wrap')
        expect(
          await page.evaluate(() => document.querySelector('section.text')?.scrollWidth),
        ).toBeLessThanOrEqual(390)
        await page.goto(`/${id}#L4`)
        await page.reload()
        expect(await page.getByRole('button', { name: 'Wrap' }).getAttribute('aria-pressed')).toBe('true')
        await page.locator('.wrapped-numbers span', { hasText: '4' }).waitFor()
        await expect.poll(() => getLinkedLines(page)).toMatchObject({ visible: true, line: 'fourth' })
        const distance = await page.evaluate(() => {
          const mark = document.querySelector('.numbers .linked-lines')?.getBoundingClientRect().top ?? 0
          const number = [...document.querySelectorAll('.wrapped-numbers span')].find(
            ({ textContent }) => textContent === '4',
          )
          return Math.abs((number?.getBoundingClientRect().top ?? 1e9) - mark)
        })
        expect(distance).toBeLessThan(2)
      },
      { viewport: { width: 390, height: 844 } },
    )
  })
})

describe('a large document', () => {
  it.each([
    ['200,000 lines of 10 MiB', (line: number) => `${line} ${'the quick brown fox '.repeat(3)}`.slice(0, 51)],
    ['200,000 short lines', (line: number) => `${line} x`],
  ])('of %s opens at its last line, scrolls and wraps without freezing', async (_, toLine) => {
    const text = `${Array.from({ length: 200_000 }, (_, index) => toLine(index + 1)).join('\n')}\n`
    const { id } = await site.create(text, { language: 'typescript' })
    await withWatchedPage(site, async (page) => {
      const waitForMark = () =>
        page.waitForFunction(() => !document.querySelector<HTMLElement>('.linked-lines')?.hidden)
      await page.goto(`/${id}#L200000`)
      await waitForMark()
      await expect
        .poll(() => getLinkedLines(page), UNTIL_LAID_OUT)
        .toMatchObject({ visible: true, line: toLine(200_000) })
      await page.evaluate(() => {
        location.hash = '#L100000-L100001'
      })
      await page.waitForFunction(() => scrollY < document.documentElement.scrollHeight / 1.5)
      await expect
        .poll(() => getLinkedLines(page), UNTIL_LAID_OUT)
        .toMatchObject({ visible: true, height: 2 * LINE_HEIGHT, line: toLine(100_000) })
      for (let turn = 0; turn < 10; turn++) {
        await page.mouse.wheel(0, 20_000)
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
      }
      await page.evaluate(() => {
        location.hash = '#L150000'
      })
      await waitForMark()
      // Not by mouse, which would wait until the page stops scrolling.
      await getTools(page)
        .getByRole('button', { name: 'Wrap' })
        .evaluate((button) => (button as HTMLElement).click())
      await goToLine(page, '123456')
      await page.waitForFunction(() => location.hash === '#L123456')
      await page.locator('.wrapped-numbers span', { hasText: '123456' }).waitFor()
      await expect
        .poll(() => getLinkedLines(page), UNTIL_LAID_OUT)
        .toMatchObject({ visible: true, line: toLine(123_456) })
      expect((await shownText(page)) === text).toBe(true)
      expect(await getFreezes(page)).toEqual([])
    })
  })
})
