import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { formatArchive, type TextFile } from '../../../src/shared/txtar.ts'
import { unzip } from '../../support/unzip.ts'
import { expectComplete, expectCompleteInLooks, getCopied } from '../support/browser.ts'
import { enterPassword, openTestSite, PASSWORD, shownText, waitForAlert } from '../support/test-site.ts'
import {
  getCurrentMatch,
  getTools,
  goToLine,
  openFind,
  press,
  waitForFindStatus,
} from '../support/viewer-page.ts'

const site = await openTestSite()

const MAIN = 'import sys\n\nprint(sys.argv)  # https://example.org\n'
const LOG = Array.from({ length: 800 }, (_, index) => `request ${index + 1}\n`).join('')
const FILES = [
  { name: 'main.py', content: MAIN },
  { name: 'README.md', content: '# Adder\n\nAdds **numbers**.\n' },
  { name: 'server.log', content: LOG },
  { name: 'conf/app.toml', content: 'debug = true\r\nname = "x"' },
]

const share = async (files: readonly TextFile[] = FILES) =>
  (await site.create(formatArchive(files), { language: 'txtar' })).id

/** A name is the label of its text, too. */
const getFile = (page: Page, name: string) => page.locator(`article.file[data-name="${name}"]`)

const getTop = (page: Page, name: string) =>
  getFile(page, name).evaluate((file) => Math.round(file.getBoundingClientRect().top))

/** The lines that are marked, as one reads them. */
const getMarked = (page: Page, name: string) =>
  getFile(page, name)
    .locator('pre:not(.numbers) > .linked-lines')
    .evaluate((mark) => {
      const { top, bottom } = mark.getBoundingClientRect()
      const text = mark.parentElement?.querySelector('code')?.getBoundingClientRect().top ?? 0
      return [Math.round((top - text) / 22) + 1, Math.round((bottom - text) / 22)]
    })

const countColours = (page: Page, name: string) =>
  getFile(page, name).evaluate((file) => {
    const ranges = [...CSS.highlights.entries()].filter(([style]) => style.startsWith('tok-'))
    return ranges
      .flatMap(([, highlight]) => [...highlight])
      .filter((range) => file.contains(range.startContainer)).length
  })

