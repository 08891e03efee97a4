import { syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, type Extension, StateField, type Text } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { MAX_WHOLE_LINE_UNITS } from '../../shared/lines.ts'

/** Characters that CodeMirror replaces by elements, `Specials` in @codemirror/view, and those that fonts may lack. */
const SLOW =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what it looks for.
  /[\0-\x08\n-\x1F\x7F-\x9F\xAD\u061C\u200B\u200E\u200F\u2028\u2029\u202D\u202E\u2066\u2067\u2069\uFEFF\uFFF9-\uFFFC\uD800-\uDBFF\uE000-\uF8FF]/g

/** Such characters in one line that is wrapped. */
const MAX_SLOW = 1_000

/** A change with fewer characters isn't checked. */
const MIN_CHECKED = 256

function canWrap(doc: Text): boolean {
  const lines = doc.iterLines()
  for (const line of lines) {
    if (line.length > MAX_SLOW && (line.match(SLOW)?.length ?? 0) > MAX_SLOW) return false
  }
  return true
}

/**
 * Wraps lines, unless one has thousands of characters that are slow to draw. CodeMirror draws about 20,000 characters of a
 * long line that is wrapped, and 5,000 of one that isn't. With elements for each of them, the former freezes the page.
 */
export const lineWrapping = StateField.define<boolean>({
  create: ({ doc }) => canWrap(doc),
  update: (wraps, { docChanged, changes, newDoc }) => {
    if (!docChanged) return wraps
    let largest = 0
    changes.iterChanges((from, to, _, __, inserted) => {
      largest = Math.max(largest, to - from, inserted.length)
    })
    return largest < MIN_CHECKED && newDoc.length > 0 ? wraps : canWrap(newDoc)
  },
  provide: (field) =>
    EditorView.contentAttributes.from(field, (wraps) => (wraps ? { class: 'cm-lineWrapping' } : {})),
})

const COLORS = syntaxHighlighting(classHighlighter)
const NO_COLORS: Extension = []
const colors = new Compartment()

function canColor(lines: Iterable<string>): boolean {
  for (const line of lines) if (line.length > MAX_WHOLE_LINE_UNITS) return false
  return true
}

/** Colours code, unless a line is so long that an element for each token of it would freeze the page. */
export const tokenColors = (text: string): Extension => [
  colors.of(canColor(text.split('\n')) ? COLORS : NO_COLORS),
  EditorState.transactionExtender.of(({ docChanged, changes, newDoc, startState }) => {
    let largest = 0
    changes.iterChanges((from, to, _, __, inserted) => {
      largest = Math.max(largest, to - from, inserted.length)
    })
    if (!docChanged || largest < MIN_CHECKED) return null
    const wanted = canColor(newDoc.iterLines()) ? COLORS : NO_COLORS
    return colors.get(startState) === wanted ? null : { effects: colors.reconfigure(wanted) }
  }),
]
