import { syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { MAX_WHOLE_LINE_UNITS } from '../../shared/lines.ts'

/** Characters that CodeMirror replaces by elements, `Specials` in @codemirror/view, and those that fonts may lack. */
const SLOW =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  /[\0-\x08\n-\x1F\x7F-\x9F\xAD\u061C\u200B\u200E\u200F\u2028\u2029\u202D\u202E\u2066\u2067\u2069\uFEFF\uFFF9-\uFFFC\uD800-\uDBFF\uE000-\uF8FF]/g

/** Such characters in one line that is wrapped. */
const MAX_SLOW = 1_000

/** A change with fewer characters isn't checked. */
const MIN_CHECKED = 256

const wrapping = new Compartment()
const colors = new Compartment()

const COLORS = syntaxHighlighting(classHighlighter)
const NOTHING: Extension = []

/** In a line, CodeMirror draws about 20,000 characters if it's wrapped, and 5,000 if not. */
function chooseDrawing(lines: Iterable<string>) {
  const drawing = { wrapping: EditorView.lineWrapping, colors: COLORS }
  for (const line of lines) {
    if (line.length > MAX_SLOW && (line.match(SLOW)?.length ?? 0) > MAX_SLOW) drawing.wrapping = NOTHING
    if (line.length > MAX_WHOLE_LINE_UNITS) drawing.colors = NOTHING
  }
  return drawing
}

/**
 * Wraps lines and colours code, unless a line needs an element for each of thousands of characters or tokens: that would
 * freeze the page.
 */
export function drawLines(text: string): Extension {
  const first = chooseDrawing(text.split('\n'))
  return [
    wrapping.of(first.wrapping),
    colors.of(first.colors),
    EditorState.transactionExtender.of(({ docChanged, changes, newDoc, startState }) => {
      let largest = 0
      changes.iterChanges((from, to, _, __, inserted) => {
        largest = Math.max(largest, to - from, inserted.length)
      })
      if (!docChanged || (largest < MIN_CHECKED && newDoc.length > 0)) return null
      const next = chooseDrawing(newDoc.iterLines())
      const effects = []
      if (wrapping.get(startState) !== next.wrapping) effects.push(wrapping.reconfigure(next.wrapping))
      if (colors.get(startState) !== next.colors) effects.push(colors.reconfigure(next.colors))
      return { effects }
    }),
  ]
}
