import { countLineBreaks } from './lines.ts'

type HiddenMatches = NonNullable<ReturnType<typeof count>>

export type HiddenCharacters = ReturnType<typeof findHiddenCharacters>

/** Counting stops here, so that text full of hidden characters takes no longer than any other. */
const MAX_COUNTED = 1_000

const REORDERING = /([\u202A-\u202E\u2066-\u2069])/g

/** Joiners are legitimate after these: in emoji, and in scripts that join. */
export const JOINED = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\p{M}]|(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{L}`

const RIGHT_TO_LEFT_RANGES = String.raw`\u0590-\u061B\u061D-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}`
const RIGHT_TO_LEFT = `[${RIGHT_TO_LEFT_RANGES}]`
/** Scripts that don't put spaces between words, where a zero-width space may end one. */
const UNSPACED = String.raw`[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Javanese}\p{Script=Balinese}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}\p{Script=Cham}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
const JAMO = String.raw`[\u1100-\u11FF\uA960-\uA97F\uD7B0-\uD7FF]`

/** UTF-16 units before and after a character that say whether it is in its place. */
export const CONTEXT_UNITS = 200

const after = (pattern: string, character: string): string => `(?<=(?:${pattern})${character})`
const near = (pattern: string, character: string): string => `(?:${after(pattern, character)}|(?=${pattern}))`

/** Characters without a glyph that belong into some texts, and where. Anywhere else, they are hidden. */
const IN_PLACE: readonly (readonly [character: string, place: string])[] = [
  // Words that may be divided
  [String.raw`\u00AD`, String.raw`(?<=\p{L}{2}\u00AD)(?=\p{L}{2})`],
  [String.raw`\u034F`, near(String.raw`\p{M}`, String.raw`\u034F`)],
  [String.raw`[\u115F\u1160]`, near(JAMO, '.')],
  [String.raw`[\u17B4\u17B5]`, after(String.raw`\p{Script=Khmer}`, '.')],
  [String.raw`[\u180B-\u180F]`, after(String.raw`\p{Script=Mongolian}`, '.')],
  [String.raw`\u200B`, near(UNSPACED, '.')],
  [String.raw`[\u200C\u200D]`, after(JOINED, '.')],
  // Pictures drawn with Braille have blanks, but no letters beside them.
  [String.raw`\u2800`, String.raw`(?<![\p{L}\p{N}_]\u2800)(?![\p{L}\p{N}_])`],
  // A byte order mark starts a text.
  [String.raw`\uFEFF`, String.raw`(?<=^\uFEFF)`],
  // Variation selectors
  [
    String.raw`[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]`,
    after(String.raw`[\p{Emoji}\p{S}\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}]`, '.'),
  ],
  // BEL ends a link or a title for a terminal.
  [String.raw`\x07`, String.raw`(?<=\x1B\][^\x07\x1B\n]{0,2048}\x07)`],
  // Backspace makes letters of manual pages bold or underlined.
  [String.raw`\x08`, String.raw`(?:(?<=_\x08)|(?=_)|(?<=(?=(?<struck>.)\x08\k<struck>).\x08))`],
]

