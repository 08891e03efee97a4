import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectCompleteInLooks, getCopied } from '../support/browser.ts'
import { holdScript } from '../support/code-editor-page.ts'
import { enterPassword, openTestSite } from '../support/test-site.ts'
import { press } from '../support/viewer-page.ts'

const site = await openTestSite()

const CSV = 'name,amount,"a note"\nb,10,"x, y"\na,9,\nc,100,z\n'

const table = (page: Page) => page.getByRole('table')
const filter = (page: Page) => page.getByRole('searchbox', { name: 'Filter rows' })

const getColumn = (page: Page, column: number) =>
  table(page)
    .locator(`tbody td:nth-child(${column + 1})`)
    .allTextContents()

describe('a table', () => {
  it('leaves its source alone when the display changes', async () => {
    const { id } = await site.create(`a,b\n${'a cell,another cell\n'.repeat(20_000)}`, { language: 'csv' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await filter(page).waitFor()
      const { length } = await page.locator('code > .chunk').all()
      expect(length).toBeGreaterThan(20)
      const wasWrapped = await page.locator('section.text.wrapped').count()
      await page.keyboard.press('w')
      await expect.poll(() => page.locator('section.text.wrapped').count()).toBe(1 - wasWrapped)
      expect(await page.locator('code > .chunk[style*="hidden"]').count()).toBe(0)
    })
  })

  it('is shown with its numbers on the right, sorted by a click, and has its source beside it', async () => {
    const { id } = await site.create(CSV, { language: 'csv' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await filter(page).waitFor()
      expect(await table(page).getByRole('columnheader').allTextContents()).toEqual([
        'name',
        'amount',
        'a note',
      ])
      const amount = table(page).getByRole('cell', { name: '100', exact: true })
      expect(await amount.evaluate((cell) => getComputedStyle(cell).textAlign)).toBe('right')
      const header = table(page).getByRole('button', { name: 'amount' })
      await header.focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => getColumn(page, 2)).toEqual(['9', '10', '100'])
      await header.click()
      await expect.poll(() => getColumn(page, 2)).toEqual(['100', '10', '9'])
      expect(await table(page).getByRole('columnheader', { name: 'amount' }).getAttribute('aria-sort')).toBe(
        'descending',
      )
      await header.click()
      await expect.poll(() => getColumn(page, 1)).toEqual(['b', 'a', 'c'])
      await filter(page).fill('X,')
      await page.getByText('1 of 3 rows').waitFor()
      expect(await getColumn(page, 3)).toEqual(['x, y'])
      await expectCompleteInLooks(page)
      await page.getByRole('button', { name: 'Source' }).click()
      expect(await page.locator('code#text').textContent()).toBe(CSV)
      expect(await table(page).count()).toBe(0)
    })
  })

  it('keeps its first rows and columns in their places when a script replaces them, on a touch screen', async () => {
    const { id } = await site.create(CSV, { language: 'csv' })
    await site.withPage(
      async (page) => {
        const getPlaces = () =>
          table(page)
            .locator('th, td')
            .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().toJSON()))
        const release = await holdScript(page, 'viewer')
        await page.goto(`/${id}`, { waitUntil: 'commit' })
        await page.getByRole('contentinfo').waitFor()
        const before = await getPlaces()
        release()
        await filter(page).waitFor()
        expect(await getPlaces()).toEqual(before)
      },
      { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    )
  })

  it('appears once its filter has its styles', async () => {
    const { id } = await site.create(CSV, { language: 'csv' })
    await site.withPage(async (page) => {
      await page.route('**/assets/immutable/document-extras-*.css', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        await route.continue()
      })
      await page.goto(`/${id}`, { waitUntil: 'commit' })
      await filter(page).waitFor()
      expect(await filter(page).evaluate((field) => getComputedStyle(field).minHeight)).toBe('30px')
    })
  })

  it('appears without its styles if they can’t be loaded', async () => {
    const { id } = await site.create(CSV, { language: 'csv' })
    await site.withPage(async (page) => {
      await page.route('**/assets/immutable/document-extras-*.css', (route) => route.abort())
      await page.goto(`/${id}`)
      await filter(page).waitFor()
    })
  })

  it('leaves no first rows above the source, if that is shown at once', async () => {
    const { id } = await site.create(CSV, { language: 'csv' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}#L2`)
      await page.getByRole('button', { name: 'Source', pressed: true }).waitFor()
      await expect.poll(() => table(page).count()).toBe(0)
      await page.evaluate((id) => localStorage.setItem('languages', JSON.stringify([[id, 'plaintext']])), id)
      await page.goto(`/${id}?`)
      await page.locator('#shown-language', { hasText: 'Plain text' }).waitFor()
      expect(await page.locator('code#text').isVisible()).toBe(true)
      await expect.poll(() => table(page).count()).toBe(0)
    })
  })

  it('of a hundred thousand rows is scrolled, sorted and filtered', async () => {
    const rows = Array.from(
      { length: 100_000 },
      (_, row) => `${row + 1},name ${(row * 7_919) % 100_000},${row % 97}\n`,
    )
    const { id } = await site.create(`id,name,value\n${rows.join('')}`, { language: 'csv' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.getByText('100,000 rows').waitFor()
      expect(await table(page).locator('tr').count()).toBeLessThan(300)
      const scroller = page.locator('.table-scroller')
      await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      await table(page).getByRole('cell', { name: 'name 92081', exact: true }).waitFor()
      const header = await table(page).getByRole('button', { name: 'name' }).boundingBox()
      expect(header?.y).toBeCloseTo((await scroller.boundingBox())?.y ?? 0, -1)
      await table(page).getByRole('button', { name: 'name' }).click()
      await scroller.evaluate((element) => element.scrollTo(0, 0))
      await expect.poll(async () => (await getColumn(page, 2))[0]).toBe('name 0')
      await filter(page).fill('name 99999')
      await page.getByText('1 of 100,000 rows').waitFor()
    })
  })

  it('is read anew when the reader chooses another language', async () => {
    const { id } = await site.create('a,b\tc\n1,2\t3\n', { language: 'csv' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await filter(page).waitFor()
      const getNames = () => table(page).getByRole('columnheader').allTextContents()
      expect(await getNames()).toEqual(['a', 'b\tc'])
      await press(page, 'Display')
      await page.getByLabel('Language').selectOption('tsv')
      await expect.poll(getNames).toEqual(['a,b', 'c'])
      await press(page, 'Source')
      await press(page, 'Display')
      await page.getByLabel('Language').selectOption('csv')
      await press(page, 'Table')
      await expect.poll(getNames).toEqual(['a', 'b\tc'])
    })
  })

  it('is shown once it is decrypted', async () => {
    const { id, password = '' } = await site.create(CSV, { encrypted: true, language: 'csv' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await enterPassword(page, password)
      await filter(page).waitFor()
      expect(await getColumn(page, 1)).toEqual(['b', 'a', 'c'])
      expect(await page.locator('h1').textContent()).toBe('CSV, 4 lines')
    })
  })
})

