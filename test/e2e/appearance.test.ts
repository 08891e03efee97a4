import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectComplete, LOOKS } from './support/browser.ts'
import { openTestSite } from './support/test-site.ts'

const site = await openTestSite()

const withPage = (options: BrowserContextOptions, journey: (page: Page) => Promise<void>) =>
  site.withPage(journey, options)

const isDark = (page: Page) =>
  page.evaluate(() => {
    const [red = 255] = (getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g) ?? []).map(
      Number,
    )
    return red < 128
  })

const choose = (page: Page, theme: string) => page.getByRole('button', { name: theme, exact: true }).click()

const pressed = (page: Page) => page.locator('.theme [aria-pressed="true"]').textContent()

describe.each([
  ['with scripts', {}],
  ['without scripts', { javaScriptEnabled: false }],
] as const)('%s', (_, options) => {
  it('a chosen theme overrides the system theme until it is reset', async () => {
    await withPage({ ...options, colorScheme: 'light' }, async (page) => {
      await page.goto('/sign-in?return=%2Faccount')
      expect(await isDark(page)).toBe(false)
      await choose(page, 'Dark')
      await page.locator('html[data-theme="dark"]').waitFor()
      expect(await isDark(page)).toBe(true)
      expect(page.url()).toBe(`${site.service.base}/sign-in?return=%2Faccount`)
      await page.goto('/about')
      expect({ dark: await isDark(page), pressed: await pressed(page) }).toEqual({
        dark: true,
        pressed: 'Dark',
      })
      await choose(page, 'System')
      await page.locator('html:not([data-theme])').waitFor()
      await page.goto('/sign-in')
      expect({ dark: await isDark(page), pressed: await pressed(page) }).toEqual({
        dark: false,
        pressed: 'System',
      })
    })
  })

  it('a response already has the chosen theme, so that nothing flashes', async () => {
    await withPage({ ...options, colorScheme: 'dark' }, async (page) => {
      await page.goto('/about')
      await choose(page, 'Light')
      await page.locator('html[data-theme="light"]').waitFor()
      const response = await page.goto('/sign-up')
      expect(await response?.text()).toContain('<html lang="en" data-theme="light">')
      expect(await isDark(page)).toBe(false)
    })
  })
})

describe('with scripts', () => {
  it('choosing a theme keeps what was typed, and the server replaces the cookie of the script', async () => {
    await withPage({}, async (page) => {
      await page.goto('/sign-up')
      await page.getByLabel('Username').fill('half-typed')
      const answered = page.waitForResponse((response) => response.url().endsWith('/theme'))
      await choose(page, 'Dark')
      await answered
      expect(await page.getByLabel('Username').inputValue()).toBe('half-typed')
      await expect
        .poll(async () =>
          (await page.context().cookies()).map(({ name, value, expires }) => [name, value, expires > 0]),
        )
        .toEqual([['theme', 'dark', true]])
    })
  })

  it('the theme can be switched on a page that shows a form error', async () => {
    await withPage({}, async (page) => {
      await page.goto('/sign-in')
      await page.getByLabel('Email').fill('not-an-address@x')
      await page.getByRole('button', { name: 'Send sign-in link' }).click()
      await page.getByRole('alert').waitFor()
      // Without the script, the button would lead to the page as it was before the form.
      await page.waitForLoadState()
      await choose(page, 'Dark')
      await page.locator('html[data-theme="dark"]').waitFor()
      expect(await isDark(page)).toBe(true)
      expect(await page.getByRole('alert').isVisible()).toBe(true)
      await expectComplete(page)
    })
  })
})

