import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectCompleteInLooks, getCopied } from '../support/browser.ts'
import { enterPassword, openTestSite } from '../support/test-site.ts'

const site = await openTestSite()
const everything = await readFile(new URL('../fixtures/everything.md', import.meta.url), 'utf8')

const FILLER = 'word word word\n\n'.repeat(80)
const WITH_SECTIONS = `[Two](#section-two) [5](#L5)\n\n# Section one\n\n${FILLER}## Section two\n\n${FILLER}`

const createMarkdown = async (text: string) => (await site.create(text, { language: 'markdown' })).id

const article = (page: Page) => page.locator('article.rendered')

const isInView = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })

describe('a Markdown document', () => {
  it('is rendered like on GitHub, accessible and no wider than the window', async () => {
    const id = await createMarkdown(everything)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const rendered = article(page)
      await rendered.getByRole('region', { name: 'Footnotes' }).waitFor()
      expect(await rendered.getByRole('heading', { name: 'Retries' }).getAttribute('id')).toBe(
        'user-content-retries',
      )
      expect(await rendered.getByText('Warning', { exact: true }).isVisible()).toBe(true)
      expect(await rendered.getByRole('checkbox', { name: 'Done', exact: true }).count()).toBe(3)
      // The browser doesn't store their state, which takes long for thousands.
      expect(await rendered.locator('input[type="checkbox"]:not([autocomplete="off"])').count()).toBe(0)
      await expect.poll(() => rendered.locator('pre .tok-keyword').count()).toBeGreaterThan(5)
      expect(await rendered.locator('p[align="center"]').count()).toBeGreaterThan(0)
      expect(await rendered.locator('img').count()).toBe(0)
      expect(await rendered.getByText('enospc').isVisible()).toBe(false)
      await rendered.getByText('What happens when the disk is full?').click()
      await expect.poll(() => rendered.getByText('enospc').isVisible()).toBe(true)
      await expectCompleteInLooks(page)
    })
  })

  it('opens at a heading, and goes from heading to heading and from footnotes to the text', async () => {
    const id = await createMarkdown(`${WITH_SECTIONS}a[^1]\n\n[^1]: note\n`)
    await site.withPage(async (page) => {
      await page.goto(`/${id}#section-two`)
      await expect.poll(() => isInView(page, '#user-content-section-two')).toBe(true)
      await page.goto(`/${id}`)
      await article(page).getByRole('link', { name: 'Two', exact: true }).click()
      await expect.poll(() => new URL(page.url()).hash).toBe('#section-two')
      await expect.poll(() => isInView(page, '#user-content-section-two')).toBe(true)
      await article(page).getByRole('link', { name: 'Footnote 1' }).click()
      await page.getByRole('link', { name: 'Back to the text' }).click()
      await expect.poll(() => isInView(page, '[id="user-content-fnref:1"]')).toBe(true)
      await article(page).getByRole('link', { name: '5', exact: true }).click()
      await page.locator('code#text').waitFor()
      expect(await article(page).isVisible()).toBe(false)
    })
  })

  it('opens at a heading once it is decrypted, and doesn’t mistake the heading for a password', async () => {
    const { id, password = '' } = await site.create(WITH_SECTIONS, { encrypted: true, language: 'markdown' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}#user-content-section-two`)
      await enterPassword(page, password)
      await expect.poll(() => isInView(page, '#user-content-section-two').catch(() => false)).toBe(true)
      await page.evaluate(() => scrollTo(0, 0))
      await article(page).getByRole('link', { name: 'Two', exact: true }).click()
      await expect.poll(() => isInView(page, '#user-content-section-two')).toBe(true)
      await expect.poll(() => new URL(page.url()).hash).toBe('#user-content-section-two')
    })
  })

  it('gives each block the direction of its own text, and lists and quotes their marks on that side', async () => {
    const markdown = [
      'Hello, שלום\n\nשלום, hello\n\n# مرحبا\n\n> שלום\n\n- שלום\n- hello\n\n1. שלום\n\n2. שלום\n',
      '| שלום | hello |\n|---|---|\n| שלום | hello |\n\n<p align="center">שלום</p>\n\n- hello\n',
    ].join('\n')
    const id = await createMarkdown(markdown)
    await site.withPage(async (page) => {
      for (const path of [`/${id}`, `/${id}/embed`]) {
        await page.goto(path)
        await article(page).waitFor()
        const directions = await article(page)
          .locator('p, h2, blockquote, ul, ol, table, th')
          .evaluateAll((blocks) =>
            blocks.map((block) => `${block.localName} ${getComputedStyle(block).direction}`),
          )
        expect(directions).toEqual([
          ...['p ltr', 'p rtl', 'h2 rtl', 'blockquote rtl', 'p rtl', 'ul rtl', 'ol rtl', 'p rtl', 'p rtl'],
          ...['table rtl', 'th rtl', 'th ltr', 'p rtl', 'ul ltr'],
        ])
      }
    })
  })

  it('shows its metadata as a table, whose title is the page’s', async () => {
    const id = await createMarkdown('---\ntitle: The plan\ntags: [a, b]\n---\n\n# First\n')
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await article(page).getByRole('rowheader', { name: 'tags' }).waitFor()
      expect(await article(page).getByRole('cell').allTextContents()).toEqual(['The plan', 'a, b'])
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('The plan')
      expect(await page.title()).toBe('The plan · Regent')
      await expectCompleteInLooks(page)
    })
  })

  it.each([
    ['in Markdown', { language: 'markdown' }],
    ['in a language that is detected', {}],
  ])('shows a title that is its first heading once after it is decrypted, %s', async (_, settings) => {
    const text = '# The plan\n\nSome *words* and [a link](https://example.org).\n\n- one\n- two\n\n## More\n'
    const { id, password = '' } = await site.create(text, { encrypted: true, ...settings })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await enterPassword(page, password)
      await article(page).getByRole('heading', { name: 'The plan' }).waitFor()
      const title = page.locator('.document-header h1')
      expect(await title.textContent()).toBe('The plan')
      await expect.poll(() => title.getAttribute('class')).toBe('visually-hidden')
      await page.getByRole('button', { name: 'Source' }).click()
      await expect.poll(() => title.getAttribute('class')).toBe('')
    })
  })

  it('shows its source for ?view=source and for links to lines, and remembers the switch in the address', async () => {
    const id = await createMarkdown('# Title\n\ntext\n')
    await site.withPage(async (page) => {
      await page.goto(`/${id}?view=source`)
      await page.getByRole('button', { name: 'Source', pressed: true }).waitFor()
      expect(await page.locator('code#text').isVisible()).toBe(true)
      await page.getByRole('button', { name: 'Rendered' }).click()
      await article(page).getByRole('heading', { name: 'Title' }).waitFor()
      await expect.poll(() => new URL(page.url()).search).toBe('')
      await page.goto(`/${id}#L3`)
      await page.getByRole('button', { name: 'Source', pressed: true }).waitFor()
      await page.goto(`/${id}?view=rendered#L3`)
      await article(page).getByRole('heading', { name: 'Title' }).waitFor()
    })
  })

  it('copies a block of code', async () => {
    const id = await createMarkdown('```js\nlet a = 1\n```\n')
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await article(page).getByRole('button', { name: 'Copy code' }).click()
      await page.getByText('Copied.').waitFor()
      expect(getCopied(page)).toBe('let a = 1\n')
    })
  })
})

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
