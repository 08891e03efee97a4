import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible } from './support/browser.ts'
import { openTestSite } from './support/test-site.ts'

const site = await openTestSite()

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

async function getGroups(page: Page): Promise<string[]> {
  await page.keyboard.press('?')
  await dialog(page).waitFor()
  const groups = await dialog(page).getByRole('heading', { level: 3 }).allTextContents()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  return groups
}

describe('the key ?', () => {
  it('lists the keys of the page, but not while somebody types', async () => {
    const { id } = await site.create('ERROR one\nWARN two\n', { language: 'log' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.locator('.log-bar').waitFor({ state: 'attached' })
      expect(await getGroups(page)).toEqual(['Document', 'Log', 'Everywhere'])
      await page.getByRole('button', { name: 'Find' }).click()
      await page.keyboard.type('?')
      expect(await page.getByRole('searchbox', { name: 'Find in text' }).inputValue()).toBe('?')
      expect(await dialog(page).count()).toBe(0)
      await page.goto('/explore')
      expect(await getGroups(page)).toEqual(['List', 'Everywhere'])
      await page.goto('/')
      await page.locator('.cm-content').waitFor()
      await page.keyboard.type('why?')
      expect(await page.locator('.cm-content').textContent()).toContain('why?')
      await page.getByRole('link', { name: 'About' }).focus()
      expect(await getGroups(page)).toEqual(['Editor', 'Everywhere'])
    })
  })

  it('lists them once if it is pressed twice quickly', async () => {
    const { id } = await site.create('x')
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.evaluate(() => {
        for (let presses = 0; presses < 2; presses++)
          dispatchEvent(new KeyboardEvent('keydown', { key: '?' }))
      })
      await dialog(page).waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.locator('dialog#keys').count()).toBe(1)
    })
  })

  it('has a button in a menu, from which the keyboard goes on after the list', async () => {
    const { id } = await site.create('x')
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const menu = page.getByRole('button', { name: 'Display' })
      await menu.press('Enter')
      await page.locator('#display').getByRole('button', { name: 'Show' }).press('Enter')
      await dialog(page).waitFor()
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true)
    })
  })

  it('does nothing where single keys are turned off', async () => {
    const { id } = await site.create('x')
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'Display' }).click()
      await page.getByRole('checkbox', { name: /Keyboard shortcuts/ }).uncheck()
      await page.keyboard.press('Escape')
      await page.locator('h1').click()
      const loaded = page.waitForResponse((response) => response.url().endsWith('.js'))
      await page.keyboard.press('?')
      await loaded
      await page.waitForLoadState('networkidle')
      expect(await dialog(page).count()).toBe(0)
    })
  })
})
