type LineBreak = '\r\n' | '\n'

export const MIXED_LINE_BREAKS =
  'This text has mixed line breaks. If you edit it here, they’ll all be converted to LF.'

export const getLineBreak = (text: string): LineBreak =>
  text.includes('\r\n') && !/[^\r]\n|\r(?!\n)|^\n/.test(text) ? '\r\n' : '\n'

/** A code editor can keep line breaks that are all LF or all CRLF. */
export const hasUniformLineBreaks = (text: string): boolean =>
  getLineBreak(text) === '\r\n' || !text.includes('\r')

export const toLf = (text: string): string => text.replaceAll(/\r\n?/g, '\n')
