import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands'
import {
  bracketMatching,
  indentOnInput,
  type LanguageSupport,
  syntaxHighlighting,
} from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state'
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { codeEditorTheme } from './code-editor-theme.ts'

/** The line break that a text is saved with: that of Windows where all are, which may be none else. */
export const getLineBreak = (text: string): '\r\n' | '\n' =>
  text.includes('\r\n') && !/[^\r]\n|\r(?!\n)|^\n/.test(text) ? '\r\n' : '\n'

/** Whether all line breaks of a text are of one kind that an editor of the browser can keep. */
export const hasUniformLineBreaks = (text: string): boolean =>
  getLineBreak(text) === '\r\n' || !text.includes('\r')

export interface CodeEditor {
  readonly text: () => string
  /** The first characters of the text. */
  readonly start: (characters: number) => string
  readonly isEmpty: () => boolean
  /**
   * Puts a text in the place of all there is; undoing it brings back what was there.
   *
   * @returns whether its line breaks stay as they are when it is changed, which only those of one kind do.
   */
  readonly replace: (text: string) => boolean
  readonly focus: () => void
  readonly setLanguage: (support: LanguageSupport | null) => void
  /** Gives it one more ability, in the place of the one before; null: none. */
  readonly extend: (ability: Extension | null) => void
  readonly setReadOnly: (readOnly: boolean) => void
  readonly setProblem: (problem: string | null) => void
  readonly onChange: (listener: () => void) => void
}

interface Options {
  /** What it starts with; its line breaks stay as they are if they are of one kind. */
  readonly text: string
  /** Ids of the elements that name and describe it. */
  readonly labelledBy: string
  readonly describedBy: string
  readonly styleNonce: string
}

/**
 * Writes over a selection by itself: Chromium would keep the look of what was selected by a style attribute,
 * which the page's policy forbids, with a complaint.
 */
const replaceSelection = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const selected = getSelection()
    if (event.inputType !== 'insertText' || event.data === null || !event.cancelable) return false
    if (!selected?.anchorNode || !selected.focusNode || selected.isCollapsed) return false
    if (view.state.readOnly || view.composing) return false
    // A selection that a program has just made is not known to the editor yet.
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

/** Puts CodeMirror in the place of a textarea with what was typed there. */
export function replaceTextarea(textarea: HTMLTextAreaElement, options: Options): CodeEditor {
  const language = new Compartment()
  const readOnly = new Compartment()
  const attributes = new Compartment()
  const listeners: (() => void)[] = []
  const extension = new Compartment()
  // An editor of the browser knows one kind of line break; the text that came may have the other.
  let lineBreak: '\r\n' | '\n' = '\n'
  /** A text with several kinds of them, and what shows it: as long as that is not changed, neither is the text. */
  let asItCame: { readonly doc: Text; readonly text: string } | null = null
  const came = (text: string, doc: Text) => {
    lineBreak = getLineBreak(text)
    asItCame = hasUniformLineBreaks(text) ? null : { doc, text }
  }

  const named = (problem: string | null) =>
    EditorView.contentAttributes.of({
      'aria-labelledby': options.labelledBy,
      'aria-describedby': [problem, options.describedBy].filter(Boolean).join(' '),
      'aria-invalid': String(problem !== null),
      autocapitalize: 'off',
      spellcheck: 'false',
      // It can be focused anyway, but not everything that looks for that knows.
      tabindex: '0',
    })
  const view = new EditorView({
    doc: options.text,
    selection: { anchor: textarea.value === options.text ? textarea.selectionStart : 0 },
    extensions: [
      EditorView.cspNonce.of(options.styleNonce),
      attributes.of(named(null)),
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
      EditorState.allowMultipleSelections.of(true),
      EditorView.lineWrapping,
      syntaxHighlighting(classHighlighter),
      codeEditorTheme,
      replaceSelection,
      keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
      EditorView.updateListener.of(({ docChanged }) => {
        if (!docChanged) return
        // What is written anew has nothing to do with the file that was there.
        if (view.state.doc.length === 0) lineBreak = '\n'
        for (const listener of listeners) listener()
      }),
    ],
  })
  came(options.text, view.state.doc)
  const { form, name } = textarea
  // Hidden, it would still have what a browser remembers of a page, and be found by what looks for the field.
  textarea.replaceWith(view.dom)

  const text = () => {
    const { doc } = view.state
    return asItCame?.doc.eq(doc) ? asItCame.text : doc.sliceString(0, doc.length, lineBreak)
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
        // Else it is undone together with what was typed just before.
        annotations: isolateHistory.of('full'),
      })
      came(replacement, view.state.doc)
      return hasUniformLineBreaks(replacement)
    },
    focus: () => view.focus(),
    setLanguage: (support) => view.dispatch({ effects: language.reconfigure(support ?? []) }),
    extend: (ability) => view.dispatch({ effects: extension.reconfigure(ability ?? []) }),
    setReadOnly: (value) => view.dispatch({ effects: readOnly.reconfigure(EditorState.readOnly.of(value)) }),
    setProblem: (problem) => view.dispatch({ effects: attributes.reconfigure(named(problem)) }),
    onChange: (listener) => listeners.push(listener),
  }
}
