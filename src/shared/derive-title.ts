const MAX_TITLE_CHARACTERS = 80
/** UTF-16 units that are searched. Text without a meaningful line in them has no title. */
const MAX_SEARCHED_UNITS = 4_096

/** Terminal escape sequences, whose letters and digits would stay when their control characters go. */
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  /\x1B(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1B]*(?:\x07|\x1B\\)|[@-Z\\^_=>])/g

/** Control and format characters, which are invisible or could reverse the text of a list. */
export const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu

/** Lines that only say what kind of file this is. */
const PREAMBLE = /^(#!|<\?|<!doctype\b|```|~~~|%YAML\b|(['"])use strict\2;?$|(# *|\/\/ *)?-\*-|# *vim?:)/i

/** What marks a line as a heading, a comment or a quote, or opens a structure. */
const OPENING = /^(?:\/\*+|<!--|"""|'''|--+ |\/\/+|[#*;%>]+(?=\s)|[[{(]+)\s*/
/** Its counterpart. */
const CLOSING = /(?:\*\/|-->|"""|'''|\s#+|(?<![[{(,])[[{(,]+)$/

/** Lines that start with a tag, as in many READMEs, lose all their tags. */
const TAG = /<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/gi

function cleanLine(line: string): string {
  const spaced = line.replaceAll(CONTROLS, ' ').replaceAll(/\s+/g, ' ').trim()
  if (PREAMBLE.test(spaced)) return ''
  const visible = spaced.search(TAG) === 0 ? spaced.replaceAll(TAG, '').trim() : spaced
  const opened = visible.replace(OPENING, '')
  const cleaned = opened.replace(CLOSING, '').trim()
  // A line of punctuation alone says nothing. Symbols such as emoji do.
  return /[\p{L}\p{N}\p{So}]/u.test(cleaned) ? cleaned : ''
}

/** Cuts after a word, unless the last word is long. */
function shorten(title: string): string {
  const characters = [...title]
  if (characters.length <= MAX_TITLE_CHARACTERS) return title
  const kept = characters.slice(0, MAX_TITLE_CHARACTERS - 1).join('')
  return `${kept.replace(/(?<!\s)\s+\S{0,20}$/, '')}…`
}

/** The first line that says something, without markup and invisible characters. Null if none at the start does. */
export function deriveTitle(text: string): string | null {
  const lines = text
    .slice(0, MAX_SEARCHED_UNITS)
    .replaceAll(ESCAPES, '')
    .split(/[\r\n]/)
  for (const line of lines) {
    const title = cleanLine(line)
    if (title !== '') return shorten(title)
  }
  return null
}
