import { EditorView } from '@codemirror/view'

/** The editor in the colours of the site, which know light and dark by themselves. */
export const editorTheme = EditorView.theme({
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
    fontWeight: 'inherit',
  },
  '.cm-textfield': {
    width: '12rem',
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
