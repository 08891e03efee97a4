import type { Locator, Page } from 'playwright-core'

/** Returns where the mark of the linked lines is, and the text of the line below it. */
export const getLinkedLines = (page: Page) =>
  page.locator('section.text pre:not(.numbers):not([hidden]) > .linked-lines').evaluate((mark) => {
    const { top, bottom, height, left } = mark.getBoundingClientRect()
    const caret = document.caretPositionFromPoint(left + 20, top + 8)
    const data = caret?.offsetNode.textContent ?? ''
    const start = data.lastIndexOf('\n', (caret?.offset ?? 0) - 1) + 1
    return {
      visible: top >= 0 && bottom <= innerHeight,
      height,
      line: data.slice(start, data.indexOf('\n', start)),
    }
  })

/** The height of a line that isn't wrapped. */
export const LINE_HEIGHT = 22

/** Presses a button of a page, or of a part of it. */
export const press = (place: Page | Locator, name: string) =>
  place.getByRole('button', { name, exact: true }).click()

/** The tools above a text. Playwright takes seconds to look at the whole page of a text of 200,000 lines. */
export const getTools = (page: Page): Locator => page.locator('section.tools')

/** Waits until the scripts of a page's text or files have started, and the numbers of wrapped lines are placed. */
export async function waitForViewer(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const [section, ...others] = document.querySelectorAll('section.text')
    if (!document.querySelector('section.tools')) return true
    if (others.length > 0)
      return [...document.querySelectorAll('article.file section.wrapped > .numbers')].every((numbers) => {
        const { top, bottom } = numbers.getBoundingClientRect()
        const isFar = bottom < -innerHeight || top > 2 * innerHeight
        return isFar || !numbers.checkVisibility() || numbers.matches('.placed')
      })
    const numbers = section?.querySelector('.numbers')
    if (!numbers?.checkVisibility()) return true
    const isPlaced = numbers.querySelector('.placed-numbers span') || !section?.matches('.wrapped')
    return numbers.querySelector('.linked-lines') && isPlaced
  })
}

export async function goToLine(page: Page, line: string): Promise<void> {
  const tools = getTools(page)
  await press(tools, 'More')
  await tools.getByLabel('Go to line').fill(line)
  await page.keyboard.press('Enter')
}

/** Opens the find bar if it's closed, and returns its field. */
export async function openFind(page: Page): Promise<Locator> {
  const tools = getTools(page)
  const field = tools.getByRole('searchbox', { name: 'Find in text' })
  if (!(await field.isVisible())) await press(tools, 'Find')
  return field
}

export const waitForFindStatus = (page: Page, status: string) =>
  page.locator('#text-status').getByText(status, { exact: true }).waitFor()

/** Returns the current match, the line that it is in, whether it is visible, and how many matches are highlighted. */
export const getCurrentMatch = (page: Page) =>
  page.evaluate(() => {
    const [match] = CSS.highlights.get('find-current') ?? []
    if (!match) return null
    const range = document.createRange()
    range.setStart(match.startContainer, match.startOffset)
    range.setEnd(match.endContainer, match.endOffset)
    const { top, bottom, left, right } = range.getBoundingClientRect()
    const text = match.startContainer.textContent ?? ''
    const start = text.lastIndexOf('\n', match.startOffset - 1) + 1
    return {
      text: range.toString(),
      line: text.slice(start, start + 20).split('\n')[0],
      visible: top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth,
      highlighted: CSS.highlights.get('find-match')?.size,
    }
  })
