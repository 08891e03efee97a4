import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { enterPassword, openTestSite, PASSWORD, shownText } from '../support/test-site.ts'
import { getLinkedLines, goToLine, LINE_HEIGHT, press, waitForViewer } from '../support/viewer-page.ts'

const site = await openTestSite()

describe('the page of a document', () => {
  it('can be used by keyboard alone', async () => {
    const { id } = await site.create('# A\n', { language: 'markdown' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const focused: string[] = []
      await page.locator('article.rendered').waitFor()
      await press(page, 'Source')
      await page.getByRole('button', { name: 'Rendered' }).focus()
      for (let tabs = 0; tabs < 7; tabs++) {
        await page.keyboard.press('Tab')
        focused.push(
          await page.evaluate(() => {
            const element = document.activeElement as HTMLInputElement
            const hasOutline = getComputedStyle(element).outlineStyle !== 'none'
            const name =
              element.ariaLabel ??
              element.querySelector('.tip')?.firstChild?.textContent ??
              element.textContent
            return `${name}${hasOutline ? '' : ' (no outline)'}`
          }),
        )
      }
      expect(focused).toEqual(['Source', 'Copy', 'Copy link', 'Wrap', 'Find', 'Display', 'More'])
    })
  })

  it.each([
    ['on a phone', { width: 390, height: 700 }],
    ['on a desktop', { width: 1280, height: 700 }],
  ])('has nothing with the focus below its bars %s', async (_, viewport) => {
    const getParts = (count: number, write: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => write(index)).join('\n')
    const markdown = getParts(
      70,
      (index) => `## H ${index}\n\nA [link](https://example.org/${index})\n\n    code ${index}\n`,
    )
    const text = getParts(150, (index) => `line ${index} https://example.org/${index}\n`)
    const archive = `-- README.md --\n${markdown}\n-- a.txt --\n${text}`
    await site.withPage(
      async (page) => {
        for (const [content, language] of [
          [markdown, 'markdown'],
          [text, 'plaintext'],
          [archive, 'txtar'],
        ] as const) {
          const { id } = await site.create(content, { language })
          await page.goto(`/${id}`)
          await waitForViewer(page)
          if (language !== 'plaintext') await page.locator('article.rendered h3').last().waitFor()
          await page.locator('main a[href="https://example.org/60"]').last().focus()
          const covered: unknown[] = []
          for (let stops = 0; stops < 60; stops++) {
            await page.keyboard.press('Shift+Tab')
            covered.push(
              ...(await page.evaluate(() => {
                const element = document.activeElement
                if (!element || element.closest('.document-bar')) return []
                const bars = ['.document-bar', '.file:has(:focus) > details > summary:not(:focus)']
                const edges = bars.flatMap((bar) => {
                  const found = document.querySelector(bar)
                  return found && !element.closest('.file-tools') ? found.getBoundingClientRect().bottom : []
                })
                const { bottom } = element.getBoundingClientRect()
                return bottom <= Math.max(...edges) ? [element.outerHTML.slice(0, 80)] : []
              })),
            )
          }
          expect({ language, covered }).toEqual({ language, covered: [] })
        }
      },
      { viewport },
    )
  })

  it('of a kilobyte takes at most 20 KB on the wire, including scripts and headers', async () => {
    const { id } = await site.create('a line of some words\n'.repeat(50))
    await site.withPage(async (page) => {
      const session = await page.context().newCDPSession(page)
      await session.send('Network.enable')
      await session.send('Network.setCacheDisabled', { cacheDisabled: true })
      const sizes: number[] = []
      session.on('Network.loadingFinished', ({ encodedDataLength }) => sizes.push(encodedDataLength))
      await page.goto(`/${id}`, { waitUntil: 'networkidle' })
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      expect(bytes).toBeLessThanOrEqual(20_000)
      expect(bytes).toBeGreaterThan(5_000)
    })
  })

  it('starts its text within 180 pixels of the top of a phone', async () => {
    const { id } = await site.create('a line of some words\n')
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        const top = await page.locator('code#text').evaluate((code) => code.getBoundingClientRect().top)
        expect(top).toBeLessThanOrEqual(180)
      },
      { viewport: { width: 390, height: 844 } },
    )
  })

  it('shows the same information without scripts, and no tools that need them', async () => {
    const { id } = await site.create('a\u202Eb\n', { language: 'markdown' })
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        const main = page.getByRole('main')
        expect((await main.getByRole('button').allTextContents()).map((name) => name.trim())).toEqual([
          'Display',
          'More',
        ])
        expect(await main.getByRole('textbox').count()).toBe(0)
        await press(page, 'More')
        await expect
          .poll(() => page.locator('.tools').getByRole('link').allTextContents())
          .toEqual(['Raw', 'Download', 'Embed', 'Report'])
        await page.keyboard.press('Escape')
        expect(await page.getByRole('note').textContent()).toContain('bidirectional')
        expect(await page.locator('.facts-line').innerText()).toMatch(
          /^Markdown\s.*\d+ \w+ 2\d{3}, \d\d:\d\d UTC\s.*expires \d+ \w+ 2\d{3}, \d\d:\d\d UTC$/s,
        )
      },
      { javaScriptEnabled: false },
    )
  })
})

