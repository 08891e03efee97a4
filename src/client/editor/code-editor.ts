import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands'
import {
  bracketMatching,
  indentOnInput,
  type LanguageSupport,
  syntaxHighlighting,
} from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension, Transaction } from '@codemirror/state'
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
  showPanel,
} from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { isWrapped, NARROW, parseDisplayCookie } from '../../shared/display.ts'
import { PLAIN_TEXT } from '../../shared/languages.ts'
import { MAX_WHOLE_LINE_UNITS } from '../../shared/lines.ts'
import { createElement } from '../shared/elements.ts'
import { findChange, type KeptBox, type TextBox, type TextSnapshot } from './text-box.ts'

interface Options {
  /** How the text came about in the textarea, so that it can be undone: the last snapshot is the text. */
  readonly snapshots: readonly TextSnapshot[]
  readonly onChange: () => void
}

/** Characters that CodeMirror replaces by elements, `Specials` in @codemirror/view, and those that fonts may lack. */
const SLOW =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  /[\0-\x08\n-\x1F\x7F-\x9F\xAD\u061C\u200B\u200E\u200F\u2028\u2029\u202D\u202E\u2066\u2067\u2069\uFEFF\uFFF9-\uFFFC\uD800-\uDBFF\uE000-\uF8FF]/g

/** A character that is a token of its own in most languages. */
const TOKEN = /[^\w\s]/g

/** How many elements a line may have. */
const MAX_ELEMENTS = 1_000

/** UTF-16 units of a line that is wrapped: CodeMirror draws a wrapped line of megabytes as a whole at first. */
const MAX_WRAPPED_UNITS = 64 * 1024

/** A change with fewer characters isn't checked. */
const MIN_CHECKED = 256

const COLORS = syntaxHighlighting(classHighlighter)
const MARKED = highlightSpecialChars()
const NOTHING: Extension = []

function hasMany(line: string, kind: RegExp): boolean {
  if (line.length <= MAX_ELEMENTS) return false
  kind.lastIndex = 0
  for (let count = 0; count <= MAX_ELEMENTS; count++) if (!kind.test(line)) return false
  return true
}

const UNMARKED: Extension = showPanel.of(() => ({
  top: true,
  dom: createElement(
    'div',
    { className: 'strip quiet-text' },
    'A line has thousands of special characters, so hidden ones aren’t shown here.',
  ),
}))

/** CodeMirror draws 5,000 characters of a line that isn't wrapped. */
function chooseDrawing(lines: Iterable<string>) {
  const drawing = { wraps: true, marks: true, highlights: true }
  for (const line of lines) {
    if (hasMany(line, SLOW)) drawing.marks = false
    if (line.length > MAX_WRAPPED_UNITS || !drawing.marks) drawing.wraps = false
    if (line.length > MAX_WHOLE_LINE_UNITS || hasMany(line, TOKEN)) drawing.highlights = false
  }
  return drawing
}

/** The editor wraps as the page of the document does, so that the text stays as it is when it's shared. */
const wrapsAsOnPage = (language: string): boolean =>
  isWrapped(
    { ...parseDisplayCookie(document.cookie), isNarrow: innerWidth <= NARROW },
    { language, longestLine: Number.POSITIVE_INFINITY },
  )

/**
 * Wraps lines, shows special characters, parses code and colours it, unless a line needs an element for each of thousands
 * of characters or tokens, or can only be drawn or parsed as a whole: that would freeze the page, the parser also some time
 * after the text was opened.
 */
