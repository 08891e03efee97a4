import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CODE_EDITOR_FILES } from '../../../src/ui/assets.generated.ts'
import {
  codeEditor,
  codeEditorText,
  fetchText,
  fillCodeEditor,
  isFocused,
  languageValue,
  openCreatePage,
  openFile,
  replaceByFile,
  shareDocument,
} from '../support/code-editor-page.ts'
import { openTestSite } from '../support/test-site.ts'

const site = await openTestSite()

describe('the code editor', () => {
  it('takes over the text, the selection and what can be undone', async () => {
    await site.withPage(async (page) => {
      const released = Promise.withResolvers<void>()
      await page.route(`**${CODE_EDITOR_FILES[0]}`, async (route) => {
        await released.promise
        await route.continue()
      })
      await page.goto('/')
      const textarea = page.locator('textarea')
      await page.locator('.share kbd').waitFor()
      await page.keyboard.type('one two')
      await textarea.evaluate((element) => (element as HTMLTextAreaElement).blur())
      await textarea.focus()
      await page.keyboard.press('Control+Shift+ArrowLeft')
      released.resolve()
      await page.locator('.cm-content').waitFor()
      expect(await isFocused(page)).toBe(true)
      await page.keyboard.type('2')
      expect(await codeEditorText(page)).toBe('one 2')
      for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Control+z')
      expect(await codeEditorText(page)).toBe('')
    })
  })

  it('indents with Tab, and is left with Escape and Tab', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.press('Tab')
      await page.keyboard.type('x')
      expect(await codeEditorText(page)).toMatch(/^\s+x$/)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Tab')
      expect(await isFocused(page)).toBe(false)
    })
  })

  it('replaces highlighted text without violating the content security policy', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await openFile(page, 'a.py', '# a comment\nx = 1\n# the last')
      for (const text of ['# second\n# third', '# fourth', 'x = "fifth"']) {
        await page.locator('.tok-comment').first().waitFor()
        // fill() selects and types in one go, as some assistive tools do.
        await fillCodeEditor(page, text)
        expect(await codeEditorText(page)).toBe(text)
      }
      await page.keyboard.press('Control+z')
      await page.getByText('# fourth').waitFor()
    })
  })

  it('wraps lines and shows hidden characters, but not thousands in a line, which would freeze the page', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      const wraps = () =>
        codeEditor(page).evaluate((element) => getComputedStyle(element).whiteSpace === 'break-spaces')
      expect(await wraps()).toBe(true)
      const hostile = 'abc \u202Eדעה\u202C 12 '.repeat(5_000)
      await openFile(page, 'a.txt', hostile)
      await expect.poll(wraps).toBe(false)
      expect(await page.locator('.cm-specialChar').count()).toBe(0)
      await page.getByText('hidden ones aren’t shown here').waitFor()
      await replaceByFile(page, 'b.txt', `\u202E${'word '.repeat(10_000)}`)
      await expect.poll(wraps).toBe(true)
      expect(await page.locator('.cm-specialChar').count()).toBe(1)
      expect(await page.getByText('hidden ones aren’t shown here').count()).toBe(0)
    })
  })

  it('edits a line of megabytes, which it doesn’t wrap, since that would freeze the page', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      const line = 'word '.repeat(200_000)
      await openFile(page, 'a.txt', line)
      const getWhiteSpace = () => codeEditor(page).evaluate((element) => getComputedStyle(element).whiteSpace)
      await expect.poll(getWhiteSpace).toBe('pre')
      await page.keyboard.press('Control+End')
      await page.keyboard.type('end')
      expect(await fetchText(await shareDocument(page))).toBe(`${line}end`)
    })
  })

  it('colours code, but no line of thousands of tokens, which would freeze the page', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      const coloured = page.locator('.cm-line [class^="tok-"]')
      await openFile(page, 'a.html', '<b>bold</b>\n'.repeat(100))
      await coloured.first().waitFor()
      await replaceByFile(page, 'b.html', '<b>'.repeat(20_000))
      await expect.poll(() => coloured.count()).toBe(0)
      await replaceByFile(page, 'c.html', '<b>bold</b>\n'.repeat(100))
      await coloured.first().waitFor()
      await replaceByFile(page, 'd.json', `${'['.repeat(3_000)}1${']'.repeat(3_000)}`)
      await expect.poll(() => coloured.count()).toBe(0)
      await replaceByFile(page, 'c.html', '<b>bold</b>\n'.repeat(100))
      await coloured.first().waitFor()
    })
  })

  it('finds text', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('one two three')
      await page.keyboard.press('Control+f')
      await page.keyboard.type('two')
      await page.keyboard.press('Enter')
      await page.locator('.cm-searchMatch-selected').waitFor()
    })
  })
})

const MIXED = 'This text has mixed line breaks'

