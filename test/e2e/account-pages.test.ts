import { describe, it } from 'vitest'
import { expectCompleteInLooks } from './support/browser.ts'
import { openTestSite } from './support/test-site.ts'

const site = await openTestSite()

describe('every page of an account is accessible and fits', () => {
  it('while signing up', async () => {
    await site.withPage(async (page) => {
      await page.goto('/sign-up')
      await page.getByLabel('Email').fill('looker@example.org')
      await page.getByLabel('Username').fill('demo')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await expectCompleteInLooks(page)
      await page.getByLabel('Username').fill('looker')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
      await expectCompleteInLooks(page)
      const link = await site.service.mailedLink('looker@example.org')
      await page.context().clearCookies()
      await page.goto(link)
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      await expectCompleteInLooks(page)
    })
  })

  it('while signing in fails', async () => {
    await site.withPage(async (page) => {
      for (const path of ['/sign-in?error=access_denied', '/sign-in/link?token=none']) {
        await page.goto(path)
        await expectCompleteInLooks(page)
      }
    })
  })

  it('while signed in', async () => {
    await site.withPage(
      async (page) => {
        for (const path of ['/account/profile', '/sign-out']) {
          await page.goto(path)
          await expectCompleteInLooks(page)
        }
        await page.goto('/account')
        await page.getByLabel('Name').fill('looked at')
        await page.keyboard.press('Enter')
        await page.getByText(/^imperial_/).waitFor()
        await expectCompleteInLooks(page)
        await page.getByRole('button', { name: 'Revoke' }).first().click()
        await page.getByRole('dialog').waitFor()
        await expectCompleteInLooks(page)
      },
      await site.signIn('signed-in-looker'),
    )
  })
})
