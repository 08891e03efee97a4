import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, getCopied } from '../support/browser.ts'
import { chooseLanguage, fillCodeEditor, holdScript } from '../support/code-editor-page.ts'
import { signIn } from '../support/session.ts'
import { openTestSite, PASSWORD, type TestSite } from '../support/test-site.ts'
import {
  getCurrentMatch,
  getLinkedLines,
  goToLine,
  LINE_HEIGHT,
  openFind,
  press,
  waitForFindStatus,
} from '../support/viewer-page.ts'

let site: TestSite

beforeAll(async () => {
  site = await openTestSite()
})

describe('the toolbar', () => {
  it('copies the original text, and duplicates it to the home page', async () => {
    const text = '\x1B[32mgreen\x1B[0m\n😀\n'
    const { id } = await site.create(text, { language: 'plaintext', title: 'colours.txt' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'Terminal', pressed: true }).waitFor()
      await page.waitForFunction(() => CSS.highlights.has('ansi-green'))
      await press(page, 'Copy')
      await page.getByText('Copied.').waitFor()
      expect(getCopied(page)).toBe(text)
      await press(page, 'More')
      await press(page, 'Duplicate')
      await page.waitForURL('/')
      await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('colours.txt')
    })
  })

  it('makes one’s own document public and extends its expiry, each with the menu and one button', async () => {
    const { id } = await site.create('my words\n')
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        const facts = page.locator('.document-header .facts-line')
        await press(page, 'More')
        await press(page, '30 days')
        await facts.getByText('in 30 days').waitFor()
        await press(page, 'More')
        await press(page, 'Make public')
        await facts.getByText('Public').waitFor()
        await press(page, 'More')
        await page.getByRole('button', { name: 'Make unlisted' }).waitFor()
        // What it had is no extension.
        expect(await page.getByRole('button', { name: '30 days' }).count()).toBe(0)
      },
      { ...(await signIn(site.service.env, 'demo')), viewport: { width: 390, height: 844 } },
    )
  })

  it('has keys for copying, editing, the raw text and a new document', async () => {
    const { id } = await site.create('some text\n', { language: 'css' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.keyboard.press('c')
      await expect.poll(() => getCopied(page)).toBe('some text\n')
      await page.keyboard.press('?')
      const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      for (const action of ['Copy', 'Raw text', 'New document'])
        await keys.getByText(action, { exact: true }).waitFor()
      // Only what this reader may do.
      expect(await keys.getByText('Edit', { exact: true }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await page.keyboard.press('r')
      await page.waitForURL(`/r/${id}`)
      await page.goBack()
      await openFind(page)
      await page.keyboard.type('n')
      expect(new URL(page.url()).pathname).toBe(`/${id}`)
      await page.keyboard.press('Escape')
      await page.keyboard.press('n')
      await page.waitForURL('/')
    })
  })

  it('does what was clicked before its script had arrived', async () => {
    const { id } = await site.create('a long line\n', { language: 'css' })
    await site.withPage(async (page) => {
      const release = await holdScript(page, 'shared')
      await page.goto(`/${id}`, { waitUntil: 'commit' })
      await press(page, 'Wrap')
      release()
      await page.locator('section.wrapped').waitFor()
    })
  })

  it('selects one line by triple click between CRLF, and the text alone by Ctrl+A', async () => {
    const text = 'first line\r\nsecond line\r\nthird line\r\n'
    const { id } = await site.create(text)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const code = page.locator('#text')
      const getSelected = () => page.evaluate(() => getSelection()?.toString())
      const click = () => code.click({ clickCount: 3, position: { x: 20, y: LINE_HEIGHT * 1.5 } })
      // The first clicks load what selects the line.
      await click()
      await expect.poll(getSelected).toBe('second line')
      await page.locator('section.text').focus()
      await page.keyboard.press('Control+A')
      expect((await getSelected())?.trimEnd().split(/\s*\n/)).toEqual([
        'first line',
        'second line',
        'third line',
      ])
      expect(await code.getAttribute('translate')).toBe('no')
    })
  })

  it('downloads the text under its title', async () => {
    const { id } = await site.create('# My notes: today\n', { language: 'markdown' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await press(page, 'More')
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download' }).click()
      expect((await download).suggestedFilename()).toBe('My-notes-today.md')
    })
  })

  it('copies and downloads a picture in the colours of the page', async () => {
    const { id } = await site.create('const a = 1\n'.repeat(41), { language: 'markdown', title: 'My notes' })
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        await press(page, 'More')
        const asked = page.waitForRequest(/preview\.png/)
        await page.getByRole('link', { name: 'Copy as image' }).click()
        expect(new URL((await asked).url()).search).toBe('?theme=dark&lines=1-41')
        await page.getByText('Image of the first 40 lines copied.').waitFor()
        await page.evaluate(() =>
          Object.assign(navigator.clipboard, { write: () => Promise.reject(new Error()) }),
        )
        await press(page, 'More')
        const download = page.waitForEvent('download')
        await page.getByRole('link', { name: 'Copy as image' }).click()
        expect((await download).suggestedFilename()).toBe('My-notes.md.png')
      },
      { colorScheme: 'dark' },
    )
  })

  it('has what doesn’t fit for a burned document on a phone in its menu', async () => {
    const { id } = await site.create('# Title\n\nSome words.\n', {
      language: 'markdown',
      instant_delete: true,
    })
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        await press(page, 'Read and delete')
        await page.getByRole('button', { name: 'Save a copy' }).waitFor()
        expect(await page.getByRole('button', { name: 'Find' }).count()).toBe(0)
        await page.getByRole('button', { name: 'More' }).hover()
        const menu = page.locator('#more')
        await menu
          .getByRole('button', { name: 'Display', includeHidden: true })
          .waitFor({ state: 'attached' })
        await press(page, 'More')
        await menu.getByRole('button', { name: 'Display' }).click()
        await page.getByLabel('Language').waitFor()
        expect(await menu.isVisible()).toBe(false)
        await page.keyboard.press('Escape')
        await press(page, 'More')
        await menu.getByRole('button', { name: 'Find' }).click()
        await page.keyboard.type('words')
        await page.getByText('1 of 1').waitFor()
      },
      { viewport: { width: 360, height: 740 } },
    )
  })

  it('renders Markdown, and shows the source again for a link to a line', async () => {
    const { id } = await site.create(
      '# Title\n\n- *one*\n- [two](https://example.com/)\n\n| a | b |\n|---|---|\n| c | d |\n\n![a picture](/v1/document/x)\n',
      { language: 'markdown' },
    )
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        const article = page.locator('article.rendered')
        expect(await article.getByRole('heading', { level: 2 }).textContent()).toBe('Title')
        expect(await article.getByRole('listitem').count()).toBe(2)
        expect(await article.getByRole('columnheader').count()).toBe(2)
        expect(await page.locator('section.text').isVisible()).toBe(false)
        await page.evaluate(() => {
          location.hash = '#L3'
        })
        await page.locator('code#text').waitFor()
        expect(await article.isVisible()).toBe(false)
        await expect.poll(() => getLinkedLines(page)).toMatchObject({ visible: true, line: '- *one*' })
      },
      { viewport: { width: 390, height: 844 } },
    )
  })
})

