import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectComplete, FROZEN_MS, startBrowser, watchPage } from './support/browser.ts'
import { createDocument, demoKey } from './support/documents.ts'
import { type Service, startService } from './support/service.ts'

let service: Service
let browser: Browser

beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), startBrowser()])
})

afterAll(async () => {
  await browser.close()
  await service.stop()
})

const create = async (content: string, settings: object = {}): Promise<string> =>
  (await createDocument(service, demoKey(service), content, settings)).id

const withPage = (journey: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) =>
  watchPage(browser, service.base, options, journey)

const field = (page: Page) => page.getByLabel('Find')

const said = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor()

/** The place that is gone to: its text, the line that it is in, whether it is in sight, and how many are marked. */
const here = (page: Page) =>
  page.evaluate(() => {
    const [found] = CSS.highlights.get('found-here') ?? []
    if (!found) return null
    const range = document.createRange()
    range.setStart(found.startContainer, found.startOffset)
    range.setEnd(found.endContainer, found.endOffset)
    const { top, bottom, left, right } = range.getBoundingClientRect()
    const text = found.startContainer.textContent ?? ''
    const start = text.lastIndexOf('\n', found.startOffset - 1) + 1
    return {
      found: range.toString(),
      line: text.slice(start, start + 20).split('\n')[0],
      seen: top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth,
      marked: CSS.highlights.get('found')?.size,
    }
  })

describe('what is typed', () => {
  it('is found whatever its case, one place after the other and back', async () => {
    const filler = Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\n')
    const id = await create(`Needle\n${filler}\nneedle needle\n${filler}\nNEEDLE (a+b)`)
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await field(page).fill('needle')
      await said(page, '1 of 4.')
      expect(await here(page)).toEqual({ found: 'Needle', line: 'Needle', seen: true, marked: 1 })
      await page.keyboard.press('Enter')
      await said(page, '2 of 4.')
      await expect.poll(() => here(page)).toMatchObject({ line: 'needle needle', seen: true, marked: 2 })
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByRole('button', { name: 'Next' }).click()
      await said(page, '4 of 4.')
      await expect.poll(() => here(page)).toMatchObject({ found: 'NEEDLE', seen: true })
      await page.getByRole('button', { name: 'Next' }).click()
      await said(page, '1 of 4.')
      await page.getByRole('button', { name: 'Previous' }).click()
      await said(page, '4 of 4.')
      await field(page).fill('(a+b)')
      await said(page, '1 of 1.')
      await field(page).fill('nowhere')
      await said(page, 'It is not in the text.')
      expect(await here(page)).toBeNull()
      await field(page).fill('line 7')
      await page.keyboard.press('Shift+Enter')
      await page.keyboard.press('Escape')
      expect(await field(page).inputValue()).toBe('')
      expect(await here(page)).toBeNull()
    })
  })

  it('is brought into sight from the end of a long line, on a phone', async () => {
    const id = await create(`${'x'.repeat(5_000)} needle ${'y'.repeat(5_000)}\nshort\n`)
    await withPage(
      async (page) => {
        await page.goto(`/${id}`)
        await field(page).fill('needle')
        await said(page, '1 of 1.')
        await expect.poll(() => here(page)).toMatchObject({ found: 'needle', seen: true })
        await expectComplete(page)
        await field(page).press('Escape')
        await page.getByRole('button', { name: 'Wrap' }).click()
        await field(page).fill('needle')
        await said(page, '1 of 1.')
        await expect.poll(() => here(page)).toMatchObject({ found: 'needle', seen: true })
      },
      { viewport: { width: 390, height: 844 } },
    )
  })

  it('is found in the source of rendered Markdown, and in a log without its escapes', async () => {
    const markdown = await create('# Title\n\n**needle**\n', { language: 'markdown' })
    const log = await create('\x1B[31mnee\x1B[32mdle\x1B[0m\n', { language: 'log' })
    await withPage(async (page) => {
      await page.goto(`/${markdown}`)
      await page.getByRole('button', { name: 'Rendered' }).click()
      await page.locator('article.rendered h2').waitFor()
      await field(page).fill('needle')
      await said(page, '1 of 1.')
      await page.locator('code#text').waitFor()
      await page.goto(`/${log}`)
      await page.getByRole('button', { name: 'Colours', pressed: true }).waitFor()
      await field(page).fill('needle')
      await said(page, '1 of 1.')
      await page.getByRole('button', { name: 'Colours' }).click()
      await said(page, 'It is not in the text.')
    })
  })

  it('is found in a text that was opened in the browser', async () => {
    const { id, password = '' } = await createDocument(service, demoKey(service), 'a needle\n', {
      encrypted: true,
    })
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await field(page).fill('NEEDLE')
      await said(page, '1 of 1.')
      expect(await here(page)).toMatchObject({ found: 'needle', seen: true })
    })
  })

  it('is found on the last of 200,000 lines, while the page goes on', async () => {
    const lines = Array.from(
      { length: 200_000 },
      (_, index) => `${index + 1} ${'lorem ipsum dolor '.repeat(2)}`,
    )
    const id = await create(`${lines.join('\n')}\nneedle`)
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.evaluate(() => {
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries())
            document.title = String(Math.max(+document.title || 0, duration))
        }).observe({ type: 'longtask' })
      })
      await field(page).fill('needle')
      await said(page, '1 of 1.')
      await expect.poll(() => here(page), { timeout: 10_000 }).toMatchObject({ found: 'needle', seen: true })
      await field(page).fill('o')
      await said(page, '1 of the first 10,000.')
      expect(await page.evaluate(() => Number(document.title) || 0)).toBeLessThan(FROZEN_MS)
    })
  })
})
