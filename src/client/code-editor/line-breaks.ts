type LineBreak = '\r\n' | '\n'

/** Warns that saving a changed text gives it one kind of line break. */
export const MIXED_LINE_BREAKS =
  'This text has mixed line breaks. If you edit it here, they’ll all be converted to LF.'

/** Returns the line break to save a text with: CRLF if the text has no other kind, else LF. */
export const getLineBreak = (text: string): LineBreak =>
  text.includes('\r\n') && !/[^\r]\n|\r(?!\n)|^\n/.test(text) ? '\r\n' : '\n'

/** Returns true if every line break of a text is LF, or every one is CRLF: a code editor can keep those. */
export const hasUniformLineBreaks = (text: string): boolean =>
  getLineBreak(text) === '\r\n' || !text.includes('\r')

/** Returns a text with LF for every line break, as the code editor counts lines. */
export const toLf = (text: string): string => text.replaceAll(/\r\n?/g, '\n')
