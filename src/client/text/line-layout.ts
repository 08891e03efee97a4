import type { DisplayedText } from './displayed-text.ts'

/** Vertical positions relative to the window. They change with every scroll and resize. */
interface LineLayout {
  readonly top: (line: number) => number
  /** The nearest line if the height is outside the text. */
  readonly lineAt: (y: number) => number
}

/** Measures only the box of the text. */
function getUniformLayout(text: DisplayedText): LineLayout {
  const { top, height } = text.element.getBoundingClientRect()
  const lineHeight = height / text.lines
  return {
    top: (line) => top + (line - 1) * lineHeight,
    lineAt: (y) => Math.min(text.lines, Math.max(1, Math.floor((y - top) / lineHeight) + 1)),
  }
}

function getWrappedLayout(text: DisplayedText): LineLayout {
  const box = text.element.getBoundingClientRect()
  const lineHeight = Number.parseFloat(getComputedStyle(text.element).lineHeight)
  const top = (line: number) => {
    const rect = line > text.lines ? null : text.lineRect(line)
    // A character's box is as high as its font and vertically centred in the line.
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

export const getLineLayout = (text: DisplayedText): LineLayout =>
  text.element.closest('.wrapped') ? getWrappedLayout(text) : getUniformLayout(text)
