import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openTestSite } from '../support/test-site.ts'

const site = await openTestSite()
const { id } = await site.create('# Title\n\nsome *text*\n', { language: 'markdown' })

declare global {
  interface Window {
    /** The views that the page has displayed, without repetitions. */
    displayed: string[]
  }
}

/** Records the view in each frame. Pauses the animation that reveals the source, for slow machines. */
const recordFrames = () => {
  window.displayed = []
  const record = () => {
    for (const animation of document.getAnimations()) animation.pause()
    const isVisible = (selector: string) =>
      document.querySelector(selector)?.checkVisibility({ visibilityProperty: true }) === true
    const state = isVisible('article.rendered') ? 'rendered' : isVisible('#text') ? 'source' : 'nothing'
    if (window.displayed.at(-1) !== state) window.displayed.push(state)
    requestAnimationFrame(record)
  }
  requestAnimationFrame(record)
}

const source = (page: Page) => page.locator('code#text')

describe('the source of a Markdown document', () => {
  it('isn’t displayed while the document is rendered', async () => {
    await site.withPage(async (page) => {
      await page.addInitScript(recordFrames)
      await page.goto(`/${id}`)
      await page.waitForFunction(() => window.displayed.includes('rendered'))
      expect(await page.evaluate(() => window.displayed)).not.toContain('source')
      await page.getByRole('button', { name: 'Source' }).click()
      await source(page).waitFor()
    })
  })

  it('is displayed in the language that the reader has chosen', async () => {
    await site.withPage(async (page) => {
      await page.addInitScript(recordFrames)
      await page.goto('/about')
      await page.evaluate(
        (choices) => localStorage.setItem('languages', choices),
        JSON.stringify([[id, 'python']]),
      )
      await page.goto(`/${id}`)
      await source(page).waitFor()
      expect(await page.locator('article.rendered').count()).toBe(0)
    })
  })

  it('is displayed for a link to one of its lines, even before scripts have loaded', async () => {
    await site.withPage(async (page) => {
      await page.addInitScript(recordFrames)
      await page.route('**/*.js', (route) => route.abort())
      await page.goto(`/${id}#L3`)
      await source(page).waitFor()
    })
  })

  it('is displayed after a while if scripts can’t be loaded', async () => {
    await site.withPage(async (page) => {
      await page.route('**/*.js', (route) => route.abort())
      await page.goto(`/${id}`)
      await source(page).waitFor()
      expect(await source(page).textContent()).toContain('some *text*')
    })
  })

  it('isn’t even laid out while it waits if it is long, and is displayed after a while', async () => {
    const long = await site.create('some *text*\n\n'.repeat(1_500), { language: 'markdown' })
    await site.withPage(async (page) => {
      await page.addInitScript(recordFrames)
      await page.route('**/*.js', (route) => route.abort())
      const isLaidOut = () => document.querySelector('#text')?.checkVisibility()
      await page.goto(`/${id}`)
      expect(await page.evaluate(isLaidOut)).toBe(true)
      await page.goto(`/${long.id}`)
      expect(await page.evaluate(isLaidOut)).toBe(false)
      await page.evaluate(() => {
        for (const animation of document.getAnimations()) animation.finish()
      })
      await source(page).waitFor()
    })
  })

  it('is displayed at once without scripts', async () => {
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        expect(await source(page).isVisible()).toBe(true)
      },
      { javaScriptEnabled: false },
    )
  })
})