/** The codes that the page shows, and whether what follows them is in the order in which a program reads it. */
const getCodes = (page: Page) =>
  page.locator('section.text [data-code]').evaluateAll((elements) =>
    // The log view hides the source.
    elements
      .filter((element) => element.checkVisibility())
      .map((element) => {
        const next = document.createRange()
        next.setStart(element.nextSibling ?? element, 0)
        next.setEnd(element.nextSibling ?? element, 1)
        const code = getComputedStyle(element, '::before').content
        const isInOrder = next.getBoundingClientRect().left >= element.getBoundingClientRect().right - 1
        return `${code} ${element.textContent === '' ? 'empty ' : ''}${isInOrder ? 'in order' : 'reordered'}`
      }),
  )

const copySelected = (page: Page) =>
  page.evaluate(() => {
    getSelection()?.selectAllChildren(document.querySelector('code#text') ?? document.body)
    return String(getSelection())
  })

describe('hidden characters', () => {
  it('are shown with their codes, which are not copied, in the order in which a program reads the text', async () => {
    const text = 'access = "user\u202E" # admin\nif (a\u200B) https://example.org/ \u2066x\n'
    for (const language of ['python', 'plaintext', 'log']) {
      const { id } = await site.create(text, { language })
      await site.withPage(async (page) => {
        await page.goto(`/${id}`)
        await expect
          .poll(() => getCodes(page))
          .toEqual(['"U+202E" in order', '"U+200B" in order', '"U+2066" in order'])
        expect(await shownText(page)).toBe(text)
        if (language === 'log') return
        expect((await copySelected(page)).trimEnd()).toBe(text.trimEnd())
        const source = page.locator('section.text pre:not(.numbers)')
        expect(await source.evaluate((pre) => pre.clientHeight)).toBe(2 * LINE_HEIGHT + 24)
      })
    }
  })

  it('are shown in what is visible of a long text, and in a line that is too long for one piece', async () => {
    const line = `${'x'.repeat(5_000)}\u202E${'y'.repeat(9_000)}\u200B`
    const text = `${'a line of some words\n'.repeat(9_000)}last\u202Etsal\n${line}\n`
    const { id } = await site.create(text)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.locator('.banner').waitFor()
      await press(page, 'Wrap')
      expect(await getCodes(page)).toEqual([])
      await goToLine(page, '9001')
      const codes = () =>
        page.locator('[data-code]').evaluateAll((all) => all.map(({ dataset }) => dataset.code))
      await expect.poll(codes).toEqual(['U+202E', 'U+200B'])
      const scrollRight = () =>
        page.locator('section.text').evaluate((section) => {
          section.scrollLeft = 40_000
          return section.scrollLeft
        })
      await expect.poll(scrollRight).toBe(40_000)
      await expect.poll(codes).toEqual(['U+202E', 'U+202E', 'U+200B'])
      expect((await shownText(page)) === text).toBe(true)
      expect((await copySelected(page)).trimEnd() === text.trimEnd()).toBe(true)
    })
  })

  it('are shown only near the window if a line has thousands, which would freeze the page', async () => {
    const text = 'ab\u202E\u200B'.repeat(50_000)
    const { id } = await site.create(text)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.locator('section.text.wrapped').waitFor()
      await press(page, 'Wrap')
      const section = page.locator('section.text')
      await page.locator('section.text:not(.wrapped)').waitFor()
      const codes = page.locator('section.text [data-code]')
      // The line is as wide as the window several times over.
      await page.reload()
      const isFilled = () =>
        codes.evaluateAll((all) => (all.at(-1)?.getBoundingClientRect().left ?? 0) > 2 * innerWidth)
      await expect.poll(isFilled).toBe(true)
      const count = await codes.count()
      expect(count).toBeLessThan(500)
      await section.evaluate((section) => {
        section.scrollLeft = 2 * innerWidth
      })
      await expect.poll(() => codes.count()).toBeGreaterThan(count)
      await expect.poll(isFilled).toBe(true)
      expect(await codes.count()).toBeLessThan(1_000)
      expect((await shownText(page)) === text).toBe(true)
    })
  })
})