describe('a language that nobody chose', () => {
  it('is detected from the text and a given title, but not from a first line that looks like a file name', async () => {
    const diff = await site.create('diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n')
    const titled = await site.create('a = 1\n', { title: 'a.rb' })
    const burned = await site.create('a = 1\n', { title: 'b.rb', instant_delete: true })
    await site.withPage(async (page) => {
      const language = page.locator('#shown-language')
      await page.goto(`/${diff.id}`)
      await language.getByText('Diff').waitFor()
      await page.goto(`/${titled.id}`)
      await language.getByText('Ruby').waitFor()
      await page.goto(`/${burned.id}`)
      await press(page, 'Read and delete')
      await page.getByRole('heading', { name: 'b.rb' }).waitFor()
      await language.getByText('Ruby').waitFor()
    })
  })
})

describe('a diff', () => {
  it('has the numbers of both files, marks changed words and no blank line', async () => {
    const text = 'diff a b\n@@ -7,3 +8,3 @@\n one\n \n-the old word\n+the new word\n'
    const { id } = await site.create(text, { language: 'diff' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await expect
        .poll(() => page.locator('.placed-numbers span').allTextContents())
        .toEqual(['      ', '      ', ' 7   8', ' 8   9', ' 9    ', '    10'])
      const getMarked = (style: string) =>
        page.evaluate(
          (name) =>
            [...(CSS.highlights.get(name) ?? [])].map(({ startContainer, startOffset, endOffset }) =>
              startContainer.textContent?.slice(startOffset, endOffset),
            ),
          style,
        )
      await expect.poll(() => getMarked('diff-added')).toEqual(['new'])
      expect(await getMarked('diff-removed')).toEqual(['old'])
      expect(await getMarked('tok-invalid')).toEqual([])
      expect(await page.locator('.line-tints > div').count()).toBe(4)
    })
  })
})

