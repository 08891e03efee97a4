import { describe, expect, it } from 'vitest'
import { expectCompleteInLooks } from '../support/browser.ts'
import { openTestSite } from '../support/test-site.ts'
import { getTools, press } from '../support/viewer-page.ts'

const site = await openTestSite()

const createText = (headings: number) =>
  Array.from({ length: headings }, (_, index) => {
    const number = index + 1
    return `${number % 2 === 1 ? '##' : '###'} Part ${number}\n\n${'A sentence with [a link](#part-1).\n\n'.repeat(20)}`
  }).join('')

describe('the outline of Markdown', () => {
  it('lists its headings, marks where the reader is, and leads there by keyboard, on a phone too', async () => {
    const { id } = await site.create(`# Title\n\n${createText(40)}`, { language: 'markdown' })
    for (const viewport of [
      { width: 1_280, height: 800 },
      { width: 360, height: 640 },
    ])
      await site.withPage(
        async (page) => {
          await page.goto(`/${id}`)
          await page.locator('article.rendered').waitFor()
          await page.keyboard.press('Shift')
          const outline = page.getByRole('navigation', { name: 'Outline' })
          const opener = getTools(page).getByRole('button', { name: 'Outline' })
          await opener.focus()
          await page.keyboard.press('Enter')
          await outline.waitFor()
          const links = outline.getByRole('link')
          await expect.poll(() => links.count()).toBe(41)
          expect((await links.allTextContents()).slice(0, 3)).toEqual(['Title', 'Part 1', 'Part 2'])
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
          expect((await getTools(page).boundingBox())?.height).toBeLessThan(60)
          const { x, width, y, height } = (await outline.boundingBox()) ?? {
            x: -1,
            width: 0,
            y: -1,
            height: 0,
          }
          expect(x).toBeGreaterThanOrEqual(0)
          expect(x + width).toBeLessThanOrEqual(viewport.width)
          expect(y + height).toBeLessThanOrEqual(viewport.height)
          await expectCompleteInLooks(page)
          await links.nth(30).focus()
          await page.keyboard.press('Enter')
          await outline.waitFor({ state: 'hidden' })
          await expect.poll(() => new URL(page.url()).hash).toBe('#part-30')
          await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Part 30')
          await press(getTools(page), 'Outline')
          expect(await outline.locator('[aria-current]').textContent()).toBe('Part 30')
          await page.keyboard.press('Escape')
          await outline.waitFor({ state: 'hidden' })
          await page.getByRole('button', { name: 'Source' }).click()
          await opener.waitFor({ state: 'detached' })
        },
        { viewport },
      )
  })

  it('isn’t there for three headings', async () => {
    const { id } = await site.create(createText(3), { language: 'markdown' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.locator('article.rendered').waitFor()
      await page.keyboard.press('Shift')
      await page.getByRole('heading', { name: 'Part 3' }).waitFor()
      expect(await page.getByRole('button', { name: 'Outline' }).count()).toBe(0)
    })
  })
})
