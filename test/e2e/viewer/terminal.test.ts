import { describe, expect, it } from 'vitest'
import { openTestSite } from '../support/test-site.ts'

const site = await openTestSite()

declare global {
  interface Window {
    isWorking: boolean
    passAnswers: () => void
  }
}

/** Keeps the answers of workers back, but not the parts of answers. */
const holdAnswers = () => {
  const allowed = new Promise<void>((resolve) => {
    window.passAnswers = resolve
  })
  window.isWorking = false
  const addListener = Worker.prototype.addEventListener
  Worker.prototype.addEventListener = function (type: string, listener: EventListenerOrEventListenerObject) {
    addListener.call(this, type, async (event: Event) => {
      if (event instanceof MessageEvent && !('part' in event.data)) await allowed
      if (typeof listener === 'function') listener.call(this, event)
      window.isWorking = true
    })
  }
}

const MAN_PAGE = 'N\bNA\bAM\bME\bE\n       l\bls\bs - list _\bf_\bi_\bl_\be_\bs\n'

describe('a text with escape sequences', () => {
  it.each([
    [
      'markdown',
      '# \x1B[31mtasks\x1B[0m\n\n- [x] one\n- [ ] \x1B[32mtwo\x1B[0m\n',
      '# tasks\n\n- [x] one\n- [ ] two\n',
    ],
    ['tsv', 'a\t\x1B[32mb\x1B[0m\n1\t2\n3\t4\n', 'a\tb\n1\t2\n3\t4\n'],
    ['plaintext', MAN_PAGE, 'NAME\n       ls - list files\n'],
    ['diff', 'commit 1\n\x1B[32m+a\x1B[0m\n', 'commit 1\n+a\n'],
  ])('starts as a terminal shows it, also in the language %s', async (language, text, shown) => {
    const { id } = await site.create(text, { language })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'Terminal', pressed: true }).waitFor()
      await page.locator('pre.terminal').waitFor()
      expect(await page.locator('pre.terminal').textContent()).toBe(shown)
      expect(await page.locator('#shown-language').textContent()).toBe('Terminal output')
      expect(await page.locator('#views button').allTextContents()).toEqual(['Terminal', 'Source'])
      await page.goto(`/${id}/embed`)
      await page.locator('pre.terminal').waitFor()
      expect(await page.locator('pre.terminal').textContent()).toBe(shown)
      expect(await page.locator('#text').isVisible()).toBe(false)
      expect(await page.locator('#shown-language').textContent()).toBe('Terminal output')
    })
  })

  it('has a warning only of what a terminal has no use for', async () => {
    const { id } = await site.create(MAN_PAGE)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.waitForFunction(() => CSS.highlights.has('ansi-bold'))
      expect(await page.locator('.banner').count()).toBe(0)
    })
  })

  it('has no numbers of lines where the cursor went up', async () => {
    const { id } = await site.create('a 1%\nb 1%\n\x1B[2Aa 2%\nb 2%\n')
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.locator('pre.redrawn').waitFor()
      expect(await page.locator('pre.redrawn').textContent()).toBe('a 2%\nb 2%\n')
      expect(await page.locator('pre.numbers').isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Source' }).click()
      await page.locator('pre.numbers').waitFor()
    })
  })

  it('doesn’t show its source, however long it takes', async () => {
    const { id } = await site.create(`\x1B[1m${'a line\n'.repeat(5_000)}`, { language: 'markdown' })
    await site.withPage(async (page) => {
      await page.addInitScript(holdAnswers)
      await page.goto(`/${id}`)
      await page.waitForFunction(() => window.isWorking)
      const isShown = await page.evaluate(() => {
        for (const animation of document.getAnimations())
          if (animation.playState === 'running') animation.currentTime = 10_000
        return document.querySelector('#text')?.checkVisibility({ visibilityProperty: true })
      })
      expect(isShown).toBe(false)
      await page.evaluate(() => window.passAnswers())
      await page.locator('pre.terminal').waitFor()
      await page.getByRole('button', { name: 'Source' }).click()
      await page.locator('#text').waitFor()
    })
  })

  it('is at the linked line once it is there', async () => {
    const { id } = await site.create(`\x1B[1m${'a line\n'.repeat(3_000)}`)
    await site.withPage(async (page) => {
      await page.goto(`/${id}#L2000`)
      await page.locator('pre.terminal').waitFor()
      await page.waitForFunction(() => {
        const mark = document.querySelector('pre.terminal .linked-lines')?.getBoundingClientRect()
        return mark && mark.height > 0 && mark.top >= 0 && mark.bottom <= innerHeight
      })
    })
  })

  it('keeps links to its lines', async () => {
    const { id } = await site.create('\x1B[31mone\n\x1B[32mtwo\x1B[0m\nthree\n')
    await site.withPage(async (page) => {
      await page.goto(`/${id}#L2`)
      await page.getByRole('button', { name: 'Terminal', pressed: true }).waitFor()
      await page.locator('.numbers .linked-lines').waitFor()
    })
  })
})
