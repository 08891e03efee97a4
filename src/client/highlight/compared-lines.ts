import { highlightCode } from './highlight-client.ts'
import { CODE_STYLES, getTokensBetween, type Tokens } from './tokens.ts'

/** The lines of one version. Only these are known, so colours may be wrong after lines that aren't on the page. */
interface Side {
  readonly starts: ReadonlyMap<Element, number>
  tokens: Tokens
}

const readText = (line: Element) => line.querySelector('.line-text')?.textContent ?? ''

function* findRanges(line: Element, start: number, tokens: Tokens): Generator<[number, StaticRange]> {
  const content = line.querySelector('.line-text')
  if (!content) return
  let at = start
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    const end = at + node.length
    for (const { from, to, style } of getTokensBetween(tokens, at, end)) {
      const [startOffset, endOffset] = [Math.max(from, at) - at, Math.min(to, end) - at]
      yield [style, new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset })]
    }
    at = end
  }
}

/** Colours the lines of a comparison that are near the window. */
export function highlightComparison(differences: HTMLElement): void {
  const { highlightWorker = '', language = '', oldLanguage = language } = differences.dataset
  const near = new Set<Element>()
  const sides: Side[] = []
  let requested = false
  const paint = () => {
    requested = false
    const ranges = CODE_STYLES.map(() => new Highlight())
    for (const line of near) {
      const side = sides.find(({ starts }) => starts.has(line))
      for (const [style, range] of side ? findRanges(line, side.starts.get(line) ?? 0, side.tokens) : [])
        ranges[style]?.add(range)
    }
    for (const [index, name] of CODE_STYLES.entries())
      CSS.highlights.set(name, ranges[index] ?? new Highlight())
  }
  const requestPaint = () => {
    if (!requested) requestAnimationFrame(paint)
    requested = true
  }
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) near.add(target)
        else near.delete(target)
      }
      requestPaint()
    },
    { rootMargin: '100%' },
  )
  for (const line of differences.querySelectorAll('.line')) observer.observe(line)
  // A line that both versions have takes its colours from the new one. In two columns, it's there twice.
  for (const [selector, sideLanguage] of [
    ['.line:is(.both, .added)', language],
    ['.line:is(.again, .removed)', oldLanguage],
  ] as const) {
    let text = ''
    const starts = new Map<Element, number>()
    for (const line of differences.querySelectorAll(selector)) {
      starts.set(line, text.length)
      text += `${readText(line)}\n`
    }
    const side: Side = { starts, tokens: new Uint32Array() }
    sides.push(side)
    highlightCode(highlightWorker, sideLanguage, text, ({ tokens }) => {
      side.tokens = tokens
      requestPaint()
    })
  }
}