/** Returns the addresses of the links in the displayed text. */
const getLinks = (page: Page) =>
  page
    .locator('section.text pre:not(.numbers):visible a')
    .evaluateAll((links) => (links as HTMLAnchorElement[]).map(({ href, rel }) => `${rel} ${href}`))

const REL = 'noopener nofollow ugc'

describe('addresses in a text', () => {
  it('are links, also without scripts, and keep colours, copies and Find as they were', async () => {
    const text = '// see https://a.example/x.\nconst b = "https://b.example/" // (http://c.example)\n'
    const { id } = await site.create(text, { language: 'javascript' })
    const links = ['https://a.example/x', 'https://b.example/', 'http://c.example/'].map(
      (href) => `${REL} ${href}`,
    )
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        expect(await getLinks(page)).toEqual(links)
      },
      { javaScriptEnabled: false },
    )
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.waitForFunction(() => CSS.highlights.has('tok-string'))
      expect(await getLinks(page)).toEqual(links)
      await press(page, 'Copy')
      await page.getByText('Copied.').waitFor()
      expect(getCopied(page)).toBe(text)
      await (await openFind(page)).fill('b.example/"')
      await waitForFindStatus(page, '1 of 1')
      expect(await getCurrentMatch(page)).toMatchObject({ text: 'b.example/"' })
      await expectAccessible(page)
    })
  })

  it('are links in logs, decrypted and long texts once they are near the window', async () => {
    const line = '2026-11-22T12:00:00Z ERROR https://a.example/x failed\n'
    const log = await site.create(line + line, { language: 'log' })
    const lines = 'a line of some words\n'.repeat(5_000)
    const long = await site.create(`${lines}https://b.example/y\n`)
    const encrypted = await site.createEncrypted(`see https://c.example/z\n`, PASSWORD)
    const wide = await site.create(`${'x'.repeat(12_000)} https://d.example/\nhttps://e.example/\n${lines}`)
    await site.withPage(async (page) => {
      await page.goto(`/${log.id}`)
      await page.locator('pre.log a').first().waitFor()
      await expect
        .poll(() => getLinks(page))
        .toEqual([`${REL} https://a.example/x`, `${REL} https://a.example/x`])
      await page.waitForFunction(() => CSS.highlights.get('log-error')?.size === 2)
      await expectAccessible(page)
      await page.goto(`/${encrypted.id}#${encodeURIComponent(PASSWORD)}`)
      await page.locator('code#text a').waitFor()
      await expect.poll(() => getLinks(page)).toEqual([`${REL} https://c.example/z`])
      // The end of a line in segments isn't searched, since its beginning isn't known.
      await page.goto(`/${wide.id}`)
      await page.locator('code#text a').waitFor()
      await expect.poll(() => getLinks(page)).toEqual([`${REL} https://e.example/`])
      await page.goto(`/${long.id}`)
      await page.locator('.chunk').first().waitFor()
      expect(await getLinks(page)).toEqual([])
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      await page.locator('code#text a').waitFor()
      await expect.poll(() => getLinks(page)).toEqual([`${REL} https://b.example/y`])
      await goToLine(page, '5001')
      await expect.poll(() => getLinkedLines(page)).toMatchObject({ visible: true, height: LINE_HEIGHT })
    })
  })
})

