import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectComplete, FROZEN_MS, startBrowser, watchPage } from './support/browser.ts'
import { createDocument, demoKey } from './support/documents.ts'
import { HOSTILE } from './support/hostile.ts'
import { type Service, startService } from './support/service.ts'

let service: Service
let browser: Browser
let key: string

beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), startBrowser()])
  key = demoKey(service)
})

afterAll(async () => {
  await browser.close()
  await service.stop()
})

const create = async (content: string, settings: object = {}): Promise<string> =>
  (await createDocument(service, key, content, settings)).id

declare global {
  interface Window {
    /** What hostile texts set when they run. */
    ran?: number
    violations: string[]
    longTasks: [start: number, duration: number][]
  }
}

/** Watches the page for what its policy had to forbid, and for tasks that hold it up. */
const watch = () => {
  window.violations = []
  window.longTasks = []
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    window.violations.push(`${violatedDirective} ${blockedURI}`)
  })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.longTasks.push([startTime, duration])
  }).observe({ type: 'longtask', buffered: true })
}

const withPage = (options: BrowserContextOptions, journey: (page: Page) => Promise<void>) =>
  watchPage(browser, service.base, options, async (page) => {
    await page.addInitScript(watch)
    await journey(page)
  })

const shownText = (page: Page) => page.locator('code#text').evaluate((code) => code.textContent)

/** Where the mark is in the window, and the line that it is on as the column of the text has it. */
const marked = (page: Page) =>
  page.locator('section.text pre:not(.numbers):not([hidden]) > .marked').evaluate((mark) => {
    const { top, bottom, height, left } = mark.getBoundingClientRect()
    const at = document.caretPositionFromPoint(left + 20, top + 8)
    const data = at?.offsetNode.textContent ?? ''
    const start = data.lastIndexOf('\n', (at?.offset ?? 0) - 1) + 1
    return {
      seen: top >= 0 && bottom <= innerHeight,
      height,
      line: data.slice(start, data.indexOf('\n', start)),
    }
  })

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** The tasks after the first paint for which the page stood still. */
const frozen = async (page: Page) => {
  const { painted, tasks } = await page.evaluate(() => ({
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    tasks: window.longTasks,
  }))
  return tasks.filter(([start, duration]) => start > painted && duration > FROZEN_MS)
}

/** A browser decides from frame to frame which chunks it lays out. */
const UNTIL_LAID_OUT = { timeout: 10_000 }

/** Enough bytes of one line to stop a browser for seconds. */
const LONG_LINE = 600_000

