import { EditorView } from '@codemirror/view'

/** The look of the code editor. Its colours are the variables of tokens.css, which follow light and dark. */
export const codeEditorTheme = EditorView.theme({
  '&': {
    minHeight: '18rem',
    maxHeight: '70vh',
    backgroundColor: 'var(--sheet)',
    color: 'var(--ink)',
    border: '1px solid var(--control-line)',
    borderRadius: '6px',
    fontSize: '0.875rem',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', minHeight: '17.9rem' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--accent)', tabSize: '4' },
  '.cm-line': { padding: '0 1rem 0 0.75rem' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-gutters': {
    backgroundColor: 'var(--sheet)',
    color: 'var(--muted)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 0.75rem 0 1rem' },
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
  '.cm-deletedChunk button': {
    minHeight: '1.75rem',
    margin: '0',
    padding: '0 0.6rem',
    background: 'var(--sheet)',
    color: 'var(--ink)',
    border: '1px solid var(--control-line)',
    borderRadius: '4px',
    fontSize: '0.8125rem',
    fontWeight: 'inherit',
  },
  '.cm-specialChar': { color: 'var(--danger)' },
  '.cm-panels': {
    backgroundColor: 'var(--paper)',
    color: 'var(--ink)',
    borderRadius: '6px 6px 0 0',
  },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0.35rem',
    padding: '0.5rem 2.75rem 0.5rem 0.75rem',
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
    gap: '0.3rem',
    minHeight: '1.75rem',
    // Otherwise a checkbox is as near to the label before it as to its own.
    marginRight: '0.35rem',
    fontWeight: 'inherit',
  },
  '.cm-textfield': {
    width: '11rem',
    maxWidth: '100%',
    padding: '0.25rem 0.5rem',
    minHeight: '1.75rem',
    backgroundColor: 'var(--sheet)',
    border: '1px solid var(--control-line)',
  },
  '.cm-button': {
    minHeight: '1.75rem',
    padding: '0 0.6rem',
    background: 'none',
    color: 'inherit',
    border: '1px solid var(--control-line)',
    borderRadius: '4px',
    fontWeight: 'inherit',
  },
  '.cm-panel.cm-search [name=close]': {
    top: '0.5rem',
    right: '0.5rem',
    width: '1.75rem',
    minHeight: '1.75rem',
    padding: '0',
    background: 'none',
    color: 'inherit',
  },
})
