/** As the server numbers lines; see components/numbered-text.tsx. */
const MOST_NUMBERS = 200_000
/** Laid out at once. A longer text is laid out in parts, as they come into sight: a page stands still for no text. */
const LINES_A_PART = 500
/** The height of a line, as viewer.css has it. */
const LINE_REM = 1.375

interface Part {
  readonly text: string
  readonly lines: number
}

interface Lines {
  readonly parts: Part[]
  readonly count: number
  /** Characters of the longest line. */
  readonly longest: number
}

function linesOf(text: string): Lines {
  const parts: Part[] = []
  let count = 0
  let longest = 0
  let partStart = 0
  let partLines = 0
  for (let start = 0; start < text.length || count === 0; ) {
    const at = text.indexOf('\n', start)
    const end = at === -1 ? text.length : at
    longest = Math.max(longest, end - start)
    count += 1
    partLines += 1
    start = end + 1
    if (partLines === LINES_A_PART || start >= text.length) {
      parts.push({ text: text.slice(partStart, start), lines: partLines })
      partStart = start
      partLines = 0
    }
  }
  return { parts, count, longest }
}

function lineNumbers(from: number, lines: number): string {
  return Array.from({ length: lines }, (_, index) => from + index).join('\n')
}

function part(text: string, lines: number): HTMLElement {
  const element = Object.assign(document.createElement('span'), { className: 'part', textContent: text })
  element.style.containIntrinsicBlockSize = `auto ${lines * LINE_REM}rem`
  return element
}

/** Puts a text and the numbers of its lines where the server put none. */
export function fillText(section: ParentNode, text: string): void {
  const numbers = section.querySelector<HTMLElement>('.numbers')
  const code = section.querySelector<HTMLElement>('code')
  const { parts, count, longest } = linesOf(text)
  if (count > MOST_NUMBERS) numbers?.remove()
  if (parts.length === 1) {
    numbers?.append(lineNumbers(1, count))
    code?.append(text)
    return
  }
  // As wide as all of it, so that nothing moves sideways when a part comes into sight.
  numbers?.style.setProperty('min-width', `calc(${String(count).length}ch + 2rem + 1px)`)
  code?.style.setProperty('min-width', `${longest}ch`)
  code?.classList.add('parts')
  let first = 1
  for (const { text, lines } of parts) {
    if (count <= MOST_NUMBERS) numbers?.append(part(`${lineNumbers(first, lines)}\n`, lines))
    code?.append(part(text, lines))
    first += lines
  }
}
