import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { getCopied } from '../support/browser.ts'
import { holdScript } from '../support/code-editor-page.ts'
import { openTestSite, shownText } from '../support/test-site.ts'
import { getLinkedLines, press } from '../support/viewer-page.ts'

const site = await openTestSite()

const LOG = `2026-11-22T12:00:00Z INFO Listening on port 8080
2026-11-22T12:00:05Z DEBUG Cache warmed
2026-11-22T12:01:00Z ERROR Request failed
java.lang.IllegalStateException: No rate for CHF
	at com.example.Rates.get(Rates.java:57)
	at com.example.Report.total(Report.java:112)
	at com.example.Report.run(Report.java:30)
2026-11-22T12:02:00Z WARN Slow request took 2310 ms
2026-11-22T12:03:00Z INFO Request took 3 ms
`

const log = await site.create(LOG, { language: 'log' })

/** Returns the numbers and the text of the displayed lines. */
const readLines = (page: Page) =>
  page.locator('section.text').evaluate((section) => {
    const numbers = Array.from(
      section.querySelectorAll('.placed-numbers span'),
      (number) => number.textContent,
    )
    return { numbers: numbers.join(' '), text: section.querySelector('pre.log')?.textContent }
  })

const waitForStatus = (page: Page, status: string) =>
  page.locator('#log-status', { hasText: status }).waitFor()

const getTrace = (page: Page) => page.getByRole('button', { name: '3 more lines' })

async function open(page: Page, address = `/${log.id}`): Promise<void> {
  await page.goto(address)
  await page.locator('.log-bar').waitFor({ state: 'attached' })
}

/** Uses one of the controls that the bar has no room for. */
async function useOption(page: Page, use: () => Promise<void>): Promise<void> {
  await press(page.locator('.log-bar'), 'Options')
  await use()
  await page.keyboard.press('Escape')
}

const pressOption = (page: Page, name: string) =>
  useOption(page, () => press(page.locator('.log-options'), name))

const jumpTo = (page: Page, place: string) =>
  useOption(page, async () => {
    await page.getByLabel('Jump to').fill(place)
    await page.keyboard.press('Enter')
  })

/** Returns the texts that are highlighted in a style. */
const getHighlighted = (page: Page, style: string) =>
  page.evaluate(
    (name) =>
      [...(CSS.highlights.get(name) ?? [])].map(({ startContainer, startOffset, endOffset }) =>
        startContainer.textContent?.slice(startOffset, endOffset),
      ),
    style,
  )