const one = await site.create('value = 1\n', { language: 'ruby' })
const other = await site.create('value: 2\n', { language: 'yaml' })

const language = (page: Page) => page.locator('#shown-language')

async function openDisplayMenu(page: Page): Promise<void> {
  await press(page, 'Display')
  await page.getByLabel('Language').waitFor()
}

/** Waits until the page has the chosen theme, text size and wrapping, and its menu says so. */
async function expectChosenDisplay(page: Page): Promise<void> {
  await page.locator('html[data-theme="sand"] section.text.wrapped.size-18').waitFor()
  await page.getByRole('button', { name: 'Wrap', pressed: true }).waitFor()
  await openDisplayMenu(page)
  expect(await page.locator('.font-size output').textContent()).toBe('18 px')
  expect(await page.locator('#display').getByRole('button', { name: 'Sand', pressed: true }).count()).toBe(1)
  expect(await page.getByLabel('Keyboard shortcuts').isChecked()).toBe(false)
}

describe('display settings', () => {
  it('are remembered after a reload and on other documents, except the language', async () => {
    await site.withPage(
      async (page) => {
        await page.goto(`/${one.id}`)
        await openDisplayMenu(page)
        await page.getByLabel('Language').selectOption('python')
        await language(page).filter({ hasText: 'Python' }).waitFor()
        await press(page, 'Larger')
        await press(page, 'Larger')
        await page.getByLabel('Keyboard shortcuts').uncheck()
        await page.locator('#display').getByRole('button', { name: 'Sand' }).click()
        await page.locator('html[data-theme="sand"]').waitFor()
        expect(await page.locator('meta[name="theme-color"]').getAttribute('content')).toBe('#f5eedc')
        await page.keyboard.press('Escape')
        await press(page, 'Wrap')
        await page.locator('section.text.wrapped').waitFor()

        await page.reload()
        await language(page).filter({ hasText: 'Python' }).waitFor()
        await expectChosenDisplay(page)
        expect(await page.getByLabel('Language').inputValue()).toBe('python')
        expect(await page.locator('meta[name="theme-color"]').getAttribute('content')).toBe('#f5eedc')

        await page.goto(`/${other.id}`)
        await expectChosenDisplay(page)
        expect(await language(page).textContent()).toBe('YAML')

        await page.getByLabel('Keyboard shortcuts').check()
        await page.locator('#display').getByRole('button', { name: 'System' }).click()
        await page.locator('html:not([data-theme])').waitFor()
        const colours = await page
          .locator('meta[name="theme-color"]')
          .evaluateAll((metas) => metas.map((meta) => meta.getAttribute('content')))
        expect(colours).toEqual(['#f6f7f5', '#0f1413'])
        await page.goto(`/${one.id}`)
        await language(page).filter({ hasText: 'Python' }).waitFor()
        await openDisplayMenu(page)
        await page.getByLabel('Language').selectOption({ index: 0 })
        await language(page).filter({ hasText: 'Ruby' }).waitFor()
      },
      { colorScheme: 'light' },
    )
  })
})

