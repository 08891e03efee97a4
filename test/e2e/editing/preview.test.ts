import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { MAX_RENDERED } from '../../../src/shared/display.ts'
import { expectComplete } from '../support/browser.ts'
import {
  chooseLanguage,
  codeEditor,
  codeEditorText,
  fillCodeEditor,
  openCreatePage,
} from '../support/code-editor-page.ts'
import { openTestSite } from '../support/test-site.ts'

const site = await openTestSite()
const writer = await site.signIn('preview-writer')

const TEXT = '# Plan\n\n- [ ] write it\n'

const DESKTOP = { width: 1280, height: 720 }
const PHONE = { width: 390, height: 844 }

const previewButton = (page: Page) => page.getByRole('button', { name: 'Preview', exact: true })
const preview = (page: Page) => page.getByRole('article', { name: 'Preview' })

/** Opens the home page with a Markdown text. */
async function openHomePage(page: Page): Promise<void> {
  await openCreatePage(page)
  await chooseLanguage(page, 'markdown')
  await fillCodeEditor(page, TEXT)
}

/** Opens the page that edits a Markdown document. */
async function openEditPage(page: Page): Promise<void> {
  const { id } = await site.create(TEXT, { language: 'markdown', editors: ['preview-writer'] })
  await page.goto(`/${id}/edit`)
  await page.locator('.cm-content').waitFor()
}

const PAGES = [
  ['the home page', openHomePage],
  ['the page that edits', openEditPage],
] as const

const withPage = (options: BrowserContextOptions, journey: (page: Page) => Promise<void>) =>
  site.withPage(journey, { ...writer, ...options })

const getEdges = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox()
  return { left: box?.x ?? 0, right: (box?.x ?? 0) + (box?.width ?? 0), top: box?.y ?? 0 }
}

describe.each(PAGES)('the preview of Markdown on %s', (_, open) => {
  it('is next to the text on a desktop, follows typing, and opens and closes by keyboard', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await open(page)
      await previewButton(page).focus()
      await page.keyboard.press('Enter')
      await preview(page).getByRole('heading', { name: 'Plan' }).waitFor()
      const [editor, article] = [await getEdges(page, '.cm-editor'), await getEdges(page, 'article.rendered')]
      expect(article.left).toBeGreaterThanOrEqual(editor.right)
      expect(article.top).toBe(editor.top)
      await expectComplete(page)

      await codeEditor(page).focus()
      await page.keyboard.press('Control+End')
      await page.keyboard.insertText('- [x] and read it\n')
      await preview(page).getByText('and read it').waitFor()
      // Tab indents, unless Escape comes first.
      await page.keyboard.press('Escape')
      await page.keyboard.press('Tab')
      await expect
        .poll(() => preview(page).evaluate((article) => article === document.activeElement))
        .toBe(true)

      await previewButton(page).focus()
      await page.keyboard.press('Space')
      await preview(page).waitFor({ state: 'detached' })
      expect(await codeEditorText(page)).toBe(`${TEXT}- [x] and read it\n`)
    })
  })

  it('replaces the text on a phone until it is closed', async () => {
    await withPage({ viewport: PHONE, isMobile: true, hasTouch: true }, async (page) => {
      await open(page)
      await previewButton(page).tap()
      await preview(page).getByRole('heading', { name: 'Plan' }).waitFor()
      await codeEditor(page).waitFor({ state: 'hidden' })
      expect((await getEdges(page, 'article.rendered')).right).toBeLessThanOrEqual(PHONE.width)
      await expectComplete(page)
      await previewButton(page).tap()
      await preview(page).waitFor({ state: 'detached' })
      await codeEditor(page).waitFor()
      expect(await codeEditorText(page)).toBe(TEXT)
    })
  })
})

describe('the preview', () => {
  it('is offered only while the text is Markdown, and scrolls with it', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await openHomePage(page)
      await previewButton(page).waitFor()
      await chooseLanguage(page, 'python')
      await previewButton(page).waitFor({ state: 'hidden' })
      await chooseLanguage(page, 'markdown')
      await previewButton(page).click()
      await preview(page).waitFor()
      await fillCodeEditor(page, `${'some text\n\n'.repeat(150)}# The end\n`)
      await preview(page).getByRole('heading', { name: 'The end' }).waitFor()
      await page.locator('.cm-scroller').evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight))
      const isEndInView = () =>
        preview(page)
          .getByRole('heading', { name: 'The end' })
          .evaluate((heading) => heading.getBoundingClientRect().bottom <= innerHeight)
      await expect.poll(isEndInView).toBe(true)
    })
  })

  it('replaces the message of a text that was too long', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await openHomePage(page)
      await fillCodeEditor(page, `${'some text\n'.repeat(MAX_RENDERED / 10)}# The end\n`)
      await previewButton(page).click()
      const message = preview(page).getByText('This text is too long to preview.')
      await message.waitFor()
      await fillCodeEditor(page, TEXT)
      await preview(page).getByRole('heading', { name: 'Plan' }).waitFor()
      expect(await message.count()).toBe(0)
    })
  })

  it('leaves the text where it is scrolled to while it opens and closes', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await openHomePage(page)
      await fillCodeEditor(page, '# Part\n\nsome text\n\n'.repeat(100))
      const scroller = page.locator('.cm-scroller')
      await scroller.evaluate((element) => element.scrollTo(0, 2_000))
      // CodeMirror corrects heights of lines that it has estimated.
      const isInPlace = () => scroller.evaluate(({ scrollTop }) => Math.abs(scrollTop - 2_000) < 100)
      await previewButton(page).click()
      await preview(page).getByRole('heading', { name: 'Part' }).first().waitFor()
      expect(await isInPlace()).toBe(true)
      await previewButton(page).click()
      await preview(page).waitFor({ state: 'detached' })
      expect(await isInPlace()).toBe(true)
    })
  })

  it('leaves the focus in the text while it opens and closes', async () => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, `${TEXT}\nSee [the list](#plan).\n`)
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/assets/immutable/rendered-*.css', async (route) => {
        await released
        await route.continue()
      })
      await previewButton(page).click()
      await codeEditor(page).focus()
      await page.keyboard.press('Control+End')
      release()
      await preview(page).waitFor()
      await page.keyboard.insertText('Typed on.')
      expect(await codeEditorText(page)).toContain('Typed on.')

      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(
        'import os\n\ndef main():\n    print(os.name)\n\nif __name__ == "__main__":\n    main()\n',
      )
      await preview(page).waitFor({ state: 'detached' })
      await page.keyboard.insertText('# Typed on.')
      expect(await codeEditorText(page)).toMatch(/main\(\)\n# Typed on\.$/)
    })
  })
})