describe('a hostile text', () => {
  it.each(HOSTILE)('is shown and nothing else, in every view: %s', async (_, language, text) => {
    const id = await create(text, { language })
    const asText = text.replaceAll('\0', '\uFFFD')
    await withPage({}, async (page) => {
      const requested: string[] = []
      page.on('request', (request) => requested.push(new URL(request.url()).pathname))
      await page.goto(`/${id}`)
      expect(await shownText(page)).toBe(asText)
      await page.getByRole('button', { name: 'Wrap' }).click()
      if (language === 'markdown') {
        await press(page, 'Rendered')
        await page.locator('article.rendered > *').first().waitFor()
        expect(
          await page
            .locator('article.rendered')
            .locator('img, form, input, iframe, svg, script, style, [id], [name], [style]')
            .count(),
        ).toBe(0)
        for (const link of await page.locator('article.rendered a').all()) {
          expect(await link.getAttribute('rel')).toBe('noopener nofollow ugc')
          const address = await link.getAttribute('href')
          if (address !== null) expect(address).toMatch(/^(https?:\/\/|mailto:)/i)
        }
      }
      if (language === 'log') {
        const colours = page.getByRole('button', { name: 'Colours' })
        await colours.waitFor()
        expect(await page.locator('.terminal').textContent()).not.toContain('\x1B[31m')
        await colours.click()
      }
      expect(await shownText(page)).toBe(asText)
      expect(await page.evaluate(() => ({ ran: window.ran, violations: window.violations }))).toEqual({
        violations: [],
      })
      expect(requested.filter((path) => path !== `/${id}` && !path.startsWith('/assets/'))).toEqual([])
      expect(await page.title()).toMatch(/ · Regent$/)
    })
    const rawAnswer = await fetch(`${service.base}/r/${id}`)
    expect(await rawAnswer.text()).toBe(text)
    expect(rawAnswer.headers.get('Content-Type')).toMatch(/^text\/plain/)
  })

  it.each([
    ['letters', 'javascript', 'var a = "<b>"; '],
    ['changes of direction', 'plaintext', 'abc \u202Eדעה\u202C 12 '],
    ['letters with marks', 'plaintext', 'a\u0301\u0302e\u0327'],
  ])(
    'of one long line is whole, wrapped and not, and does not stop the page: %s',
    async (_, language, unit) => {
      const text = `first\n${unit.repeat(LONG_LINE / Buffer.byteLength(unit))}\nlast\n`
      const id = await create(text, { language })
      await withPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
        await page.goto(`/${id}#L3`)
        if (language === 'javascript')
          await page.locator('.facts', { hasText: 'lines of up to 10,000 characters' }).waitFor()
        expect(await marked(page)).toMatchObject({ height: 22, line: 'last' })
        await press(page, 'Wrap')
        await page.getByLabel('Go to line').fill('3')
        await page.keyboard.press('Enter')
        await expect.poll(() => marked(page), UNTIL_LAID_OUT).toMatchObject({ seen: true, line: 'last' })
        expect((await shownText(page)) === text).toBe(true)
        const selected = await page.evaluate(() => {
          getSelection()?.selectAllChildren(document.querySelector('code#text') ?? document.body)
          return String(getSelection())
        })
        expect(selected === text.trimEnd() || selected === text).toBe(true)
        expect(await page.evaluate(() => window.violations)).toEqual([])
        expect(await frozen(page)).toEqual([])
      })
    },
  )
})

describe('Markdown that takes long', () => {
  it.each([
    ['to read', `${'>'.repeat(100)}a\n${'b\n'.repeat(400_000)}`],
    ['to lay out', `a|b\n-|-\n${'c|d\n'.repeat(200_000)}`],
  ])('does not stop the page: %s', async (_, text) => {
    const id = await create(text, { language: 'markdown' })
    await withPage({}, async (page) => {
      await page.goto(`/${id}`)
      await press(page, 'Rendered')
      await page.locator('article.rendered > *').first().waitFor()
      expect(await frozen(page)).toEqual([])
    })
  })
})

describe('lines', () => {
  const text = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`).join('\n')

  it('are linked to, clicked, clicked with shift, and typed', async () => {
    const id = await create(text)
    await withPage({}, async (page) => {
      await page.goto(`/${id}#L250-L252`)
      expect(await marked(page)).toMatchObject({ seen: true, height: 66, line: 'line 250' })
      await page.goto(`/${id}`)
      const numbers = page.locator('.numbers')
      const above = await numbers.evaluate((column) => Number.parseFloat(getComputedStyle(column).paddingTop))
      const click = (line: number, modifiers: 'Shift'[] = []) =>
        numbers.click({ position: { x: 10, y: above + (line - 1) * 22 + 11 }, modifiers })
      await click(12)
      expect(new URL(page.url()).hash).toBe('#L12')
      await click(9, ['Shift'])
      expect(new URL(page.url()).hash).toBe('#L9-L12')
      expect(await marked(page)).toMatchObject({ height: 88, line: 'line 9' })
      expect(await page.evaluate(() => String(getSelection()))).toBe('')
      await page.getByLabel('Go to line').fill('299')
      await page.keyboard.press('Enter')
      expect(await page.locator('#text-state').textContent()).toBe('Line 299.')
      expect(await marked(page)).toMatchObject({ seen: true, line: 'line 299' })
      await page.getByLabel('Go to line').fill('301')
      await page.keyboard.press('Enter')
      expect(await page.locator('#text-state').textContent()).toContain('There are 300 lines')
      await page.evaluate(() => {
        location.hash = '#L5'
      })
      await page.waitForFunction(() => scrollY < 200)
      expect(await marked(page)).toMatchObject({ seen: true, line: 'line 5' })
    })
  })

  it('are linked to without scripts', async () => {
    const id = await create(text)
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`/${id}#L250`)
      const number = page.getByText('250', { exact: true })
      expect(await number.boundingBox()).toMatchObject({ y: expect.closeTo(180, -2) })
      const colours = [number, page.getByText('251', { exact: true })].map((each) =>
        each.evaluate((element) => getComputedStyle(element).color),
      )
      const [marked, other] = await Promise.all(colours)
      expect(marked).not.toBe(other)
    })
  })

  it('keep their numbers where they wrap', async () => {
    const id = await create(`${'long words '.repeat(200)}\nsecond\n${'x'.repeat(3_000)}\nfourth\n`)
    await withPage({ viewport: { width: 390, height: 844 } }, async (page) => {
      await page.goto(`/${id}`)
      await press(page, 'Wrap')
      expect(
        await page.evaluate(() => document.querySelector('section.text')?.scrollWidth),
      ).toBeLessThanOrEqual(390)
      await page.goto(`/${id}#L4`)
      await page.reload()
      expect(await page.getByRole('button', { name: 'Wrap' }).getAttribute('aria-pressed')).toBe('true')
      await page.locator('.placed span', { hasText: '4' }).waitFor()
      expect(await marked(page)).toMatchObject({ seen: true, line: 'fourth' })
      const apart = await page.evaluate(() => {
        const mark = document.querySelector('.numbers .marked')?.getBoundingClientRect().top ?? 0
        const number = [...document.querySelectorAll('.placed span')].find(
          ({ textContent }) => textContent === '4',
        )
        return Math.abs((number?.getBoundingClientRect().top ?? 1e9) - mark)
      })
      expect(apart).toBeLessThan(2)
    })
  })
})