describe('line links', () => {
  const text = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`).join('\n')

  it('are followed, clicked, Shift+clicked and typed', async () => {
    const { id } = await site.create(text)
    await site.withPage(async (page) => {
      await page.goto(`/${id}#L250-L252`)
      await expect
        .poll(() => getLinkedLines(page))
        .toMatchObject({
          visible: true,
          height: 3 * LINE_HEIGHT,
          line: 'line 250',
        })
      await page.goto(`/${id}`)
      const numbers = page.locator('.numbers')
      const above = await numbers.evaluate((column) => Number.parseFloat(getComputedStyle(column).paddingTop))
      const click = (line: number, modifiers: 'Shift'[] = []) =>
        numbers.click({ position: { x: 10, y: above + (line - 0.5) * LINE_HEIGHT }, modifiers })
      await click(12)
      await expect.poll(() => new URL(page.url()).hash).toBe('#L12')
      await click(9, ['Shift'])
      await expect.poll(() => new URL(page.url()).hash).toBe('#L9-L12')
      await expect.poll(() => getLinkedLines(page)).toMatchObject({ height: 4 * LINE_HEIGHT, line: 'line 9' })
      expect(await page.evaluate(() => String(getSelection()))).toBe('')
      await goToLine(page, '299')
      await page.locator('#text-status').getByText('Line 299', { exact: true }).waitFor()
      await expect.poll(() => getLinkedLines(page)).toMatchObject({ visible: true, line: 'line 299' })
      await goToLine(page, '301')
      await page.locator('#text-status').getByText('Enter a line number from 1 to 300').waitFor()
      await page.evaluate(() => {
        location.hash = '#L5'
      })
      await page.waitForFunction(() => scrollY < 200)
      await expect.poll(() => getLinkedLines(page)).toMatchObject({ visible: true, line: 'line 5' })
    })
  })

  it('work without scripts', async () => {
    const { id } = await site.create(text)
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}#L250`)
        const number = page.getByText('250', { exact: true })
        expect(await number.boundingBox()).toMatchObject({ y: expect.closeTo(180, -2) })
        const [linked, other] = await Promise.all(
          [number, page.getByText('251', { exact: true })].map((each) =>
            each.evaluate((element) => getComputedStyle(element).color),
          ),
        )
        expect(linked).not.toBe(other)
      },
      { javaScriptEnabled: false },
    )
  })
})

describe('wrapped lines', () => {
  it('keep their numbers beside them, and stay wrapped on the next visit', async () => {
    const { id } = await site.create(`${'long words '.repeat(200)}\nsecond\n${'x'.repeat(3_000)}\nfourth\n`)
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        await page.locator('section.text.wrapped').waitFor()
        expect(
          await page.evaluate(() => document.querySelector('section.text')?.scrollWidth),
        ).toBeLessThanOrEqual(390)
        await page.goto(`/${id}#L4`)
        await page.reload()
        expect(await page.getByRole('button', { name: 'Wrap' }).getAttribute('aria-pressed')).toBe('true')
        await page.locator('.placed-numbers span', { hasText: '4' }).waitFor()
        await expect.poll(() => getLinkedLines(page)).toMatchObject({ visible: true, line: 'fourth' })
        const distance = await page.evaluate(() => {
          const mark = document.querySelector('.numbers .linked-lines')?.getBoundingClientRect().top ?? 0
          const number = [...document.querySelectorAll('.placed-numbers span')].find(
            ({ textContent }) => textContent === '4',
          )
          return Math.abs((number?.getBoundingClientRect().top ?? 1e9) - mark)
        })
        expect(distance).toBeLessThan(2)
      },
      { viewport: { width: 390, height: 844 } },
    )
  })
})

describe('a drawing', () => {
  const QR = '█▀▀▀▀▀█ ▄▀ █▀▀▀▀▀█\n█ ███ █ ▀▄ █ ███ █\n█ ▀▀▀ █ █▄ █ ▀▀▀ █\n▀▀▀▀▀▀▀ ▀▄ ▀▀▀▀▀▀▀\n'
  /** At 14 pixels, blocks are 16 pixels high. */
  const BLOCK_HEIGHT = 16

  it('has no gaps between its lines, decrypted and embedded too', async () => {
    const { id } = await site.create(QR)
    const secret = await site.createEncrypted(QR, PASSWORD)
    await site.withPage(async (page) => {
      const getLineHeights = () =>
        page
          .locator('section.text pre')
          .evaluateAll((parts) => parts.map((part) => Number.parseFloat(getComputedStyle(part).lineHeight)))
      for (const path of [`/${id}`, `/${id}/embed`, `/${secret.id}`]) {
        await page.goto(path)
        if (path.includes(secret.id)) await enterPassword(page, PASSWORD)
        await page.locator('section.drawing').waitFor()
        expect(await getLineHeights()).toEqual([BLOCK_HEIGHT, BLOCK_HEIGHT])
      }
    })
  })
})
