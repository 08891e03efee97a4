import { countLineBreaks } from './lines.ts'

type HiddenMatches = NonNullable<ReturnType<typeof countMatches>>

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

export const removeEscapeSequences = (text: string): string => text.replaceAll(ESCAPE_SEQUENCE, '')

export type HiddenCharacters = ReturnType<typeof findHiddenCharacters>

/** Counting stops here, so that text full of hidden characters takes no longer than any other. */
const MAX_COUNTED = 1_000

const BIDIRECTIONAL = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
const REORDERING = /[\u202A-\u202E\u2066-\u2069]/g
/** Right-to-left texts need them. */
const DIRECTION_MARKS = /[\u061C\u200E\u200F]/g

/** Joiners are legitimate after these: in emoji, and in scripts that join. */
export const JOINED = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\p{M}]|(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{L}`
const INVISIBLE = new RegExp(
  [
    // Regional flags are spelled in tag characters, the only visible use of them: matched so as to be skipped.
    String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}`,
    // Controls, except line breaks, tabs, form feeds, and ESC, which starts a colour.
    String.raw`([\x00-\x06\x0B\x0E-\x1A\x1C-\x1F\x7F-\x9F]`,
    String.raw`[\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u2028\u2029\u2060-\u2065\u206A-\u206F]`,
    String.raw`[\u2800\u3164\uFFA0\uFFF0-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E00FF}\u{E01F0}-\u{E0FFF}]`,
    // BEL, except where it terminates an OSC sequence such as a link or title.
    String.raw`(?<!\x1B\][^\x07\x1B\n]{0,2048})\x07`,
    // Backspace, except where a letter is struck twice or underlined, as in manual pages.
    String.raw`(?<!_)\x08(?!_)(?<!(?=(?<struck>.)\x08\k<struck>).\x08)`,
    // A byte order mark, except at the start.
    String.raw`(?<!^)\uFEFF`,
    String.raw`(?<!${JOINED})[\u200C\u200D]`,
    // Variation selectors, except after emoji, symbols and ideographs.
    String.raw`(?<![\p{Emoji}\p{Script=Han}\p{S}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}])`,
  ].join('|'),
  'gu',
)

/** Such characters make source read differently than it runs (trojansource.codes). */
export const findHiddenCharacters = (text: string) => ({
  /** Characters that change the direction of the text around them (Unicode UAX #9, section 2). */
  bidirectional: countMatches(text, BIDIRECTIONAL),
  /** Characters without a glyph, including controls. */
  invisible: countMatches(text, INVISIBLE),
})

export interface HiddenCharacter {
  /** UTF-16 units from the start of the text. */
  readonly from: number
  readonly to: number
  /** Such as `U+202E`. */
  readonly code: string
  /** Whether what follows is displayed in another order. */
  readonly reorders: boolean
}

export const formatCode = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Up to as many of each kind as are counted: harmless ones don't keep those that reorder from being found. */
export const listHiddenCharacters = (text: string): HiddenCharacter[] =>
  [REORDERING, DIRECTION_MARKS, INVISIBLE]
    .flatMap((pattern) =>
      matchHidden(text, pattern).map(({ index, 0: found }) => ({
        from: index,
        to: index + found.length,
        code: formatCode(found),
        reorders: pattern === REORDERING,
      })),
    )
    .toSorted((one, other) => one.from - other.from)

function matchHidden(text: string, pattern: RegExp): RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  for (const match of text.matchAll(pattern)) {
    const isFlag = match.length > 1 && match[1] === undefined
    if (!isFlag) matches.push(match)
    if (matches.length === MAX_COUNTED) break
  }
  return matches
}

function countMatches(text: string, pattern: RegExp) {
  const matches = matchHidden(text, pattern)
  const [first] = matches
  return first ? { count: matches.length, firstLine: countLineBreaks(text, first.index) + 1 } : null
}

export const HIDDEN_WARNING = {
  label: 'Be careful:',
  text: 'this text may not be what it looks like. It contains',
} as const

export function formatHiddenCharacters({ bidirectional, invisible }: HiddenCharacters) {
  const format = (hidden: HiddenMatches | null, kind: string) => {
    if (!hidden) return []
    const { count, firstLine: line } = hidden
    if (count === 1) return [{ amount: `1 ${kind} character`, where: `line ${line}`, line }]
    const amount = `${count}${count === MAX_COUNTED ? ' or more' : ''} ${kind} characters`
    return [{ amount, where: `first on line ${line}`, line }]
  }
  return [...format(bidirectional, 'bidirectional control'), ...format(invisible, 'invisible')]
}