export function createLineDisplay(text: string, startsWrapped: boolean) {
  const wrapping = new Compartment()
  const marking = new Compartment()
  const highlighting = new Compartment()
  let highlighted: Extension = COLORS
  let isWrapping = startsWrapped
  let drawing = chooseDrawing(text.split('\n'))
  const choose = (): readonly (readonly [Compartment, Extension])[] => [
    [wrapping, drawing.wraps && isWrapping ? EditorView.lineWrapping : NOTHING],
    [marking, drawing.marks ? MARKED : UNMARKED],
    [highlighting, drawing.highlights ? highlighted : NOTHING],
  ]
  const findChanges = (state: EditorState) =>
    choose()
      .filter(([part, extension]) => part.get(state) !== extension)
      .map(([part, extension]) => part.reconfigure(extension))
  return {
    extension: [
      choose().map(([part, extension]) => part.of(extension)),
      EditorState.transactionExtender.of(({ docChanged, changes, newDoc, startState }) => {
        let largest = 0
        changes.iterChanges((from, to, _, __, inserted) => {
          largest = Math.max(largest, to - from, inserted.length)
        })
        if (!docChanged || (largest < MIN_CHECKED && newDoc.length > 0)) return null
        drawing = chooseDrawing(newDoc.iterLines())
        return { effects: findChanges(startState) }
      }),
    ],
    setLanguage: (state: EditorState, support: LanguageSupport | null, wraps: boolean) => {
      highlighted = support ? [support, COLORS] : COLORS
      isWrapping = wraps
      return findChanges(state)
    },
  }
}

const PHRASES = {
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Regex',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
  go: 'Go',
}

const LABEL_ID = 'content-label'

export function replaceTextarea(textarea: HTMLTextAreaElement, { snapshots, onChange }: Options): TextBox {
  const readOnly = new Compartment()
  const attributes = new Compartment()
  const extension = new Compartment()

  const contentAttributes = (errorId: string | null) =>
    EditorView.contentAttributes.of({
      'aria-labelledby': LABEL_ID,
      'aria-describedby': [errorId, 'keyboard-help'].filter(Boolean).join(' '),
      'aria-invalid': String(errorId !== null),
      autocapitalize: 'off',
      spellcheck: 'false',
      // The element is focusable without it, but some tools look for the attribute.
      tabindex: '0',
    })
  const [first, ...later] = snapshots
  let before = first?.text ?? ''
  const createDisplay = (text: string) => createLineDisplay(text, wrapsAsOnPage(PLAIN_TEXT))
  let display = createDisplay(before)
  const createState = (doc: string) =>
    EditorState.create({ doc, extensions: [extensions, display.extension] })
  const extensions = [
    EditorView.cspNonce.of(textarea.form?.dataset.styleNonce ?? ''),
    attributes.of(contentAttributes(null)),
    readOnly.of(EditorState.readOnly.of(false)),
    extension.of([]),
    lineNumbers(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    history(),
    drawSelection(),
    dropCursor(),
    indentOnInput(),
    bracketMatching(),
    search({ top: true }),
    EditorState.phrases.of(PHRASES),
    EditorState.allowMultipleSelections.of(true),
    placeholder(textarea.placeholder),
    codeEditorTheme,
    typeOverSelection,
    keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
    EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
  ]
  let state = createState(before)
  for (const { text, time } of later) {
    const annotations = [Transaction.time.of(time), Transaction.userEvent.of('input.type')]
    state = state.update({ changes: findChange(before, text), annotations }).state
    before = text
  }
  const { selectionStart, selectionEnd, selectionDirection } = textarea
  const backward = selectionDirection === 'backward'
  const selection = {
    anchor: backward ? selectionEnd : selectionStart,
    head: backward ? selectionStart : selectionEnd,
  }
  const view = new EditorView({ state: state.update({ selection }).state })
  const focused = document.activeElement === textarea
  const { scrollTop } = textarea
  for (const label of [...textarea.labels]) {
    label.id = LABEL_ID
    label.removeAttribute('for')
  }
  // A hidden textarea would still get the text that browsers restore, and be found by password managers and tests.
  textarea.replaceWith(view.dom)
  if (focused) view.focus()
  view.scrollDOM.scrollTop = scrollTop

  const kept = new WeakMap<KeptBox, { state: EditorState; display: typeof display; top: number }>()

  return {
    keep: () => {
      const { state } = view
      const box = { shown: () => state.doc.toString() }
      kept.set(box, { state, display, top: view.scrollDOM.scrollTop })
      return box
    },
    show: (box) => {
      const found = kept.get(box)
      display = found?.display ?? createDisplay(box.shown())
      view.setState(found?.state ?? createState(box.shown()))
      requestAnimationFrame(() => {
        view.scrollDOM.scrollTop = found?.top ?? 0
      })
    },
    start: (characters) => view.state.doc.sliceString(0, characters),
    replace: (text) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: view.state.toText(text) },
        selection: { anchor: 0 },
        scrollIntoView: true,
        // Otherwise undo would also remove what was typed just before.
        annotations: isolateHistory.of('full'),
      }),
    // Otherwise undo would also remove what was typed just before.
    change: (changes) => view.dispatch({ changes: [...changes], annotations: isolateHistory.of('full') }),
    select: (anchor, head) => {
      view.dispatch({
        selection: { anchor, head },
        effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
      })
      view.focus()
    },
    focus: () => view.focus(),
    setLanguage: (support, language) =>
      view.dispatch({ effects: display.setLanguage(view.state, support, wrapsAsOnPage(language)) }),
    setExtension: (added) => view.dispatch({ effects: extension.reconfigure(added ?? []) }),
    setReadOnly: (value) => view.dispatch({ effects: readOnly.reconfigure(EditorState.readOnly.of(value)) }),
    setErrorId: (id) => view.dispatch({ effects: attributes.reconfigure(contentAttributes(id)) }),
  }
}