describe('a large document', () => {
  it.each([
    ['200,000 lines of 10 MiB', (line: number) => `${line} ${'the quick brown fox '.repeat(3)}`.slice(0, 51)],
    ['200,000 short lines', (line: number) => `${line} x`],
  ])('opens at its last line, scrolls and wraps without long tasks: %s', async (_, lineOf) => {
    const text = `${Array.from({ length: 200_000 }, (_, index) => lineOf(index + 1)).join('\n')}\n`
    const id = await create(text, { language: 'typescript' })
    await withPage({}, async (page) => {
      await page.goto(`/${id}#L200000`)
      await page.waitForFunction(() => !document.querySelector<HTMLElement>('.marked')?.hidden)
      await expect
        .poll(() => marked(page), UNTIL_LAID_OUT)
        .toMatchObject({ seen: true, line: lineOf(200_000) })
      await page.evaluate(() => {
        location.hash = '#L100000-L100001'
      })
      await page.waitForFunction(() => scrollY < document.documentElement.scrollHeight / 1.5)
      await expect
        .poll(() => marked(page), UNTIL_LAID_OUT)
        .toMatchObject({ seen: true, height: 44, line: lineOf(100_000) })
      for (let turn = 0; turn < 10; turn++) {
        await page.mouse.wheel(0, 20_000)
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
      }
      await page.evaluate(() => {
        location.hash = '#L150000'
      })
      await page.waitForFunction(() => !document.querySelector<HTMLElement>('.marked')?.hidden)
      await page.getByRole('button', { name: 'Wrap' }).evaluate((button) => (button as HTMLElement).click())
      await page.getByLabel('Go to line').fill('123456')
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => location.hash === '#L123456')
      await page.locator('.placed span', { hasText: '123456' }).waitFor()
      await expect
        .poll(() => marked(page), UNTIL_LAID_OUT)
        .toMatchObject({ seen: true, line: lineOf(123_456) })
      expect((await shownText(page)) === text).toBe(true)
      expect(await frozen(page)).toEqual([])
    })
  })
})

