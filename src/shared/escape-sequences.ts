/**
 * Matches what a terminal swallows: control sequences (ECMA-48, 5.4), strings such as window titles and links (5.6),
 * character sets and other short escapes. Control sequences and strings may start with ESC or with a single C1 character.
 * No match goes beyond its line, and a string has to be terminated before the next escape. The groups are the parameters
 * and the final character of a control sequence.
 */
export const ESCAPE_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  /(?:\x1B\[|\x9B)([0-?]*)[ -/]*([@-~])|\x1B\](?:P[\dA-Fa-f]{7}|R)|(?:\x1B[\]PX^_]|[\x90\x98\x9D-\x9F])[^\x07\x1B\x90\x98\x9C-\x9F\n]*(?:\x07|\x1B\\|\x9C)|\x1B[ -/]+[0-~]|\x1B[0-Z\\^-~]/g

/** Only a terminal has a use for these, and for letters that are struck twice, as in manual pages. */
export const hasEscapeSequences = (text: string): boolean =>
  // Searches for a character take a fraction of the time of one for any of them.
  text.includes('\x9B') ||
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  /\x1B[ -~]/.test(text) ||
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  (text.includes('\b') && /[^\n]\x08[^\n]/.test(text))

/** Leaves one of the letters that are struck twice, too. */
export const removeEscapeSequences = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  text.replaceAll(ESCAPE_SEQUENCE, '').replaceAll(/[^\n]\x08/gu, '')