/** Chromium would keep the look of the replaced text in a style attribute, which the page's CSP forbids. */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const selected = getSelection()
    if (event.inputType !== 'insertText' || event.data === null || !event.cancelable) return false
    if (!selected?.anchorNode || !selected.focusNode || selected.isCollapsed) return false
    if (view.state.readOnly || view.composing) return false
    // CodeMirror doesn't know yet about a selection that a program has just made.
    const selection = view.state.selection.main.empty
      ? {
          anchor: view.posAtDOM(selected.anchorNode, selected.anchorOffset),
          head: view.posAtDOM(selected.focusNode, selected.focusOffset),
        }
      : view.state.selection
    view.dispatch({ selection })
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true })
    event.preventDefault()
    return true
  },
})

/** The look of the code editor. Its colours are the variables of tokens.css, which follow light and dark. */
const codeEditorTheme = EditorView.theme({
  '&': {
    backgroundColor: 'var(--sheet)',
    color: 'var(--ink)',
  },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: 'inherit' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--accent)', tabSize: '4' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-line': { padding: '0 1rem 0 0.75rem' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-gutters': {
    backgroundColor: 'var(--sheet)',
    color: 'var(--muted)',
    border: '0',
  },
  '.cm-lineNumbers': { minWidth: '1.875rem' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '0', padding: '0 0.75rem 0 0' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 6%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 26%, transparent)',
  },
  '.cm-selectionMatch, .cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 18%, transparent)',
  },
  '.cm-searchMatch': {
    backgroundColor: 'var(--warm)',
    outline: '1px solid var(--control-line)',
  },
  '.cm-searchMatch-selected': { outline: '2px solid var(--accent)' },
  // The comparison with a version that someone else saved.
  '.cm-changedLine, &.cm-focused .cm-activeLine.cm-changedLine': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 10%, transparent)',
  },
  '.cm-changedText': { background: 'color-mix(in srgb, var(--accent) 24%, transparent)' },
  '.cm-deletedChunk': {
    padding: '0.25rem 1rem 0.25rem 0.75rem',
    backgroundColor: 'color-mix(in srgb, var(--danger) 8%, transparent)',
  },
  '.cm-deletedLine del': { textDecoration: 'line-through', textDecorationColor: 'var(--danger)' },
  '.cm-deletedText, .cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in srgb, var(--danger) 18%, transparent)',
  },
  '.cm-deletedChunk .cm-chunkButtons': {
    position: 'static',
    display: 'flex',
    flexWrap: 'wrap',
    gap: '0.35rem',
    padding: '0.15rem 0 0.35rem',
    fontFamily: 'var(--sans)',
  },
  '.cm-specialChar': { color: 'var(--danger)' },
  '.cm-panels': {
    backgroundColor: 'var(--paper)',
    color: 'var(--ink)',
  },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.strip': { fontFamily: 'var(--sans)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0.375rem 0.5rem',
    padding: '0.375rem calc(var(--gap) + var(--control-small)) 0.375rem var(--gap)',
    fontFamily: 'var(--sans)',
  },
  '.cm-panel.cm-search br': { flexBasis: '100%', height: '0', content: '""' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': {
    margin: '0',
    fontSize: '0.8125rem',
  },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    // A checkbox is nearer to its own label than to the one before.
    gap: '0.25rem',
    minHeight: 'var(--control-small)',
    fontWeight: 'inherit',
  },
  '.cm-panel.cm-search .cm-textfield': {
    flex: '1 1 8rem',
    maxWidth: '20rem',
    minHeight: 'var(--control-small)',
    padding: '0 0.5rem',
    backgroundColor: 'var(--sheet)',
    border: '1px solid var(--control-line)',
    fontSize: 'max(var(--text-field) - 1px, 0.8125rem)',
  },
  '.cm-button, .cm-deletedChunk button': {
    minHeight: 'var(--control-small)',
    padding: '0 0.6rem',
    background: 'none',
    color: 'inherit',
    border: '1px solid var(--control-line)',
    borderRadius: '4px',
    fontWeight: 'inherit',
  },
  '.cm-deletedChunk button': {
    margin: '0',
    background: 'var(--sheet)',
    color: 'var(--ink)',
    fontSize: '0.8125rem',
  },
  // Touch screens have no keys that type at several places.
  '@media (pointer: coarse)': { '.cm-panel.cm-search [name=select]': { display: 'none' } },
  '.cm-panel.cm-search [name=close]': {
    top: '0.375rem',
    right: 'calc(var(--gap) - 0.5rem)',
    width: 'var(--control-small)',
    minHeight: 'var(--control-small)',
    padding: '0',
    background: 'none',
    color: 'inherit',
    fontSize: '1.25rem',
  },
  // A phone has no room for all words: each row is a field and its buttons, which have the same width in both rows.
  '@media (max-width: 40rem)': {
    '.cm-panel.cm-search': { paddingRight: 'var(--gap)' },
    '.cm-panel.cm-search .cm-textfield': { flexBasis: 'calc(100% - 11.5rem)' },
    '.cm-panel.cm-search > :is([name=search], [name=next], [name=prev], [name=close])': { order: '-1' },
    '.cm-panel.cm-search > :is([name=next], [name=prev], [name=close])': {
      position: 'static',
      width: '3.25rem',
      fontSize: '0',
    },
    '.cm-panel.cm-search > :is([name=next], [name=prev], [name=close])::before': { fontSize: '1.125rem' },
    // Its sign ends where the row does.
    '.cm-panel.cm-search > [name=close]': { justifyContent: 'flex-end' },
    // The row for replacing starts below this line.
    '.cm-panel.cm-search::after': { content: '""', flexBasis: '100%' },
    '.cm-panel.cm-search > :is([name=replace], [name=replaceAll])': { order: '1', marginTop: '-0.375rem' },
    '[name=next]::before': { content: '"↓" / ""' },
    '[name=prev]::before': { content: '"↑" / ""' },
    '[name=close]::before': { content: '"×" / ""' },
    '.cm-panel.cm-search > button:is([name=replace], [name=replaceAll])': { width: '5.125rem', padding: '0' },
  },
})
