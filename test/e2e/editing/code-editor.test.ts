import { describe, expect, it } from 'vitest'
import { expectComplete } from '../support/browser.ts'
import {
  codeEditor,
  codeEditorText,
  isFocused,
  openCreatePage,
  openFile,
} from '../support/code-editor-page.ts'
import { openTestSite } from '../support/test-site.ts'

const site = await openTestSite()

describe('the code editor', () => {
  it('takes over the text, the selection and what can be undone', async () => {
    await site.withPage(async (page) => {
      const released = Promise.withResolvers<void>()
      await page.route('**/assets/immutable/code-editor-*.js', async (route) => {
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
        await codeEditor(page).fill(text)
        expect(await codeEditorText(page)).toBe(text)
      }
      await page.keyboard.press('Control+z')
      await page.getByText('# fourth').waitFor()
    })
  })

  it('wraps lines, but none of thousands of special characters, which would freeze the page', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      const wraps = () =>
        codeEditor(page).evaluate((element) => getComputedStyle(element).whiteSpace === 'break-spaces')
      expect(await wraps()).toBe(true)
      const hostile = 'abc \u202Eדעה\u202C 12 '.repeat(5_000)
      await openFile(page, 'a.txt', hostile)
      expect(await wraps()).toBe(false)
      expect(await page.locator('.cm-specialChar').count()).toBeLessThan(500)
      await openFile(page, 'b.txt', 'word '.repeat(10_000))
      expect(await wraps()).toBe(true)
    })
  })

  it('finds text in an accessible panel', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('one two three')
      await page.keyboard.press('Control+f')
      await page.keyboard.type('two')
      await page.keyboard.press('Enter')
      await page.locator('.cm-searchMatch-selected').waitFor()
      await expectComplete(page)
    })
  })
})