describe('JSON', () => {
  const TEXT = '{"id":12345678901234567890,"user":{"first name":"Ada","tags":["x","y"]}}'

  it('on one line starts as a tree, which folds, and copies paths and the formatted text', async () => {
    const { id } = await site.create(`${TEXT.slice(0, -1)},"more":"${'x'.repeat(80)}"}`, { language: 'json' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const rows = page.locator('.json-row')
      await rows.first().waitFor()
      expect(await rows.nth(1).textContent()).toBe('"id": 12345678901234567890,')
      await page.getByRole('button', { name: '"first name"' }).click()
      await page.getByText('Copied .user["first name"]').waitFor()
      expect(getCopied(page)).toBe('.user["first name"]')
      const fold = rows.nth(4).getByRole('button', { expanded: true })
      await fold.focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => rows.nth(4).textContent()).toBe('"tags": […]2 values')
      expect(await page.evaluate(() => document.activeElement?.ariaExpanded)).toBe('false')
      await expectCompleteInLooks(page)
      await page.getByRole('button', { name: 'Copy formatted' }).click()
      await page.getByText('Copied.', { exact: true }).waitFor()
      expect(getCopied(page)).toContain(
        '{\n  "id": 12345678901234567890,\n  "user": {\n    "first name": "Ada",',
      )
    })
  })

  it('that is formatted starts as its source, and a text that is none says so', async () => {
    const { id } = await site.create(JSON.stringify(JSON.parse(TEXT), null, 2), { language: 'json' })
    const { id: broken } = await site.create('{"a": }', { language: 'json' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'Source', pressed: true }).waitFor()
      await page.getByRole('button', { name: 'Tree' }).click()
      await page.locator('.json-row').first().waitFor()
      expect(new URL(page.url()).search).toBe('?view=tree')
      await page.goto(`/${broken}`)
      await page.getByRole('button', { name: 'Tree' }).click()
      await page.getByText('This isn’t valid JSON.').waitFor()
      await page.getByRole('button', { name: 'Source', pressed: true }).waitFor()
    })
  })

  it('keeps the focus while other rows are loaded', async () => {
    const { id } = await site.create(JSON.stringify([...Array(5_000).keys()]), { language: 'json' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: '20:', exact: true }).focus()
      const scroller = page.locator('.json-scroller')
      const scrollTo = async (row: number) => {
        await scroller.evaluate((element, row) => {
          const height = element.querySelector('.json-row')?.getBoundingClientRect().height ?? 0
          element.scrollTo(0, row * height)
        }, row)
        await page.getByRole('button', { name: `${row + 30}:`, exact: true }).waitFor()
      }
      const getFocused = () => page.evaluate(() => document.activeElement?.textContent)
      await scrollTo(55)
      expect(await getFocused()).toBe('20: ')
      await page.keyboard.press('Tab')
      expect(await getFocused()).toBe('21: ')
      await scrollTo(3_000)
      expect(await scroller.evaluate((element) => element === document.activeElement)).toBe(true)
    })
  })

  it('of ten million characters is unfolded and scrolled', async () => {
    const text = JSON.stringify(
      Array.from({ length: 80_000 }, (_, id) => ({
        id,
        name: `name ${id}`,
        tags: ['a', 'b'],
        text: 'x'.repeat(60),
      })),
    )
    const { id } = await site.create(text, { language: 'json' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.locator('.json-row').nth(20).waitFor()
      const scroller = page.locator('.json-scroller')
      await page.getByRole('button', { name: 'Expand all' }).click()
      await expect.poll(() => page.locator('.json-row').nth(2).textContent()).toBe('"id": 0,')
      await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      await page.getByText('"name 79999"', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Collapse all' }).click()
      await page.locator('.json-row', { hasText: '79999: {…}' }).waitFor()
    })
  })
})
