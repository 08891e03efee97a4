import { isProseLine } from './formats.ts'

const FENCE = /^ {0,3}(?:`{3,}|~{3,})/
const LINK = /!?\[[^\]\n]*\]\([^()\s]*[./#:][^()\s]*\)/
const TASK = /^\s*[-*+] \[[ xX]\] \S/
const TABLE_RULE = /^\s*\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)+\|?$/
const EMPHASIS = /(?:^|[\s(])(?:\*\*|__)[^\s*_][^*_\n]*(?:\*\*|__)(?=[\s.,:;!?)]|$)/
const HEADING = /^#{1,6} \S/
const UNDERLINE = /^(?:={3,}|-{3,})$/
const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)]) +\S/
/** A setting with several values has no punctuation, and is rarely longer. */
const MIN_UNPUNCTUATED_WORDS = 8

const isSentence = (line: string): boolean =>
  isProseLine(line) &&
  (/[.!?:;,…。！？、][)"'»”’*_]*$/u.test(line) || line.trim().split(/\s+/).length >= MIN_UNPUNCTUATED_WORDS)

/** Whether a sentence follows, after empty lines. A comment stands right above what it describes. */
function leadsToSentence(lines: readonly string[], index: number): boolean {
  if (lines[index + 1] !== '') return false
  const next = lines.slice(index + 1).find((line) => line !== '')
  return next !== undefined && isSentence(next)
}

/**
 * Whether a text has what no configuration and no script has. Lines that start with `#` are comments in most of them,
 * and lines that start with `-` are lists of settings.
 */
export function hasMarkdownProof(text: string): boolean {
  const lines = text.split('\n')
  if (lines.filter((line) => FENCE.test(line)).length >= 2) return true
  return lines.some(
    (line, index) =>
      LINK.test(line) ||
      TASK.test(line) ||
      TABLE_RULE.test(line) ||
      (EMPHASIS.test(line) && !/^\s*(?:\/\/|\*|#)/.test(line)) ||
      (LIST_ITEM.test(line) && isSentence(line)) ||
      (HEADING.test(line) && leadsToSentence(lines, index)) ||
      (UNDERLINE.test(line) && /^\p{Lu}/u.test(lines[index - 1] ?? '') && leadsToSentence(lines, index)),
  )
}