describe('highlighting', () => {
  it('colours code by its language without changing the page', async () => {
    const text = 'const answer: number = 42 // "why"\n'
    const { id } = await site.create(text, { language: 'ts' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const readColoured = () =>
        page.evaluate(() =>
          ['tok-keyword', 'tok-number', 'tok-comment'].map((name) =>
            [...(CSS.highlights.get(name) ?? [])].map(({ startContainer, startOffset, endOffset }) =>
              startContainer.textContent?.slice(startOffset, endOffset),
            ),
          ),
        )
      // On a slow machine, a worker colours what the page had no time for.
      await expect.poll(readColoured).toEqual([['const'], ['42'], ['// "why"']])
      expect(await page.locator('code#text').innerHTML()).toBe(text)
    })
  })

  it('has styles only for the elements with colours or matches, also for an address within a comment', async () => {
    const text = 'const answer = 42 // see https://example.org/why for more\n'
    const { id } = await site.create(text, { language: 'ts' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const address = page.locator('code#text > a')
      await address.waitFor()
      const getMarked = (name: string) =>
        page.locator(`.${name}`).evaluateAll((all) => all.map(({ localName }) => localName))
      await expect.poll(() => getMarked('painted')).toEqual(['code', 'a'])
      const getColour = (element: Element) => getComputedStyle(element, '::highlight(tok-comment)').color
      expect(await address.evaluate(getColour)).toBe(await page.locator('code#text').evaluate(getColour))
      expect(await address.evaluate(getColour)).not.toBe(
        await page.locator('pre.numbers').evaluate(getColour),
      )
      const field = await openFind(page)
      await field.fill('see https')
      await expect.poll(() => getMarked('found')).toEqual(['code', 'a'])
      await field.fill('const')
      await expect.poll(() => getMarked('found')).toEqual(['code'])
      await page.keyboard.press('Escape')
      await expect.poll(() => getMarked('found')).toEqual([])
    })
  })

  it('limits how much of a screen full of long lines it colours', async () => {
    const { id } = await site.create(`${'a=1;'.repeat(500)}\n`.repeat(60), { language: 'javascript' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.waitForFunction(() => CSS.highlights.has('tok-number'))
      await page.mouse.wheel(0, 1_000)
      await page.waitForFunction(() => scrollY > 0)
      // The page grows as its lines are laid out, so its end isn't reached at once.
      const isLastLineColoured = () =>
        page.evaluate(() => {
          scrollTo(0, document.body.scrollHeight)
          const chunk = [...document.querySelectorAll('#text .chunk')].at(-1)
          return [...(CSS.highlights.get('tok-number') ?? [])].some(({ startContainer }) =>
            chunk?.contains(startContainer),
          )
        })
      await expect.poll(isLastLineColoured).toBe(true)
      expect(await page.evaluate(() => CSS.highlights.get('tok-number')?.size)).toBeLessThan(12_000)
    })
  })

  it.each(['light', 'dark'] as const)('uses the colours of the code editor: %s', async (colorScheme) => {
    const styles = ['tok-keyword', 'tok-number', 'tok-comment']
    const text = 'const answer: number = 42 // "why"\n'
    const { id } = await site.create(text, { language: 'ts' })
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        await page.waitForFunction(() => CSS.highlights.has('tok-keyword'))
        const inViewer = await page
          .locator('code#text')
          .evaluate(
            (code, names) => names.map((name) => getComputedStyle(code, `::highlight(${name})`).color),
            styles,
          )
        await page.goto('/')
        await fillCodeEditor(page, text)
        await chooseLanguage(page, 'typescript')
        await page.locator('.tok-keyword').waitFor()
        const inCodeEditor = await Promise.all(
          styles.map((name) => page.locator(`.${name}`).evaluate((token) => getComputedStyle(token).color)),
        )
        expect(inViewer).toEqual(inCodeEditor)
        expect(new Set(inViewer).size).toBe(styles.length)
      },
      { colorScheme },
    )
  })
})
