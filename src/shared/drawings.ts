/** UTF-16 units and lines that are looked at. */
const MAX_UNITS = 16 * 1024
const MAX_LINES = 200
const MIN_DRAWN_LINES = 3
const MIN_DRAWN_SHARE = 0.4

/** Lines, blocks and Braille. */
const DRAWN = /[\u2500-\u259F\u2800-\u28FF\u{1FB00}-\u{1FBAF}]/u
/** Spaces in the colour of their background, such as the QR codes of qrencode. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches escape sequences on purpose.
const PAINTED = /\x1B\[(?:\d{1,3};){0,8}(?:4[0-8]|7|10[0-7])(?:;\d{1,3}){0,8}m {2,}/
/** Puts the cursor beside what is drawn already, as neofetch does. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches escape sequences on purpose.
const MOVES_BACK = /\x1B\[\d{2,}A/

/** Tells whether the lines of a text belong together as a picture: box drawing, a QR code, what a terminal draws. */
export function isDrawing(text: string): boolean {
  const start = text.slice(0, MAX_UNITS)
  if (!DRAWN.test(start) && !start.includes('\x1B')) return false
  if (MOVES_BACK.test(start)) return true
  const lines = start.split('\n', MAX_LINES).filter((line) => line.trim() !== '')
  const drawn = lines.filter((line) => DRAWN.test(line) || PAINTED.test(line)).length
  return drawn >= MIN_DRAWN_LINES && drawn >= MIN_DRAWN_SHARE * lines.length
}