const INVISIBLE = new RegExp(
  [
    // Regional flags are spelled in tag characters, the only visible use of them: matched so as to be skipped.
    String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}`,
    // Controls, except line breaks, tabs, form feeds, and ESC, which starts a colour.
    String.raw`([\x00-\x06\x0B\x0E-\x1A\x1C-\x1F\x7F-\x9F\u2028\u2029\u2060-\u2065\u206A-\u206F]`,
    String.raw`[\u3164\uFFA0\uFFF0-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E00FF}\u{E01F0}-\u{E0FFF}]`,
    ...IN_PLACE.map(([character, place]) => `${character}(?!${place})`),
  ]
    .join('|')
    .concat(')'),
  'gu',
)

/** Marks of a direction reorder only the punctuation beside them, so they belong to words that read from right to left. */
const MARKS_IN_WORDS = new RegExp(
  String.raw`(\u200E)(?<=[\p{L}\p{N}_]\u200E)(?=[\p{L}\p{N}_])(?<!${RIGHT_TO_LEFT}\u200E)(?!${RIGHT_TO_LEFT})`,
  'gu',
)

const BESIDE = String.raw`[^\n${RIGHT_TO_LEFT_RANGES}]{0,${CONTEXT_UNITS}}`
/** Marks near such words are matched with them so as to be skipped: a search around each mark would take long. */
const DISTANT_MARKS = new RegExp(
  String.raw`(?:[\u061C\u200F]${BESIDE})?(?:${RIGHT_TO_LEFT}${BESIDE}){1,1000}|([\u061C\u200F])`,
  'gu',
)

const findMisplacedMarks = (text: string): RegExpExecArray[] =>
  [...matchHidden(text, MARKS_IN_WORDS), ...matchHidden(text, DISTANT_MARKS)]
    .toSorted((one, other) => one.index - other.index)
    .slice(0, MAX_COUNTED)

/** Counts characters that make source read differently than it runs (trojansource.codes). */
export const findHiddenCharacters = (text: string) => ({
  /** Characters that change the direction of the text around them (Unicode UAX #9, section 2). */
  bidirectional: count(
    text,
    [...matchReordering(text), ...findMisplacedMarks(text)]
      .toSorted((one, other) => one.index - other.index)
      .slice(0, MAX_COUNTED),
  ),
  /** Characters without a glyph where they don't belong, including controls. */
  invisible: count(text, matchHidden(text, INVISIBLE)),
})

interface HiddenCharacter {
  /** UTF-16 units from the start of the text. */
  readonly from: number
  readonly to: number
  /** Is `U+202E`, for example. */
  readonly code: string
  /** Is true if what follows is displayed in another order. */
  readonly reorders: boolean
}

export const formatCode = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Lists as many characters of each kind as are counted: harmless ones don't keep those that reorder from being found. */
export const listHiddenCharacters = (text: string): HiddenCharacter[] =>
  [matchReordering(text), findMisplacedMarks(text), matchHidden(text, INVISIBLE)]
    .flatMap((matches, kind) =>
      matches.map(({ index, 0: found }) => ({
        from: index,
        to: index + found.length,
        code: formatCode(found),
        reorders: kind === 0,
      })),
    )
    .toSorted((one, other) => one.from - other.from)

/** Skips matches without the first group. */
function matchHidden(text: string, pattern: RegExp): RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  for (const match of text.matchAll(pattern)) {
    if (match[1] !== undefined) matches.push(match)
    if (matches.length === MAX_COUNTED) break
  }
  return matches
}

const REORDERS = new RegExp(`${RIGHT_TO_LEFT}|[\\u202B\\u202D\\u202E\\u2067]`, 'u')

/** Names and phone numbers, but no part of an address, a path or code. */
const WORDS =
  /^[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}+~][\p{L}\p{M}\p{N}\p{Zs}\p{Pd}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{RI},.'’()&+!]*$/u
/** A dot in an address, which is none of initials or an abbreviation. */
const ADDRESS_DOT = /\.(?!\p{Zs}|\p{Lu}|$)/u
const WORDS_BEFORE = /(?:^|[\p{Zs}\t(])[@“„«\u200E]*$/u
const WORDS_AFTER = /^(?:['’]s)?[.,:;!?)…”“»%]*(?:$|[\p{Zs}\t\r])/u

/** Signs that code, commands and settings have beside a word, and prose doesn't. */
const CODE =
  /[={}<>|\\`$"_]|\w\(|:\/\/|;$|(?:^|\s)--?\w|^\s*(?:[-a-z\d.]+:\s*$|(?:#|\/\/|--|\*|sudo|rm|cd|git|npm|curl|return|def|class|case|if|elif|else|for|while|import|from|let|var|const|function|fn|func|public|private|export)\s)/

/**
 * Tells whether a pair of characters only keeps the direction of the text between them, as chats and translated
 * programs put it around names and phone numbers. In a line of prose that is read from left to right anyway, it changes
 * nothing.
 */
function isHarmlessPair(text: string, start: number, end: number): boolean {
  const inner = text.slice(start + 1, end)
  if (inner === '' || inner.length > CONTEXT_UNITS || inner.includes('\n')) return false
  if (!/^(?:\u202A\u202C|[\u2066\u2068]\u2069)$/.test(`${text.charAt(start)}${text.charAt(end)}`))
    return false
  const [before = ''] = text
    .slice(Math.max(0, start - CONTEXT_UNITS), start)
    .split('\n')
    .slice(-1)
  const [after = ''] = text.slice(end + 1, end + 1 + CONTEXT_UNITS).split('\n', 1)
  if (
    !WORDS_BEFORE.test(before) ||
    !WORDS.test(inner.replaceAll('\u200D', '')) ||
    ADDRESS_DOT.test(inner) ||
    !WORDS_AFTER.test(after)
  )
    return false
  // In a chat, these characters stand around each name that a message mentions. Its author's name comes before the message.
  const isMention = before.endsWith('@') && text[start] === '\u2068'
  if (!isMention && (CODE.test(before) || (!after.startsWith(':') && CODE.test(after)))) return false
  return !REORDERS.test(before + inner + after)
}

/**
 * Finds characters that reorder text, without harmless pairs. If there are as many as are counted, it leaves none out:
 * harmless ones don't keep others from being found.
 */
function matchReordering(text: string): RegExpExecArray[] {
  const matches = matchHidden(text, REORDERING)
  if (matches.length === MAX_COUNTED) return matches
  return matches.filter(({ index }, place) => {
    const [before, after] = [matches[place - 1], matches[place + 1]]
    return !(
      (before && isHarmlessPair(text, before.index, index)) ||
      (after && isHarmlessPair(text, index, after.index))
    )
  })
}

function count(text: string, matches: readonly RegExpExecArray[]) {
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