describe('a log', () => {
  it('is coloured by level, and its source is one click away', async () => {
    await site.withPage(async (page) => {
      await open(page)
      await expect.poll(() => getHighlighted(page, 'log-error')).toEqual(['ERROR'])
      expect(await getHighlighted(page, 'log-warning')).toEqual(['WARN'])
      expect(
        await page.getByRole('button', { name: /^(Error|Warning|Info|Debug) \d/ }).allTextContents(),
      ).toEqual(['Error 1', 'Warning 1', 'Info 2', 'Debug 1'])
      await press(page, 'Source')
      await page.locator('code#text').waitFor()
      expect(await page.locator('.log-bar, pre.log').count()).toBe(0)
      expect(new URL(page.url()).search).toBe('?view=source')
    })
  })

  it('is filtered by level, text and pattern, with the numbers of its lines', async () => {
    await site.withPage(async (page) => {
      await open(page)
      await page.getByRole('button', { name: 'Error 1' }).click()
      await waitForStatus(page, '5 of 9 lines')
      await expect.poll(async () => (await readLines(page)).numbers).toBe('3 4 5 6 7')
      await page.getByRole('button', { name: 'Error 1' }).click()
      await page.getByLabel('Filter').fill('REQUEST TOOK')
      await waitForStatus(page, '2 of 9 lines')
      await pressOption(page, 'Copy shown lines')
      await page.getByText('Copied.').waitFor()
      expect(getCopied(page)).toBe(LOG.split('\n').slice(7).join('\n'))
      await pressOption(page, 'Regex')
      await page.getByLabel('Filter').fill('took \\d ms$')
      await waitForStatus(page, '1 of 9 lines')
      await expect
        .poll(() => readLines(page))
        .toEqual({
          numbers: '9',
          text: '2026-11-22T12:03:00Z INFO Request took 3 ms\n',
        })
      await page.getByLabel('Filter').fill('(took).*\\1')
      await waitForStatus(page, 'Back-references such as \\1 aren’t supported')
      await expect.poll(async () => (await readLines(page)).numbers).toBe('9')
      await page.getByLabel('Filter').fill('nowhere')
      await waitForStatus(page, 'None of 9 lines match')
      await press(page, 'Clear filter')
      await expect.poll(() => page.locator('#log-status').textContent()).toBe('')
      await page.getByLabel('Filter').fill('nowhere')
      await waitForStatus(page, 'None of 9 lines match')
      await page.evaluate(() => {
        location.hash = '#L8'
      })
      await waitForStatus(page, 'Filter removed to show the line')
      await expect.poll(() => getLinkedLines(page)).toMatchObject({ line: expect.stringContaining('WARN') })
      await expect.poll(async () => (await readLines(page)).text).toBe(LOG)
    })
  })

  it('stays unfiltered if a filter ends after it was removed', async () => {
    await site.withPage(async (page) => {
      await open(page)
      await page.getByLabel('Filter').fill('nowhere')
      await waitForStatus(page, 'None of 9 lines match')
      await page.evaluate(async () => {
        const jump = document.querySelector<HTMLInputElement>('#log-jump')
        const { postMessage } = Worker.prototype
        const answered = new Promise((resolve) => {
          Worker.prototype.postMessage = function (message: unknown) {
            this.addEventListener('message', resolve, { once: true })
            postMessage.call(this, message)
          }
        })
        document.querySelector<HTMLElement>('.level-error')?.click()
        if (jump) jump.value = '8'
        jump?.form?.requestSubmit()
        await answered
        await new Promise((resolve) => setTimeout(resolve))
      })
      expect((await readLines(page)).text).toBe(LOG)
    })
  })

  it('is filtered once it is shown again, if the reader has switched to the source meanwhile', async () => {
    await site.withPage(async (page) => {
      await open(page)
      await page.evaluate(async () => {
        const status = document.querySelector('#log-status')
        document.querySelector<HTMLElement>('.level-error')?.click()
        document.querySelector<HTMLElement>('#views [value=""]')?.click()
        // The worker's answer.
        while (status?.textContent === '') await new Promise((resolve) => setTimeout(resolve, 10))
      })
      expect(await page.locator('pre.log').count()).toBe(0)
      await page.locator('code#text').waitFor()
      await press(page, 'Log')
      await waitForStatus(page, '5 of 9 lines')
      await expect.poll(async () => (await readLines(page)).numbers).toBe('3 4 5 6 7')
    })
  })

  it('folds stack traces by keyboard, and unfolds them for Find and for links', async () => {
    await site.withPage(async (page) => {
      await open(page, `/${log.id}#L6`)
      await expect
        .poll(() => getLinkedLines(page))
        .toMatchObject({ line: expect.stringContaining('Report.total') })
      await getTrace(page).focus()
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await readLines(page)).numbers).toBe('1 2 3 4 8 9')
      expect(await getTrace(page).getAttribute('aria-expanded')).toBe('false')
      expect(await getTrace(page).evaluate((button) => button === document.activeElement)).toBe(true)
      await press(page, 'Find')
      await page.locator('#find').fill('report.run')
      await expect.poll(() => getHighlighted(page, 'find-current')).toEqual(['Report.run'])
      expect(await getTrace(page).getAttribute('aria-expanded')).toBe('true')
      await pressOption(page, 'Fold traces')
      await expect.poll(async () => (await readLines(page)).numbers).toBe('1 2 3 4 8 9')
      await page.evaluate(() => {
        location.hash = '#L7'
      })
      await expect.poll(async () => (await readLines(page)).numbers).toBe('1 2 3 4 5 6 7 8 9')
    })
  })

  it('jumps to a time or a line', async () => {
    await site.withPage(async (page) => {
      await open(page)
      await jumpTo(page, '12:00:30')
      await waitForStatus(page, 'Line 3: 2026-11-22 12:01:00')
      await expect.poll(() => getLinkedLines(page)).toMatchObject({ line: expect.stringContaining('ERROR') })
      await jumpTo(page, 'soon')
      await waitForStatus(page, 'Enter a line, or a time such as 14:32')
      await jumpTo(page, '8')
      await expect.poll(() => getLinkedLines(page)).toMatchObject({ line: expect.stringContaining('WARN') })
      await jumpTo(page, '10')
      await waitForStatus(page, 'The log has 9 lines')
    })
  })

  it('tints the rows of errors and warnings, and steps through the errors by keyboard', async () => {
    const { id } = await site.create(LOG + 'INFO fine\n'.repeat(100) + LOG, { language: 'log' })
    await site.withPage(async (page) => {
      await open(page, `/${id}`)
      await page.locator('.line-tints .error-row').first().waitFor()
      // With the lines of its stack trace.
      const getTints = (kind: string) => page.locator(`.line-tints .${kind}-row`).count()
      expect([await getTints('error'), await getTints('warning')]).toEqual([5, 1])
      const ticks = page.locator('.log-ticks')
      expect(await ticks.locator('.error-row').count()).toBeGreaterThan(1)
      const step = async (key: string, message: string, line: number) => {
        await page.keyboard.press(key)
        await page.locator('#text-status', { hasText: message }).waitFor()
        expect(new URL(page.url()).hash).toBe(`#L${line}`)
      }
      await step('n', 'Error 1 of 2', 3)
      await step('n', 'Error 2 of 2', 112)
      await expect
        .poll(() => getLinkedLines(page))
        .toMatchObject({ visible: true, line: expect.stringContaining('ERROR') })
      await step('Shift+N', 'Error 1 of 2', 3)
      await pressOption(page, 'Previous error')
      await page.locator('#text-status', { hasText: 'Error 2 of 2' }).waitFor()
      await press(page, 'Source')
      await expect.poll(() => ticks.count()).toBe(0)
    })
  })

  it('folds the groups of CI logs', async () => {
    const lines = [
      '##[group]Run npm ci',
      'added 9',
      '##[endgroup]',
      '::group::Test',
      'ok',
      '::endgroup::',
      '::group::Nothing',
      '::endgroup::',
      'done',
      '',
    ]
    const { id } = await site.create(lines.join('\n'), { language: 'log' })
    await site.withPage(async (page) => {
      await open(page, `/${id}`)
      await expect.poll(() => getHighlighted(page, 'log-group')).toEqual(['Run npm ci', 'Test', 'Nothing'])
      await page.getByRole('button', { name: '1 more line', exact: true }).waitFor()
      await page.getByRole('button', { name: '2 more lines' }).first().press('Enter')
      await expect.poll(async () => (await readLines(page)).numbers).toBe('1 4 5 6 7 8 9')
      await pressOption(page, 'Fold groups')
      await expect.poll(async () => (await readLines(page)).numbers).toBe('1 4 7 9')
    })
  })

  it('shows what terminals would, and levels where the text has no colours', async () => {
    const text =
      '\x1B]0;deploy\x07\x1B(B2026-11-22T12:00:00Z INFO start\n 10%\r 55%\r100%\r\n\x1B[2K2026-11-22T12:00:09Z ERROR x\n'
    const { id } = await site.create(text, { language: 'log' })
    await site.withPage(async (page) => {
      await open(page, `/${id}`)
      expect(await readLines(page)).toEqual({
        numbers: '1 2 3',
        text: '2026-11-22T12:00:00Z INFO start\n100%\r\n2026-11-22T12:00:09Z ERROR x\n',
      })
      await expect.poll(() => getHighlighted(page, 'log-error')).toEqual(['ERROR'])
      const raw = await fetch(`${site.service.base}/r/${id}`)
      expect(await raw.text()).toBe(text)
    })
  })

  it('keeps the colours of terminal output', async () => {
    const { id } = await site.create('\x1B[31mERROR\x1B[0m it broke\nINFO ok\n', { language: 'log' })
    await site.withPage(async (page) => {
      await open(page, `/${id}`)
      await expect.poll(() => getHighlighted(page, 'ansi-red')).toEqual(['ERROR'])
      await page.getByRole('button', { name: 'Error 1' }).click()
      await waitForStatus(page, '1 of 2 lines')
      await expect.poll(async () => (await readLines(page)).text).toBe('ERROR it broke\n')
    })
  })

  it('starts its text within 180 pixels of the top of a phone, and still says how many lines are shown', async () => {
    await site.withPage(
      async (page) => {
        await open(page)
        const top = await page.locator('pre.log').evaluate((text) => text.getBoundingClientRect().top)
        expect(top).toBeLessThanOrEqual(180)
        // A phone makes the window as wide as what is too wide for it.
        expect(await page.evaluate(() => innerWidth)).toBe(360)
        expect(await page.getByLabel('Filter', { exact: true }).isVisible()).toBe(false)
        const toggle = page.getByRole('button', { name: 'Filter', exact: true })
        await toggle.click()
        await page.getByRole('button', { name: 'Error 1' }).click()
        await waitForStatus(page, '5 of 9 lines')
        await toggle.click()
        await expect.poll(() => page.getByRole('button', { name: 'Error 1' }).isVisible()).toBe(false)
        expect(await page.locator('#log-status').isVisible()).toBe(true)
        await press(page, 'Source')
        await expect.poll(() => toggle.count()).toBe(0)
      },
      // As narrow as many phones are.
      { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    )
  })
})

