import type { ShownText } from './text-view.ts'

/** Where the lines of a text are in the window. */
interface LineLayout {
  /** The upper edge of a line; of the line after the last, the lower edge of the text. */
  readonly top: (line: number) => number
  /** The line at a height, the first or the last one where it is above or below all. */
  readonly lineAt: (y: number) => number
}

/** Lines that are as high as each other: nothing but the box of the text is measured. */
function evenLayout(text: ShownText): LineLayout {
  const { top, height } = text.element.getBoundingClientRect()
  const each = height / text.lines
  return {
    top: (line) => top + (line - 1) * each,
    lineAt: (y) => Math.min(text.lines, Math.max(1, Math.floor((y - top) / each) + 1)),
  }
}

/** Lines that take as many rows as they need: each is measured when it is asked for. */
function wrappedLayout(text: ShownText): LineLayout {
  const box = text.element.getBoundingClientRect()
  const lineHeight = Number.parseFloat(getComputedStyle(text.element).lineHeight)
  const top = (line: number) => {
    const rect = line > text.lines ? null : text.lineRect(line)
    // The box of a character is as high as its font, and stands in the middle of its line.
    return rect ? rect.top - (lineHeight - rect.height) / 2 : box.bottom
  }
  const lineAt = (y: number) => {
    let [low, high] = text.linesAround(y)
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (top(middle) <= y) low = middle
      else high = middle - 1
    }
    return low
  }
  return { top, lineAt }
}

/** The lines as they stand at this moment. */
export const layoutOf = (text: ShownText): LineLayout =>
  text.element.closest('.wrapped') ? wrappedLayout(text) : evenLayout(text)
