import { refreshAges } from './viewer-ages.ts'
import { linkLines } from './viewer-lines.ts'
import { placeNumbers } from './viewer-numbers.ts'
import { ShownText } from './viewer-text.ts'
import { startDownload, startDuplicate, startGoToLine, startWrap } from './viewer-tools.ts'

/** Makes the page of a document comfortable; what it needs for that later is loaded then. */
function startViewer(section: HTMLElement, code: HTMLElement): void {
  const text = new ShownText(code)
  const lines = linkLines(section, text, () => {})
  let asked = false
  /** Once for all that happens between two frames. */
  const follow = () => {
    if (asked) return
    asked = true
    requestAnimationFrame(() => {
      asked = false
      placeNumbers(section, text)
    })
  }
  addEventListener('scroll', follow, { passive: true })
  new ResizeObserver(() => {
    lines.place()
    follow()
  }).observe(section)
  startWrap(section, () => {
    lines.place()
    follow()
  })
  startDuplicate(section, code)
  startDownload(code)
  startGoToLine(lines, text.lines)
  refreshAges()
}

const section = document.querySelector<HTMLElement>('section.text')
const code = section?.querySelector('code')
if (section && code) startViewer(section, code)