const getHeight = async (page: Page) => (await page.locator('.log-bar, .log-waiting').boundingBox())?.height

describe('the bar of a log', () => {
  it('has six controls, and one height from the start, whatever it says', async () => {
    await site.withPage(async (page) => {
      const release = await holdScript(page, 'view-worker')
      await page.goto(`/${log.id}`)
      await page.getByText('Reading 9 lines…').waitFor()
      const top = async () => (await page.locator('section.text').boundingBox())?.y
      const before = [await getHeight(page), await top()]
      // The lines near the window have their colours before the log is read.
      await expect.poll(() => getHighlighted(page, 'log-error')).toEqual(['ERROR'])
      release()
      const bar = page.locator('.log-bar')
      await bar.waitFor()
      expect(await page.getByText('Reading 9 lines…').count()).toBe(0)
      await expect.poll(() => getHighlighted(page, 'log-warning')).toEqual(['WARN'])
      expect(await bar.locator('button:visible, input:visible').count()).toBe(6)
      expect([await getHeight(page), await top()]).toEqual(before)
      await page.getByLabel('Filter').fill('request')
      await waitForStatus(page, '7 of 9 lines')
      expect([await getHeight(page), await top()]).toEqual(before)
      await pressOption(page, 'Regex')
      await page.getByLabel('Filter').fill('(?=x)')
      await waitForStatus(page, 'Look-ahead')
      expect([await getHeight(page), await top()]).toEqual(before)
      await press(page, 'Source')
      expect(await getHighlighted(page, 'log-error')).toEqual([])
    })
  })

  it('leaves no place in the source', async () => {
    await site.withPage(async (page) => {
      await page.goto(`/${log.id}?view=source`)
      await page.getByRole('button', { name: 'Source', pressed: true }).waitFor()
      expect(await page.locator('.log-waiting').count()).toBe(0)
    })
  })

  it('marks each of 200 lines in its own place', async () => {
    const { id } = await site.create('12:00 ERROR x\n'.repeat(200), { language: 'log' })
    await site.withPage(async (page) => {
      await open(page, `/${id}`)
      await page.locator('.log-ticks').waitFor()
      expect(await page.locator('.log-ticks > .error-row').count()).toBe(200)
    })
  })

  it('marks errors beside the text alone, and not on a phone', async () => {
    const { id } = await site.create(LOG + 'INFO fine\n'.repeat(100) + LOG, { language: 'log' })
    const ticks = (page: Page) => page.locator('.log-ticks')
    await site.withPage(async (page) => {
      await open(page, `/${id}`)
      await ticks(page).waitFor()
      const [map, text] = [await ticks(page).boundingBox(), await page.locator('section.text').boundingBox()]
      expect(map?.y).toBe(text?.y)
      expect((map?.x ?? 0) + (map?.width ?? 0)).toBe((text?.x ?? 0) + (text?.width ?? 0))
    })
    await site.withPage(
      async (page) => {
        await open(page, `/${id}`)
        await ticks(page).waitFor({ state: 'attached' })
        expect(await ticks(page).isVisible()).toBe(false)
      },
      { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    )
  })
})

describe('a log of 7 MB with 8,000 stack traces', () => {
  it('is filtered, folded and searched by time', async () => {
    const toEntry = (entry: number) =>
      `${new Date(Date.UTC(2026, 10, 22) + entry * 500).toISOString()} ${entry % 10 ? 'INFO' : 'ERROR'} request ${entry} took ${entry % 777} ms\n${
        entry % 10 ? '' : `Error: it broke\n${'    at run (/srv/app.js:10:5)\n'.repeat(10)}`
      }`
    const text = Array.from({ length: 80_000 }, (_, entry) => toEntry(entry)).join('')
    const { id } = await site.create(text, { language: 'log' })
    await site.withPage(async (page) => {
      await open(page, `/${id}`)
      expect((await shownText(page)) === text).toBe(true)
      const bar = page.locator('.log-bar')
      await press(bar, 'Error 8,000')
      await waitForStatus(page, '96,000 of 168,000 lines')
      await pressOption(page, 'Fold traces')
      await expect.poll(async () => (await readLines(page)).numbers).toMatch(/^1 2 22 23 43 44 64 65 /)
      await bar.getByLabel('Filter').fill('request 79990 ')
      await waitForStatus(page, '12 of 168,000 lines')
      await jumpTo(page, '10:00')
      await expect
        .poll(() => getLinkedLines(page))
        .toMatchObject({ visible: true, line: expect.stringContaining('2026-11-22T10:00:00.000Z') })
    })
  })
})
