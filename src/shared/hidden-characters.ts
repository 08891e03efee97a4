/** What of a text cannot be seen: how often, and on which line first. */
export interface Hidden {
  /** At most `MOST_COUNTED`. */
  readonly count: number
  readonly firstLine: number
}

interface HiddenCharacters {
  /** Characters that change the direction of what stands around them (Unicode UAX #9, 2). */
  readonly bidirectional: Hidden | null
  /** Characters without a glyph of their own, controls included. */
  readonly invisible: Hidden | null
}

/** Where counting ends: a text of nothing else must not take longer than any other. */
export const MAX_COUNTED = 1_000

const BIDIRECTIONAL = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

// Emoji, and letters of scripts that are written joined, are shaped by joiners.
const JOINED = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\p{M}]|(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{L}`
const INVISIBLE = new RegExp(
  [
    // A flag of a region is spelled in tags, the one use of them that is seen: it is passed over.
    String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}`,
    // Line breaks, tabs and form feeds lay text out, and ESC begins a colour.
    String.raw`([\x00-\x06\x08\x0B\x0E-\x1A\x1C-\x1F\x7F-\x9F]`,
    String.raw`[\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u2028\u2029\u2060-\u2065\u206A-\u206F]`,
    String.raw`[\u2800\u3164\uFFA0\uFFF0-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E00FF}\u{E01F0}-\u{E0FFF}]`,
    // A bell ends what a log tells a terminal: a link, a title.
    String.raw`(?<!\x1B\][^\x07\x1B\n]{0,2048})\x07`,
    // A byte order mark begins a text.
    String.raw`(?<!^)\uFEFF`,
    String.raw`(?<!${JOINED})[\u200C\u200D]`,
    // Variation selectors choose the form of emoji, keycaps and ideographs.
    String.raw`(?<![\p{Emoji}\p{Script=Han}\p{S}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}])`,
  ].join('|'),
  'gu',
)

/**
 * Counts what hides in a text, or hides what the text says: source that reads otherwise than it runs
 * (trojansource.codes), words between the letters. Takes one pass over the text for either.
 */
export const findHiddenCharacters = (text: string): HiddenCharacters => ({
  bidirectional: countMatches(text, BIDIRECTIONAL),
  invisible: countMatches(text, INVISIBLE),
})

function countMatches(text: string, pattern: RegExp): Hidden | null {
  let count = 0
  let firstAt = 0
  for (const match of text.matchAll(pattern)) {
    const passedOver = match.length > 1 && match[1] === undefined
    if (passedOver) continue
    if (count === 0) firstAt = match.index
    count += 1
    if (count === MAX_COUNTED) break
  }
  return count === 0 ? null : { count, firstLine: lineOf(text, firstAt) }
}

function lineOf(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
