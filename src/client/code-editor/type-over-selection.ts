import { EditorView } from '@codemirror/view'

/**
 * Replaces the selection when something is typed over it. Chromium would do it too, but keeps the look of the
 * selected text in a style attribute, which violates the page's content security policy.
 */
export const typeOverSelection = EditorView.domEventHandlers({
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