describe('a file', () => {
  it('is opened byte for byte, with the language of its name', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      const text = '\uFEFFfn main() {}\r\n// 😀\r\n'
      await openFile(page, 'main.rs', text)
      await page.locator('.tok-keyword').first().waitFor()
      expect(await languageValue(page)).toBe('rust')
      expect(await page.getByLabel('Title or file name').inputValue()).toBe('main.rs')
      expect(await fetchText(await shareDocument(page))).toBe(text)
    })
  })

  it('keeps mixed line breaks until it is changed, and says so', async () => {
    await site.withPage(async (page) => {
      const text = 'a\r\nb\nc\rd'
      await openCreatePage(page)
      await openFile(page, 'mixed.txt', text)
      await page.getByText(MIXED).waitFor()
      await page.reload()
      await page.getByText('Draft restored').waitFor()
      expect(await fetchText(await shareDocument(page))).toBe(text)
      await openCreatePage(page)
      await openFile(page, 'mixed.txt', text)
      await page.getByText(MIXED).waitFor()
      await page.keyboard.type('!')
      expect(await fetchText(await shareDocument(page))).toBe('!a\nb\nc\nd')
    })
  })

  it.each(['a\r\nb\nc\rd', 'a\r\nb\r\n'])(
    'keeps its line breaks if it is deleted and that is undone: %j',
    async (text) => {
      await site.withPage(async (page) => {
        await openCreatePage(page)
        await openFile(page, 'a.txt', text)
        await page.getByText('Opened').waitFor()
        await page.keyboard.press('Control+a')
        await page.keyboard.press('Delete')
        expect(await codeEditorText(page)).toBe('')
        await page.keyboard.press('Control+z')
        expect(await fetchText(await shareDocument(page))).toBe(text)
      })
    },
  )

  it('keeps CR line breaks, and is converted from UTF-16, and each is named', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await openFile(page, 'mac.txt', 'one\rtwo\rthree')
      await page.getByText('Its lines end with CR, and stay so.').waitFor()
      await expect.poll(() => page.locator('.cm-line').count()).toBe(3)
      await page.keyboard.type('!')
      const address = await shareDocument(page)
      expect(await fetchText(address)).toBe('!one\rtwo\rthree')
      await page.getByText('CR line breaks').waitFor()
      await openCreatePage(page)
      await openFile(page, 'wide.txt', new Uint8Array([0xff, 0xfe, 0x68, 0, 0xe9, 0]))
      await page.getByText('It was UTF-16LE, and is UTF-8 now.').waitFor()
      expect(await fetchText(await shareDocument(page))).toBe('hé')
    })
  })

  it('can be opened in the place of a text, and that can be undone', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('written before')
      await replaceByFile(page, 'one.txt', 'one')
      await page.getByText('Opened “one.txt”').waitFor()
      expect(await codeEditorText(page)).toBe('one')
      await page.keyboard.press('Control+z')
      expect(await codeEditorText(page)).toBe('written before')
    })
  })

  it('is refused if it is not text, and nothing is lost', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('kept')
      await openFile(page, 'a.bin', new Uint8Array([0xff, 0xfe, 0x00]))
      await page.getByRole('alert').filter({ hasText: 'it isn’t a text file' }).waitFor()
      expect(await codeEditorText(page)).toBe('kept')
      await page.locator('.cm-content').evaluate((element) => {
        const clipboardData = new DataTransfer()
        clipboardData.items.add(new File(['PNG'], 'image.png', { type: 'image/png' }))
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      })
      await page
        .getByRole('alert')
        .filter({ hasText: 'it’s an image, and only text can be shared' })
        .waitFor()
      expect(await codeEditorText(page)).toBe('kept')
    })
  })

  it('can be dropped anywhere on the page, and the code editor shows where it goes', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      const drag = (type: string, target: string) =>
        page.evaluate(
          ([type, target]) => {
            const dataTransfer = new DataTransfer()
            dataTransfer.items.add(new File(['# dropped\n\ntext'], 'notes.md'))
            const options = { dataTransfer, bubbles: true, cancelable: true }
            document.querySelector(target ?? '')?.dispatchEvent(new DragEvent(type ?? '', options))
          },
          [type, target],
        )
      await drag('dragover', '.cm-content')
      expect(await page.locator('form.dropping').count()).toBe(1)
      await drag('drop', '.masthead')
      await page.getByText('# dropped').waitFor()
      expect(await page.locator('form.dropping').count()).toBe(0)
      expect(await languageValue(page)).toBe('markdown')
    })
  })
})

interface TestGlobals {
  readonly paste: DataTransfer
  readonly drop: DataTransfer
}

/** Prepares the files in the page, since sending 10 MiB there would block it. */
const prepareLargeFiles = (page: Page, line: string, lines: number) =>
  page.evaluate(
    ([line, lines]) => {
      const text = line.repeat(lines)
      const paste = new DataTransfer()
      paste.setData('text/plain', text)
      const drop = new DataTransfer()
      drop.items.add(new File([text], 'big.log'))
      Object.assign(globalThis, { paste, drop })
    },
    [line, lines] as const,
  )

describe('a text of 10 MiB', () => {
  it('is opened, pasted and saved', async () => {
    await site.withPage(async (page) => {
      const line = 'a line of a text that is rather long, “as logs are” 😀\n'
      const lines = 171_890
      await openCreatePage(page)
      await prepareLargeFiles(page, line, lines)
      await page.evaluate(() => {
        const { drop } = globalThis as typeof globalThis & TestGlobals
        const options = { dataTransfer: drop, bubbles: true, cancelable: true }
        document.querySelector('.cm-content')?.dispatchEvent(new DragEvent('drop', options))
      })
      await page.getByText('Opened “big.log”.').waitFor()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('end')
      await page.keyboard.press('Control+a')
      await page.evaluate(() => {
        const { paste } = globalThis as typeof globalThis & TestGlobals
        const options = { clipboardData: paste, bubbles: true, cancelable: true }
        document.querySelector('.cm-content')?.dispatchEvent(new ClipboardEvent('paste', options))
      })
      await page.keyboard.type('x')
      await page.keyboard.press('Backspace')
      const link = await shareDocument(page)
      expect((await fetchText(link)) === line.repeat(lines)).toBe(true)
    })
  })
})
