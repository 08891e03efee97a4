import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openTestSite } from '../support/test-site.ts'
import { press } from '../support/viewer-page.ts'

const site = await openTestSite()
const one = await site.create('value = 1\n', { language: 'ruby' })
const other = await site.create('value: 2\n', { language: 'yaml' })

const language = (page: Page) => page.locator('#shown-language')

async function openDisplayMenu(page: Page): Promise<void> {
  await press(page, 'Display')
  await page.getByLabel('Language').waitFor()
}

/** Waits until the page has the chosen theme, text size and wrapping, and its menu says so. */
async function expectChosenDisplay(page: Page): Promise<void> {
  await page.locator('html[data-theme="sand"] section.text.wrapped.size-18').waitFor()
  await page.getByRole('button', { name: 'Wrap', pressed: true }).waitFor()
  await openDisplayMenu(page)
  expect(await page.locator('.font-size output').textContent()).toBe('18 px')
  expect(await page.locator('#display').getByRole('button', { name: 'Sand', pressed: true }).count()).toBe(1)
  expect(await page.getByLabel('Keyboard shortcuts').isChecked()).toBe(false)
}

describe('display settings', () => {
  it('are remembered after a reload and on other documents, except the language', async () => {
    await site.withPage(
      async (page) => {
        await page.goto(`/${one.id}`)
        await openDisplayMenu(page)
        await page.getByLabel('Language').selectOption('python')
        await language(page).filter({ hasText: 'Python' }).waitFor()
        await press(page, 'Larger')
        await press(page, 'Larger')
        await page.getByLabel('Keyboard shortcuts').uncheck()
        await page.locator('#display').getByRole('button', { name: 'Sand' }).click()
        await page.locator('html[data-theme="sand"]').waitFor()
        expect(await page.locator('meta[name="theme-color"]').getAttribute('content')).toBe('#f5eedc')
        await page.keyboard.press('Escape')
        await press(page, 'Wrap')
        await page.locator('section.text.wrapped').waitFor()

        await page.reload()
        await language(page).filter({ hasText: 'Python' }).waitFor()
        await expectChosenDisplay(page)
        expect(await page.getByLabel('Language').inputValue()).toBe('python')
        expect(await page.locator('meta[name="theme-color"]').getAttribute('content')).toBe('#f5eedc')

        await page.goto(`/${other.id}`)
        await expectChosenDisplay(page)
        expect(await language(page).textContent()).toBe('YAML')

        await page.getByLabel('Keyboard shortcuts').check()
        await page.locator('#display').getByRole('button', { name: 'System' }).click()
        await page.locator('html:not([data-theme])').waitFor()
        const colours = await page
          .locator('meta[name="theme-color"]')
          .evaluateAll((metas) => metas.map((meta) => meta.getAttribute('content')))
        expect(colours).toEqual(['#f6f7f5', '#0f1413'])
        await page.goto(`/${one.id}`)
        await language(page).filter({ hasText: 'Python' }).waitFor()
        await openDisplayMenu(page)
        await page.getByLabel('Language').selectOption({ index: 0 })
        await language(page).filter({ hasText: 'Ruby' }).waitFor()
      },
      { colorScheme: 'light' },
    )
  })
})