describe('the tools of a text', () => {
  const granted: BrowserContextOptions = { permissions: ['clipboard-read', 'clipboard-write'] }

  it('copy the original, say so, and hand it over to be written on', async () => {
    const text = '\x1B[32mgreen\x1B[0m\n😀\n'
    const id = await create(text, { language: 'log' })
    await withPage(granted, async (page) => {
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'Colours', pressed: true }).waitFor()
      expect(await page.evaluate(() => CSS.highlights.has('ansi-green'))).toBe(true)
      await press(page, 'Copy')
      await page.getByText('Copied.').waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text)
      await press(page, 'Duplicate')
      await page.waitForURL('/')
    })
  })

  it('save it under its name', async () => {
    const id = await create('# My notes: today\n', { language: 'markdown' })
    await withPage({}, async (page) => {
      await page.goto(`/${id}`)
      const saved = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download' }).click()
      expect((await saved).suggestedFilename()).toBe('My-notes-today.md')
    })
  })

  it('show Markdown as it is meant, and its source to whoever follows a link to a line', async () => {
    const id = await create(
      '# Title\n\n- *one*\n- [two](https://example.com/)\n\n| a | b |\n|---|---|\n| c | d |\n\n![a picture](/v1/document/x)\n',
      {
        language: 'markdown',
      },
    )
    await withPage({ viewport: { width: 390, height: 844 } }, async (page) => {
      await page.goto(`/${id}`)
      await press(page, 'Rendered')
      const article = page.locator('article.rendered')
      expect(await article.getByRole('heading', { level: 2 }).textContent()).toBe('Title')
      expect(await article.getByRole('listitem').count()).toBe(2)
      expect(await article.getByRole('columnheader').count()).toBe(2)
      expect(await article.locator('.image').textContent()).toBe('a picture (image: /v1/document/x)')
      expect(await page.locator('section.text').isVisible()).toBe(false)
      await expectComplete(page)
      await page.evaluate(() => {
        location.hash = '#L3'
      })
      await page.locator('code#text').waitFor()
      expect(await article.isVisible()).toBe(false)
      expect(await marked(page)).toMatchObject({ seen: true, line: '- *one*' })
    })
  })

  it('colour code by its language, and leave the text as it is', async () => {
    const text = 'const answer: number = 42 // "why"\n'
    const id = await create(text, { language: 'ts' })
    await withPage({}, async (page) => {
      await page.goto(`/${id}`)
      await page.waitForFunction(() => CSS.highlights.has('tok-keyword'))
      const coloured = await page.evaluate(() =>
        ['tok-keyword', 'tok-number', 'tok-comment'].map((name) =>
          [...(CSS.highlights.get(name) ?? [])].map(({ startContainer, startOffset, endOffset }) =>
            startContainer.textContent?.slice(startOffset, endOffset),
          ),
        ),
      )
      expect(coloured).toEqual([['const'], ['42'], ['// "why"']])
      expect(await page.locator('code#text').innerHTML()).toBe(text)
    })
  })

  it('colour a screen full of long lines, as far as that is not too much', async () => {
    const id = await create(`${'a=1;'.repeat(2_499)}\n`.repeat(100), { language: 'javascript' })
    await withPage({}, async (page) => {
      await page.goto(`/${id}`)
      await page.waitForFunction(() => CSS.highlights.has('tok-number'))
      await page.mouse.wheel(0, 1_000)
      await page.waitForFunction(() => scrollY > 0)
      const lastColoured = () =>
        page.evaluate(() => {
          const [, chunk] = [...document.querySelectorAll('#text .chunk')].reverse()
          return [...(CSS.highlights.get('tok-number') ?? [])].some(({ startContainer }) =>
            chunk?.contains(startContainer),
          )
        })
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      await expect.poll(lastColoured, UNTIL_LAID_OUT).toBe(true)
      expect(await page.evaluate(() => CSS.highlights.get('tok-number')?.size)).toBeLessThan(12_000)
      expect(await frozen(page)).toEqual([])
    })
  })

  it.each(['light', 'dark'] as const)('colour code as the editor does: %s', async (colorScheme) => {
    const names = ['tok-keyword', 'tok-number', 'tok-comment']
    const text = 'const answer: number = 42 // "why"\n'
    const id = await create(text, { language: 'ts' })
    await withPage({ colorScheme }, async (page) => {
      await page.goto(`/${id}`)
      await page.waitForFunction(() => CSS.highlights.has('tok-keyword'))
      const coloursOfText = await page
        .locator('code#text')
        .evaluate(
          (code, names) => names.map((name) => getComputedStyle(code, `::highlight(${name})`).color),
          names,
        )
      await page.goto('/')
      await page.locator('.cm-content').fill(text)
      await page.getByLabel('Language').fill('ts')
      await page.locator('.tok-keyword').waitFor()
      const coloursOfEditor = await Promise.all(
        names.map((name) => page.locator(`.${name}`).evaluate((token) => getComputedStyle(token).color)),
      )
      expect(coloursOfText).toEqual(coloursOfEditor)
      expect(new Set(coloursOfText).size).toBe(names.length)
    })
  })
})

