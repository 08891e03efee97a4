import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands'
import { bracketMatching, indentOnInput, type LanguageSupport } from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension, type Text, Transaction } from '@codemirror/state'
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import { codeEditorTheme } from './code-editor-theme.ts'
import { getLineBreak, hasUniformLineBreaks, toLf } from './line-breaks.ts'
import { drawLines } from './long-lines.ts'
import { findChange, type TextSnapshot } from './text-history.ts'

export interface CodeEditor {
  /** With the line breaks it is saved with. */
  readonly text: () => string
  readonly start: (characters: number) => string
  readonly isEmpty: () => boolean
  /** One step of undo. Returns true if the line breaks are uniform: editing keeps those. */
  readonly replace: (text: string) => boolean
  readonly focus: () => void
  readonly setLanguage: (support: LanguageSupport | null) => void
  readonly setExtension: (extension: Extension | null) => void
  readonly setReadOnly: (readOnly: boolean) => void
  /** The id of the message; null marks the text as valid. */
  readonly setErrorId: (id: string | null) => void
  readonly onChange: (listener: () => void) => void
}

interface Options {
  readonly text: string
  readonly labelledBy: string
  readonly describedBy: string
  readonly styleNonce: string
  /** How the text came about in the textarea, so that it can be undone: the last snapshot is the text. */
  readonly snapshots?: readonly TextSnapshot[]
}

const PHRASES = {
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
  go: 'Go',
}

export function replaceTextarea(textarea: HTMLTextAreaElement, options: Options): CodeEditor {
  const language = new Compartment()
  const readOnly = new Compartment()
  const attributes = new Compartment()
  const extension = new Compartment()
  const listeners: (() => void)[] = []
  // CodeMirror joins lines with one line break; this is the one of the text it was given.
  let lineBreak: '\r\n' | '\n' = '\n'
  /** A text with mixed line breaks and the document made of it: while that is unchanged, so is the text. */
  let mixed: { readonly doc: Text; readonly text: string } | null = null
  const rememberLineBreaks = (text: string, doc: Text) => {
    lineBreak = getLineBreak(text)
    mixed = hasUniformLineBreaks(text) ? null : { doc, text }
  }

  const contentAttributes = (errorId: string | null) =>
    EditorView.contentAttributes.of({
      'aria-labelledby': options.labelledBy,
      'aria-describedby': [errorId, options.describedBy].filter(Boolean).join(' '),
      'aria-invalid': String(errorId !== null),
      autocapitalize: 'off',
      spellcheck: 'false',
      // The element is focusable without it, but some tools look for the attribute.
      tabindex: '0',
    })
  const [first, ...later] = options.snapshots ?? []
  const view = new EditorView({
    doc: first ? first.text : options.text,
    extensions: [
      EditorView.cspNonce.of(options.styleNonce),
      attributes.of(contentAttributes(null)),
      readOnly.of(EditorState.readOnly.of(false)),
      language.of([]),
      extension.of([]),
      lineNumbers(),
      highlightSpecialChars(),
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
      drawLines(first?.text ?? options.text),
      codeEditorTheme,
      typeOverSelection,
      keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
      EditorView.updateListener.of(({ docChanged }) => {
        if (!docChanged) return
        // A text typed after everything was deleted has nothing to do with the file that was there.
        if (view.state.doc.length === 0) lineBreak = '\n'
        for (const listener of listeners) listener()
      }),
    ],
  })
  let before = first?.text ?? ''
  for (const { text, time } of later) {
    const annotations = [Transaction.time.of(time), Transaction.userEvent.of('input.type')]
    view.dispatch({ changes: findChange(before, text), annotations })
    before = text
  }
  rememberLineBreaks(options.text, view.state.doc)
  const { form, name } = textarea
  if (textarea.value === toLf(options.text)) {
    const { selectionStart, selectionEnd, selectionDirection } = textarea
    const backward = selectionDirection === 'backward'
    view.dispatch({
      selection: {
        anchor: backward ? selectionEnd : selectionStart,
        head: backward ? selectionStart : selectionEnd,
      },
    })
  }
  const focused = document.activeElement === textarea
  const { scrollTop } = textarea
  // A hidden textarea would still get the text that browsers restore, and be found by password managers and tests.
  textarea.replaceWith(view.dom)
  if (focused) view.focus()
  view.scrollDOM.scrollTop = scrollTop

  const text = () => {
    const { doc } = view.state
    return mixed?.doc.eq(doc) ? mixed.text : doc.sliceString(0, doc.length, lineBreak)
  }
  form?.addEventListener('formdata', ({ formData }) => formData.set(name, text()))
  return {
    text,
    start: (characters) => view.state.doc.sliceString(0, Math.min(characters, view.state.doc.length)),
    isEmpty: () => view.state.doc.length === 0,
    replace: (replacement) => {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: view.state.toText(replacement) },
        selection: { anchor: 0 },
        scrollIntoView: true,
        // Otherwise undo would also remove what was typed just before.
        annotations: isolateHistory.of('full'),
      })
      rememberLineBreaks(replacement, view.state.doc)
      return hasUniformLineBreaks(replacement)
    },
    focus: () => view.focus(),
    setLanguage: (support) => view.dispatch({ effects: language.reconfigure(support ?? []) }),
    setExtension: (added) => view.dispatch({ effects: extension.reconfigure(added ?? []) }),
    setReadOnly: (value) => view.dispatch({ effects: readOnly.reconfigure(EditorState.readOnly.of(value)) }),
    setErrorId: (id) => view.dispatch({ effects: attributes.reconfigure(contentAttributes(id)) }),
    onChange: (listener) => listeners.push(listener),
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
