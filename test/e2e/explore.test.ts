import { beforeAll, describe, expect, it } from 'vitest'
import { addAccount } from './support/accounts.ts'
import { expectComplete, expectCompleteInLooks, watchPage } from './support/browser.ts'
import { createDocument } from './support/documents.ts'
import { type Service, startService } from './support/service.ts'

const AUTHOR = 'explore-author'

let service: Service

beforeAll(async () => {
  service = await startService()
  const { key } = await addAccount(service.folder, AUTHOR)
  for (let number = 1; number <= 26; number++) {
    await createDocument(service, key, `explored ${number}`, { public: true })
  }
  const title = `Explored ${'wide'.repeat(40)} 😀`
  await createDocument(service, key, 'a { color: red }', { public: true, language: 'css', title })
})

describe('the explore page', () => {
  it('leads without scripts, by keyboard, to a language, a search, older documents and an author', async () => {
    await watchPage(service.base, { javaScriptEnabled: false }, async (page) => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Explore' }).click()
      await page.getByLabel('Search titles').focus()
      await page.keyboard.press('Tab')
      await page.getByLabel('Language').selectOption('CSS')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.searchParams.get('language') === 'css')
      expect(await page.getByRole('rowheader').count()).toBe(1)
      await page.goto('/explore')
      await page.getByLabel('Search titles').fill('EXPLORED')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.searchParams.get('search') === 'EXPLORED')
      await page.getByRole('link', { name: 'Older' }).click()
      await page.getByRole('rowheader', { name: 'explored 1', exact: true }).waitFor()
      await page.getByRole('link', { name: AUTHOR }).first().click()
      await page.getByRole('heading', { name: AUTHOR }).waitFor()
      await page.getByRole('rowheader').first().getByRole('link').click()
      await page.getByRole('link', { name: AUTHOR }).waitFor()
    })
  })

  it('is complete in every look and on the narrowest phone, like profiles', async () => {
    await watchPage(service.base, {}, async (page) => {
      for (const path of ['/explore', `/@${AUTHOR}`]) {
        await page.goto(path)
        await expectCompleteInLooks(page)
        await page.setViewportSize({ width: 320, height: 568 })
        await expectComplete(page, ['target-size'])
      }
      await page.goto('/explore?search=nothing-has-this-title')
      await expectComplete(page)
    })
  })
})