describe('the page of several files', () => {
  it('renders README.md first, colours each file by its own language, and links lines of each', async () => {
    const id = await share()
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await getFile(page, 'README.md').getByRole('heading', { name: 'Adder' }).waitFor()
      for (const name of ['main.py', 'conf/app.toml'])
        await expect.poll(() => countColours(page, name)).toBeGreaterThan(1)
      await getFile(page, 'conf/app.toml')
        .locator('.numbers')
        .click({ position: { x: 20, y: 45 } })
      await expect.poll(() => new URL(page.url()).hash).toBe('#conf-app-toml-L2')
      await getFile(page, 'conf/app.toml')
        .locator('.numbers')
        .click({ position: { x: 20, y: 22 }, modifiers: ['Shift'] })
      await expect.poll(() => new URL(page.url()).hash).toBe('#conf-app-toml-L1-L2')
      expect(await getMarked(page, 'conf/app.toml')).toEqual([1, 2])
      // The first file of the document, which README.md comes before.
      await page.goto(`/${id}#L3`)
      await expect.poll(() => getMarked(page, 'main.py')).toEqual([3, 3])
      await press(getFile(page, 'README.md'), 'Source')
      expect(await getFile(page, 'README.md').locator('code').innerText()).toBe(FILES[1]?.content)
      await press(getFile(page, 'README.md'), 'Rendered')
      await getFile(page, 'README.md').getByRole('heading', { name: 'Adder' }).waitFor()
    })
  })

  it('shows a file as a table or a tree, and its source for what is found in it', async () => {
    const id = await share([
      { name: 'a.py', content: MAIN },
      { name: 'a.csv', content: 'name,amount\nAnna,1\nBert,2\n' },
      { name: 'a.json', content: '{"name": "Anna", "list": [1, 2]}\n' },
    ])
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const [table, tree] = [getFile(page, 'a.csv'), getFile(page, 'a.json')]
      // The second click comes while the first one loads its code.
      await table.getByRole('button', { name: 'Table' }).evaluate((button: HTMLElement) => {
        button.click()
        button.click()
      })
      await press(tree, 'Tree')
      await tree.getByRole('button', { name: 'list' }).waitFor()
      expect(await table.getByRole('table').count()).toBe(0)
      await press(table, 'Table')
      await table.getByRole('cell', { name: 'Bert' }).waitFor()
      await tree.getByRole('button', { name: 'list' }).waitFor()
      await expectCompleteInLooks(page)
      const field = await openFind(page)
      await field.fill('Bert')
      await expect.poll(() => getCurrentMatch(page)).toMatchObject({ text: 'Bert', visible: true })
      expect(await table.getByRole('table').count()).toBe(0)
      await press(table, 'Table')
      await table.getByRole('cell', { name: 'Bert' }).waitFor()
      await press(tree, 'Source')
      expect(await tree.locator('section.text').isVisible()).toBe(true)
    })
  })

  it('opens a file that is switched to another view', async () => {
    const id = await share([
      { name: 'a.py', content: MAIN },
      { name: 'a.json', content: '{"name": "Anna", "list": [1, 2]}\n' },
      { name: 'b.json', content: '{"name": "Bert", "list": [1, 2]}\n' },
    ])
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const [one, other] = [getFile(page, 'a.json'), getFile(page, 'b.json')]
      await one.locator('summary').click()
      await press(one, 'Tree')
      await one.getByRole('button', { name: 'list' }).waitFor()
      // It's closed again while the tree is loading.
      await other.getByRole('button', { name: 'Tree' }).evaluate((button: HTMLElement) => {
        button.click()
        button.closest('article')?.querySelector('summary')?.click()
      })
      await other.locator('.json-view:not(.preparing)').waitFor({ state: 'attached' })
      await other.locator('summary').click()
      await other.getByRole('button', { name: 'list' }).waitFor()
    })
  })

  it('colours the levels of a log, and shows escape sequences as a terminal does', async () => {
    const coloured = Array.from({ length: 30 }, (_, index) => `\u001b[32mok\u001b[0m ${index + 1}\n`).join('')
    const id = await share([
      { name: 'app.log', content: '2026-11-20 10:00:00 ERROR no disk\n2026-11-20 10:00:01 INFO ready\n' },
      { name: 'build.txt', content: coloured },
      { name: 'test.log', content: coloured },
    ])
    const count = (page: Page, name: string, style: string) =>
      getFile(page, name).evaluate(
        (file, style) =>
          [...(CSS.highlights.get(style) ?? [])].filter((range) => file.contains(range.startContainer))
            .length,
        style,
      )
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await expect.poll(() => count(page, 'app.log', 'log-error')).toBe(1)
      for (const name of ['build.txt', 'test.log']) {
        const terminal = getFile(page, name).locator('pre.terminal')
        await expect.poll(() => terminal.innerText()).toContain('ok 30')
        await expect.poll(() => count(page, name, 'ansi-green')).toBeGreaterThan(5)
      }
      expect(await count(page, 'app.log', 'log-error')).toBe(1)
      await getFile(page, 'test.log')
        .locator('.numbers')
        .click({ position: { x: 20, y: 45 } })
      await expect.poll(() => new URL(page.url()).hash).toBe('#test-log-L2')
      const link = page.url()
      await page.goto('about:blank')
      await page.goto(link)
      await getFile(page, 'test.log').locator('pre.terminal > .linked-lines').waitFor()
      await press(getFile(page, 'test.log'), 'Source')
      expect(await getFile(page, 'test.log').locator('pre.terminal').count()).toBe(0)
    })
  })

  it('shows the beginning of a long file, all of it on request, and what a link leads to', async () => {
    const id = await share()
    const isShown = (page: Page) =>
      getFile(page, 'server.log')
        .locator('pre:not(.numbers)')
        .evaluate((pre: HTMLElement) => pre.offsetHeight > 10_000)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await getFile(page, 'README.md').getByRole('heading', { name: 'Adder' }).waitFor()
      expect(await isShown(page)).toBe(false)
      await getFile(page, 'server.log').getByRole('button', { name: 'Show all 800 lines' }).press('Enter')
      expect(await isShown(page)).toBe(true)
      expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('server.log')
      await page.goto('about:blank')
      await page.goto(`/${id}#server-log-L700`)
      await expect.poll(() => getMarked(page, 'server.log')).toEqual([700, 700])
      await expect
        .poll(() =>
          getFile(page, 'server.log')
            .locator('pre:not(.numbers) > .linked-lines')
            .evaluate((mark) => {
              const { top, bottom } = mark.getBoundingClientRect()
              return top > 0 && bottom < innerHeight
            }),
        )
        .toBe(true)
    })
  })

  it('shows all of a long file once the keyboard reaches a link below its first lines', async () => {
    const links = Array.from({ length: 620 }, (_, index) => `https://example.org/${index + 1}\n`).join('')
    const id = await share([
      { name: 'a.txt', content: links },
      { name: 'b.txt', content: links },
    ])
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const file = getFile(page, 'a.txt')
      const showAll = file.getByRole('button', { name: 'Show all' })
      const isFocused = (text: string) =>
        page.evaluate((text) => document.activeElement?.textContent === text, text)
      await file.getByRole('link', { name: 'https://example.org/19', exact: true }).focus()
      await page.keyboard.press('Tab')
      expect(await isFocused('https://example.org/20')).toBe(true)
      expect(await showAll.count()).toBe(1)
      await page.keyboard.press('Tab')
      expect(await isFocused('https://example.org/21')).toBe(true)
      expect(await showAll.count()).toBe(0)
      expect(
        await page.evaluate(() => {
          const { left, top } = document.activeElement?.getBoundingClientRect() ?? new DOMRect()
          return document.elementFromPoint(left + 2, top + 2) === document.activeElement
        }),
      ).toBe(true)
    })
  })

  it('is searched as one, also what is folded or hidden', async () => {
    const id = await share()
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await getFile(page, 'README.md').getByRole('heading', { name: 'Adder' }).waitFor()
      await getFile(page, 'conf/app.toml').locator('summary').click()
      const field = await openFind(page)
      await field.fill('debug')
      await waitForFindStatus(page, '1 of 1')
      await expect.poll(() => getCurrentMatch(page)).toMatchObject({ text: 'debug', visible: true })
      await field.fill('request 789')
      await expect.poll(() => getCurrentMatch(page)).toMatchObject({ text: 'request 789', visible: true })
      await field.fill('numbers')
      await expect.poll(() => getCurrentMatch(page)).toMatchObject({ text: 'numbers', visible: true })
      // A match doesn't go from one file to the next.
      await field.fill('"xrequest')
      await waitForFindStatus(page, 'No matches')
    })
  })

  it('is copied a file at a time or as Markdown, and downloaded as a ZIP file', async () => {
    const id = await share()
    await site.withPage(async (page) => {
      await page.goto(`/${id}#conf-app-toml`)
      await press(getFile(page, 'main.py').locator('.file-tools'), 'Copy')
      await expect.poll(() => getCopied(page)).toBe(MAIN)
      await press(getTools(page), 'More')
      await press(getTools(page), 'Copy all as Markdown')
      await expect.poll(() => getCopied(page)).not.toBe(MAIN)
      const all = getCopied(page)
      expect(all.startsWith(`\`main.py\`\n\n\`\`\`python\n${MAIN}\`\`\`\n\n\`README.md\``)).toBe(true)
      expect(all.endsWith('`conf/app.toml`\n\n```toml\ndebug = true\r\nname = "x"\n```\n')).toBe(true)
      const saved = page.waitForEvent('download')
      await press(getTools(page), 'More')
      await getTools(page).getByRole('link', { name: 'Download' }).click()
      const download = await saved
      expect(download.suggestedFilename()).toBe('main.zip')
      const zipped = unzip(await readFile(await download.path()))
      expect([...zipped]).toEqual(FILES.map(({ name, content }) => [name, content]))
      const menu = getFile(page, 'main.py')
      await press(menu, 'More')
      await menu.getByRole('link', { name: 'Copy link' }).click()
      await expect.poll(() => getCopied(page)).toMatch(new RegExp(`/${id}#main-py$`))
    })
  })

  it('duplicates all files', async () => {
    const id = await share()
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await press(getTools(page), 'More')
      await press(getTools(page), 'Duplicate')
      await page.waitForURL('**/')
      await expect
        .poll(async () => (await page.getByRole('tab').allInnerTexts()).map((tab) => tab.split('\n', 1)[0]))
        .toEqual(FILES.map(({ name }) => name))
    })
  })

  it('goes to a line of the file in view, wraps all, and says that a file is missing', async () => {
    const id = await share()
    await site.withPage(async (page) => {
      await page.goto(`/${id}#server-log`)
      await goToLine(page, '5')
      await expect.poll(() => new URL(page.url()).hash).toBe('#server-log-L5')
      await page.keyboard.press('Escape')
      await page.keyboard.press('w')
      await expect.poll(() => page.locator('section.text.wrapped').count()).toBe(4)
      await page.goto(`/${id}#old-py-L3`)
      await page.getByRole('status').filter({ hasText: 'no file for the link #old-py' }).waitFor()
    })
  })

  it('wraps long lines in a narrow window', async () => {
    const long = `const list = [${'"a value of the list", '.repeat(8)}]\n`
    const id = await share([
      { name: 'a.js', content: long },
      { name: 'b.js', content: long },
    ])
    const options = { viewport: { width: 390, height: 844 } }
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await expect.poll(() => page.locator('section.text.wrapped').count()).toBe(2)
      await expectComplete(page)
    }, options)
  })

  it('lists many files in a menu, and beside them on a wide screen', async () => {
    const files = Array.from({ length: 12 }, (_, index) => ({
      name: `src/part${index}.py`,
      content: MAIN.repeat(9),
    }))
    const id = await share(files)
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        const list = page.getByRole('navigation', { name: 'Files' })
        const link = list.getByRole('link', { name: 'src/part7.py' })
        await link.click()
        await expect.poll(() => link.getAttribute('aria-current')).toBe('location')
        expect(await getTop(page, 'src/part7.py')).toBeLessThan(60)
        await page.setViewportSize({ width: 390, height: 844 })
        await list.waitFor({ state: 'hidden' })
        await press(getTools(page), 'Files 12')
        await list.getByRole('link', { name: 'src/part2.py' }).click()
        await list.waitFor({ state: 'hidden' })
        await expect.poll(() => getTop(page, 'src/part2.py')).toBeLessThan(110)
        expect((await getTools(page).boundingBox())?.height).toBeLessThan(60)
        await expectCompleteInLooks(page)
      },
      { viewport: { width: 1_280, height: 800 } },
    )
  })

  it('prints all files that are open, with their names and numbered lines', async () => {
    const id = await share()
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await getFile(page, 'README.md').getByRole('heading', { name: 'Adder' }).waitFor()
      await getFile(page, 'conf/app.toml').locator('summary').click()
      await page.emulateMedia({ media: 'print' })
      await expect.poll(() => getFile(page, 'server.log').locator('.print-lines li').count()).toBe(800)
      await getFile(page, 'README.md').getByRole('heading', { name: 'Adder' }).waitFor()
      expect(await getFile(page, 'main.py').locator('.print-lines li').allInnerTexts()).toEqual(
        MAIN.trimEnd().split('\n'),
      )
      expect(await getFile(page, 'conf/app.toml').locator('.print-lines').isVisible()).toBe(false)
      expect(
        await page
          .locator('.file-tools, [data-tool="file-all"], .menu')
          .evaluateAll((all) => all.filter((each) => each.checkVisibility()).length),
      ).toBe(0)
    })
  })

  it('is complete without scripts', async () => {
    const id = await share()
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}#server-log`)
        expect(await getTop(page, 'server.log')).toBeLessThan(60)
        const log = getFile(page, 'server.log')
        expect(
          await log.locator('pre:not(.numbers)').evaluate((pre: HTMLElement) => pre.offsetHeight > 10_000),
        ).toBe(true)
        expect(await log.getByRole('button').allInnerTexts()).toEqual(['More'])
        expect(await getFile(page, 'main.py').locator('.numbers').innerText()).toBe('1\n2\n3')
      },
      { javaScriptEnabled: false },
    )
  })

  it('is the same once a browser has decrypted it, with the source beside it', async () => {
    const files = [...FILES, { name: 'b.py', content: 'x = 1 \u202E# 2\n' }]
    const { id } = await site.createEncrypted(formatArchive(files), PASSWORD, { language: 'txtar' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}?file=conf%2Fapp.toml`)
      await enterPassword(page, PASSWORD)
      await getFile(page, 'README.md').getByRole('heading', { name: 'Adder' }).waitFor()
      await expect.poll(() => countColours(page, 'conf/app.toml')).toBeGreaterThan(1)
      expect(await page.locator('article.file:not(.source) summary h2').allTextContents()).toEqual([
        'README.md',
        'main.py',
        'server.log',
        'conf/app.toml',
        'b.py',
      ])
      expect(await page.locator('.facts-line').innerText()).toContain('5 files')
      expect(await getFile(page, 'server.log').locator('.file-facts').innerText()).toBe(
        'Log · 800 lines · 9.3 KiB',
      )
      await getFile(page, 'server.log').getByRole('button', { name: 'Show all 800 lines' }).waitFor()
      expect(await getFile(page, 'main.py').locator('.numbers').innerText()).toBe('1\n2\n3')
      await press(getTools(page), 'Files 5')
      await page.getByRole('navigation', { name: 'Files' }).getByRole('link', { name: 'main.py' }).click()
      await expect.poll(() => new URL(page.url()).hash).toBe('#user-content-main-py')
      await getFile(page, 'b.py').getByRole('note').getByRole('link').click()
      await expect.poll(() => getMarked(page, 'b.py')).toEqual([1, 1])
      await expectCompleteInLooks(page)
      await press(getTools(page), 'Source')
      const field = await openFind(page)
      await field.fill('-- main.py --')
      await waitForFindStatus(page, '1 of 1')
      await page.keyboard.press('Escape')
      await press(getTools(page), 'Copy')
      await expect.poll(() => getCopied(page)).toBe(formatArchive(files))
      await press(getTools(page), 'Files')
      await getFile(page, 'main.py').locator('summary').waitFor()
      const saved = page.waitForEvent('download')
      await press(getTools(page), 'More')
      await getTools(page).getByRole('link', { name: 'Download' }).click()
      const zipped = unzip(await readFile(await (await saved).path()))
      expect([...zipped]).toEqual(files.map(({ name, content }) => [name, content]))
    })
  })

  it('is there for an encrypted archive of which only the text tells, unless somebody chose its language', async () => {
    const files = FILES.slice(0, 2)
    const made = await site.createEncrypted(formatArchive(files), PASSWORD)
    const chosen = await site.createEncrypted(formatArchive(files), PASSWORD, { language: 'plaintext' })
    await site.withPage(async (page) => {
      await page.goto(`/${made.id}`)
      await enterPassword(page, PASSWORD)
      await getFile(page, 'README.md').getByRole('heading', { name: 'Adder' }).waitFor()
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('main.py')
      await page.goto(`/${chosen.id}`)
      await enterPassword(page, PASSWORD)
      await page.locator('#text').filter({ hasText: '-- README.md --' }).waitFor()
      expect(await page.locator('article.file').count()).toBe(0)
    })
  })

  it('numbers no more lines of all its decrypted files than of one text', async () => {
    const lines = [150_000, 100_000, 10]
    const files = lines.map((count, index) => ({ name: `${index}.txt`, content: 'a\n'.repeat(count) }))
    const { id } = await site.createEncrypted(formatArchive(files), PASSWORD, { language: 'txtar' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await enterPassword(page, PASSWORD)
      const countNumbers = () =>
        Promise.all(files.map(({ name }) => getFile(page, name).locator('.numbers').count()))
      await expect.poll(countNumbers).toEqual([1, 0, 1])
    })
  })

  it('is there for the one reader of a document that burns, and says which file a link lacks', async () => {
    const { id } = await site.createEncrypted(formatArchive(FILES), PASSWORD, {
      language: 'txtar',
      instant_delete: true,
    })
    await site.withPage(async (page) => {
      await page.goto(`/${id}?file=old.py`)
      await enterPassword(page, PASSWORD)
      await getFile(page, 'main.py').locator('summary').waitFor()
      await page.getByRole('status').filter({ hasText: 'no file “old.py”' }).waitFor()
      const menu = getFile(page, 'main.py')
      await press(menu, 'More')
      expect(await menu.locator('.menu').getByRole('link').allInnerTexts()).toEqual(['Download'])
      await page.keyboard.press('Escape')
      await press(menu.locator('.file-tools'), 'Copy')
      await expect.poll(() => getCopied(page)).toBe(MAIN)
    })
  })

  it('is there as one text if a document burned, and the code that shows files can’t be loaded', async () => {
    const { id } = await site.createEncrypted(formatArchive(FILES), PASSWORD, {
      language: 'txtar',
      instant_delete: true,
    })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await enterPassword(page, 'wrong')
      await waitForAlert(page, 'Nothing was deleted')
      await page.route('**/assets/immutable/*.js', async (route) => {
        const response = await route.fetch()
        const body = await response.text()
        if (body.includes('files-prototype')) await route.abort()
        else await route.fulfill({ response, body })
      })
      await enterPassword(page, PASSWORD)
      await page.getByRole('status').filter({ hasText: 'has been deleted' }).waitFor()
      expect(await shownText(page)).toBe(formatArchive(FILES))
    })
  })
})
