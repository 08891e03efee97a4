import type { DisplayedText } from '../../text/displayed-text.ts'
import { getLineLayout } from '../../text/displayed-text.ts'

/** Also the class that styles the line. */
type DiffLine = 'added' | 'removed' | 'hunk' | 'file'

/** Needs only a line's first characters. Returns null for a line that didn't change. */
export function getDiffLine(start: string): DiffLine | null {
  if (/^(?:\+\+\+|---)(?: |$)|^(?:diff |index |Index: |={5})/.test(start)) return 'file'
  if (start.startsWith('@@') || /^\d+(?:,\d+)?[acd]/.test(start)) return 'hunk'
  if (/^[+>]/.test(start)) return 'added'
  if (/^[-<]/.test(start)) return 'removed'
  return null
}

const START = 12

/** Paints one background behind each run of visible lines of a kind. */
export class DiffLines {
  readonly #text: DisplayedText
  readonly #layer = document.createElement('div')

  constructor(text: DisplayedText) {
    this.#text = text
    this.#layer.className = 'diff-lines'
    this.#layer.ariaHidden = 'true'
    text.element.parentElement?.prepend(this.#layer)
  }

  paint(): void {
    const layout = getLineLayout(this.#text)
    const { top } = this.#layer.getBoundingClientRect()
    const last = layout.lineAt(innerHeight * 2)
    const runs: { kind: DiffLine; first: number; last: number }[] = []
    for (let line = layout.lineAt(-innerHeight); line <= last; line++) {
      const start = this.#text.lineStart(line)
      const kind = getDiffLine(
        this.#text.slice(start, Math.min(start + START, this.#text.lineStart(line + 1))),
      )
      const run = runs.at(-1)
      if (kind !== null && run?.kind === kind && run.last === line - 1) run.last = line
      else if (kind !== null) runs.push({ kind, first: line, last: line })
    }
    this.#layer.replaceChildren(
      ...runs.map((run) => {
        const mark = document.createElement('div')
        mark.className = run.kind
        const from = layout.top(run.first)
        mark.style.top = `${from - top}px`
        mark.style.height = `${layout.top(run.last + 1) - from}px`
        return mark
      }),
    )
  }

  clear(): void {
    this.#layer.remove()
  }
}
