import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectComplete, startBrowser, watchPage } from './support/browser.ts'
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

const withPage = (options: BrowserContextOptions, journey: (page: Page) => Promise<void>) =>
  watchPage(browser, service.base, options, journey)

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
  it('a theme is chosen against the one of the system, remembered, and given up again', async () => {
    await withPage({ ...options, colorScheme: 'light' }, async (page) => {
      await page.goto('/sign-in?return=%2Faccount')
      expect(await isDark(page)).toBe(false)
      await choose(page, 'Dark')
      await page.locator('html[data-theme="dark"]').waitFor()
      expect(await isDark(page)).toBe(true)
      expect(page.url()).toBe(`${service.base}/sign-in?return=%2Faccount`)
      await page.goto('/')
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

  it('the first answer has the theme that was chosen, so nothing flashes', async () => {
    await withPage({ ...options, colorScheme: 'dark' }, async (page) => {
      await page.goto('/')
      await choose(page, 'Light')
      await page.locator('html[data-theme="light"]').waitFor()
      const answer = await page.goto('/sign-up')
      expect(await answer?.text()).toContain('<html lang="en" data-theme="light">')
      expect(await isDark(page)).toBe(false)
    })
  })
})

describe('with scripts', () => {
  it('choosing a theme keeps what was typed, and the cookie of the service replaces that of the script', async () => {
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

  it('an answer to a form has the switch, which changes it in its place', async () => {
    await withPage({}, async (page) => {
      await page.goto('/sign-in')
      await page.getByLabel('E-mail').fill('not-an-address@x')
      await page.getByRole('button', { name: 'Send sign-in link' }).click()
      await page.getByRole('alert').waitFor()
      await choose(page, 'Dark')
      expect(await isDark(page)).toBe(true)
      expect(await page.getByRole('alert').isVisible()).toBe(true)
      await expectComplete(page)
    })
  })
})

describe('on paper', () => {
  const text = `${'a line that is much longer than any paper is wide '.repeat(10)}\nshort\n\n<b>last</b> 😀\n`

  const printed = async (options: BrowserContextOptions, look: (page: Page, id: string) => Promise<void>) => {
    const response = await fetch(`${service.base}/v1/document`, {
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
        expect(await page.getByText(`${service.base}/${data.id}`).isVisible()).toBe(true)
        expect(await page.locator('.text').evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
        await look(page, data.id)
      },
    )
  }

  it('a document is black on white with the numbers of its lines, which wrap', async () => {
    await printed({}, async (page) => {
      await page.locator('.printed').waitFor()
      expect(await page.locator('.text li').allTextContents()).toEqual(text.split('\n').slice(0, 4))
      expect(await page.locator('.text code').isVisible()).toBe(false)
      await page.emulateMedia({ media: 'screen' })
      await page.locator('.printed').waitFor({ state: 'detached' })
      expect(await page.locator('.text code').isVisible()).toBe(true)
    })
  })

  it('all of it is there without scripts too', async () => {
    await printed({ javaScriptEnabled: false }, async (page) => {
      expect((await page.locator('.text code').innerText()).trimEnd()).toBe(text.trimEnd())
      expect(await page.locator('.numbers').isVisible()).toBe(false)
    })
  })
})

describe.each(['light', 'dark'] as const)('every page in the theme that was chosen: %s', (theme) => {
  it.each([390, 1440])('is legible and fits, %i pixels wide', async (width) => {
    const place = { domain: '127.0.0.1', path: '/', expires: -1, httpOnly: false, secure: false }
    const chosen = { ...place, name: 'theme', value: theme, sameSite: 'Lax' as const }
    const options: BrowserContextOptions = {
      colorScheme: theme === 'dark' ? 'light' : 'dark',
      viewport: { width, height: 844 },
      storageState: { cookies: [chosen], origins: [] },
    }
    await withPage(options, async (page) => {
      for (const path of ['/', '/sign-in', '/sign-up', '/sign-out', '/no/where']) {
        await page.goto(path)
        expect(await isDark(page)).toBe(theme === 'dark')
        await expectComplete(page)
      }
    })
  })
})

describe('in colours that somebody has chosen for everything', () => {
  it('which theme is pressed is seen, and code is not painted as if it were selected', async () => {
    await withPage({ forcedColors: 'active' }, async (page) => {
      await page.goto('/')
      const colourOf = (name: string) =>
        page
          .getByRole('button', { name, exact: true })
          .evaluate((button) => getComputedStyle(button).backgroundColor)
      expect(await colourOf('System')).not.toBe(await colourOf('Light'))
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

  it('lines that wrap have the numbers beside them that are theirs, and no others', async () => {
    await withPage({ forcedColors: 'active' }, async (page) => {
      const content = 'a line that is longer than any window is wide '.repeat(20).concat('\nshort')
      const response = await page.request.post('/v1/document', { data: { content } })
      const { data } = (await response.json()) as { data: { id: string } }
      await page.goto(`/${data.id}`)
      await page.getByRole('button', { name: 'Wrap' }).click()
      await page.locator('.placed').first().waitFor()
      const coloursOf = (selector: string) =>
        page.locator(selector).evaluate((numbers) => getComputedStyle(numbers).color)
      expect(await coloursOf('pre.numbers')).toBe('rgba(0, 0, 0, 0)')
      expect(await coloursOf('.placed')).not.toBe('rgba(0, 0, 0, 0)')
      await expectComplete(page)
    })
  })
})

describe('on a small phone', () => {
  it('a camera sees the whole code of a link, whatever the page says meanwhile', async () => {
    await withPage({ viewport: { width: 390, height: 560 } }, async (page) => {
      await page.goto('/')
      await page.locator('.cm-content').click()
      await page.keyboard.insertText('to be read elsewhere')
      await page.getByRole('button', { name: 'Create document' }).click()
      const code = await page.getByRole('img', { name: 'QR code of the link' }).boundingBox()
      const words = await page.getByRole('status').filter({ hasText: 'Saved.' }).boundingBox()
      if (!code || !words) throw new Error('The code or the message is not there')
      // They are beside each other in height, so they must not be in width.
      expect(words.y).toBeLessThan(code.y + code.height)
      expect(words.x).toBeGreaterThanOrEqual(code.x + code.width)
    })
  })
})
