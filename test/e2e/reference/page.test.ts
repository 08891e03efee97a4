import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectCompleteInLooks } from '../support/browser.ts'
import { recordCopies } from '../support/clipboard.ts'
import { openTestSite } from '../support/test-site.ts'

const site = await openTestSite()

/** Returns the languages whose examples of creating a document are visible. */
const getVisibleLanguages = async (page: Page): Promise<string[]> => {
  const languages = ['curl', 'javascript', 'python']
  const visible = await Promise.all(
    languages.map((language) => page.locator(`#create-${language}`).isVisible()),
  )
  return languages.filter((_, index) => visible[index])
}

describe('the reference', () => {
  it('is accessible and fits the window, at every width and in every colour scheme', async () => {
    await site.withPage(async (page) => {
      await page.goto('/docs')
      for (const errors of await page.locator('.operation details').all())
        await errors.evaluate((details) => details.setAttribute('open', ''))
      await expectCompleteInLooks(page)
    })
  })

  it('shows examples in the language chosen by keyboard, without scripts', async () => {
    await site.withPage(
      async (page) => {
        await page.goto('/docs')
        expect(await getVisibleLanguages(page)).toEqual(['curl'])
        await page.getByRole('radio', { name: 'curl' }).focus()
        await page.keyboard.press('ArrowRight')
        await page.locator('#create-javascript').waitFor()
        expect(await getVisibleLanguages(page)).toEqual(['javascript'])
        await page.keyboard.press('ArrowRight')
        await page.locator('#create-python').waitFor()
        expect(await getVisibleLanguages(page)).toEqual(['python'])
      },
      { javaScriptEnabled: false },
    )
  })

  it('links from its contents to each operation, and from there to objects', async () => {
    await site.withPage(async (page) => {
      await page.goto('/docs')
      const anchors = await page
        .locator('main a[href^="#"]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
      expect(anchors).toContain('#createDocument')
      expect(anchors).toContain('#CreatedDocument')
      const missing = await page.evaluate(
        (hrefs) => hrefs.filter((href) => !document.getElementById(href.slice(1))),
        anchors,
      )
      expect(missing).toEqual([])
    })
  })

  it('has unique ids', async () => {
    const html = await (await fetch(`${site.service.base}/docs`)).text()
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('copies an example', async () => {
    await site.withPage(
      async (page) => {
        const getCopied = await recordCopies(page)
        await page.goto('/docs')
        // The script shows the button.
        await page.getByRole('button', { name: 'Copy: Share a text', exact: true }).click()
        await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor()
        expect(getCopied()).toBe(await page.locator('#create-curl').textContent())
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    )
  })
})