describe('every state of the page', () => {
  it.each([
    ['desktop', 'light', 1440],
    ['desktop', 'dark', 1440],
    ['phone', 'light', 390],
    ['phone', 'dark', 390],
  ] as const)('is accessible on a %s in %s', async (_, colorScheme, width) => {
    const markdown = await create(
      '# A\n\n| a | b |\n|:--|--:|\n| `c` | d |\n\n```js\nlong '.concat('code '.repeat(50), '\n```\n'),
      {
        language: 'markdown',
      },
    )
    const log = await create(`\x1B[1;31m\u202Ered\x1B[0m\n${'x'.repeat(500)}\n`, { language: 'log' })
    await withPage({ colorScheme, viewport: { width, height: 844 } }, async (page) => {
      for (const path of [`/${markdown}`, `/${markdown}#L1-L3`]) {
        await page.goto(path)
        await page.waitForFunction(() => CSS.highlights.size > 0)
        await expectComplete(page)
      }
      await press(page, 'Wrap')
      await expectComplete(page)
      await press(page, 'Rendered')
      await page.locator('article.rendered table').waitFor()
      await expectComplete(page)
      await page.goto(`/${log}`)
      await page.getByRole('button', { name: 'Colours', pressed: true }).waitFor()
      expect(await page.getByRole('note').textContent()).toContain('bidirectional')
      await expectComplete(page)
    })
  })

  it('is used by keyboard alone', async () => {
    const id = await create('# A\n', { language: 'markdown' })
    await withPage({}, async (page) => {
      await page.goto(`/${id}`)
      const visited: string[] = []
      await page.getByRole('link', { name: 'Report' }).focus()
      for (let tabs = 0; tabs < 8; tabs++) {
        await page.keyboard.press('Tab')
        visited.push(
          await page.evaluate(() => {
            const element = document.activeElement as HTMLInputElement
            const seen = getComputedStyle(element).outlineStyle !== 'none'
            return `${element.labels?.[0]?.textContent ?? element.ariaLabel ?? element.textContent}${seen ? '' : ' (unseen)'}`
          }),
        )
      }
      expect(visited).toEqual([
        'Download',
        'Copy',
        'Duplicate',
        'Wrap',
        'Rendered',
        'Find',
        'Go to line',
        'Text of the document',
      ])
    })
  })

  it('of a kilobyte is there after at most 20 KB on the wire, its scripts and all headers included', async () => {
    const id = await create('a line of some words\n'.repeat(50))
    await withPage({}, async (page) => {
      const session = await page.context().newCDPSession(page)
      await session.send('Network.enable')
      const sizes: number[] = []
      session.on('Network.loadingFinished', ({ encodedDataLength }) => sizes.push(encodedDataLength))
      await page.goto(`/${id}`, { waitUntil: 'networkidle' })
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      expect(bytes).toBeLessThanOrEqual(20_000)
      expect(bytes).toBeGreaterThan(5_000)
    })
  })

  it('says without scripts all that it says with them', async () => {
    const id = await create('a\u202Eb\n', { language: 'markdown' })
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`/${id}`)
      const main = page.getByRole('main')
      expect(await main.getByRole('button').count()).toBe(0)
      expect(await main.getByRole('textbox').count()).toBe(0)
      expect(await page.getByRole('note').textContent()).toContain('bidirectional')
      expect(await page.locator('.facts').textContent()).toMatch(
        /Created(just now|1 minute ago), \d+ \w+ 2\d{3}, \d\d:\d\d UTC/,
      )
    })
  })
})