describe('a printed document', () => {
  const text = `${'a line that is much longer than any paper is wide '.repeat(10)}\nshort\n\n<b>last</b> 😀\n`

  const withPrinted = async (
    options: BrowserContextOptions,
    check: (page: Page, id: string) => Promise<void>,
  ) => {
    const response = await fetch(`${site.service.base}/v1/document`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ content: text }),
    })
    const { data } = (await response.json()) as { data: { id: string } }
    await withPage(
      { ...options, colorScheme: 'dark', viewport: { width: 700, height: 900 } },
      async (page) => {
        await page.goto(`/${data.id}`)
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
        expect(await isDark(page)).toBe(false)
        expect(await page.getByRole('navigation').count()).toBe(0)
        expect(await page.getByRole('button').count()).toBe(0)
        expect(await page.getByText(`${site.service.base}/${data.id}`).isVisible()).toBe(true)
        expect(await page.locator('.text').evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
        await check(page, data.id)
      },
    )
  }

  it('is black on white, with wrapped lines and their numbers', async () => {
    await withPrinted({}, async (page) => {
      await page.locator('.print-lines').waitFor()
      expect(await page.locator('.text li').allTextContents()).toEqual(text.split('\n').slice(0, 4))
      expect(await page.locator('.text code').isVisible()).toBe(false)
      await page.emulateMedia({ media: 'screen' })
      await page.locator('.print-lines').waitFor({ state: 'detached' })
      expect(await page.locator('.text code').isVisible()).toBe(true)
    })
  })

  it('is complete without scripts, too', async () => {
    await withPrinted({ javaScriptEnabled: false }, async (page) => {
      expect((await page.locator('.text code').innerText()).trimEnd()).toBe(text.trimEnd())
      expect(await page.locator('.numbers').isVisible()).toBe(false)
    })
  })
})

describe('pages in the chosen theme', () => {
  it.each(LOOKS)('are accessible and fit: %s, %i pixels wide', async (theme, width) => {
    const place = { domain: '127.0.0.1', path: '/', expires: -1, httpOnly: false, secure: false }
    const chosen = { ...place, name: 'theme', value: theme, sameSite: 'Lax' as const }
    const options: BrowserContextOptions = {
      colorScheme: theme === 'dark' ? 'light' : 'dark',
      viewport: { width, height: 844 },
      storageState: { cookies: [chosen], origins: [] },
    }
    await withPage(options, async (page) => {
      for (const path of ['/', '/no/where']) {
        await page.goto(path)
        expect(await isDark(page)).toBe(theme === 'dark')
        await expectComplete(page)
      }
    })
  })
})

describe('with forced colours', () => {
  it('the pressed theme is visible, and highlighted code does not look selected', async () => {
    await withPage({ forcedColors: 'active' }, async (page) => {
      await page.goto('/about')
      const getColour = (name: string) =>
        page
          .getByRole('button', { name, exact: true })
          .evaluate((button) => getComputedStyle(button).backgroundColor)
      expect(await getColour('System')).not.toBe(await getColour('Light'))
      const response = await page.request.post('/v1/document', { data: { content: 'const a = 1' } })
      const { data } = (await response.json()) as { data: { id: string } }
      await page.goto(`/${data.id}`)
      const adjusted = await page
        .locator('#text')
        .evaluate((code) => getComputedStyle(code).forcedColorAdjust)
      expect(adjusted).toBe('none')
      await expectComplete(page)
    })
  })

  it('wrapped lines have only their own numbers next to them', async () => {
    await withPage({ forcedColors: 'active' }, async (page) => {
      const content = 'a line that is longer than any window is wide '.repeat(20).concat('\nshort')
      const response = await page.request.post('/v1/document', { data: { content } })
      const { data } = (await response.json()) as { data: { id: string } }
      await page.goto(`/${data.id}`)
      await page.getByRole('button', { name: 'Wrap' }).click()
      await page.locator('.wrapped-numbers').first().waitFor()
      const getColour = (selector: string) =>
        page.locator(selector).evaluate((numbers) => getComputedStyle(numbers).color)
      expect(await getColour('pre.numbers')).toBe('rgba(0, 0, 0, 0)')
      expect(await getColour('.wrapped-numbers')).not.toBe('rgba(0, 0, 0, 0)')
      await expectComplete(page)
    })
  })
})
