/** A word with the punctuation of a sentence around it. */
const WORD = /^["'(«„“‘¿¡*_–—]*[\p{L}\p{M}\d][\p{L}\p{M}\d'’‘./%-]*[.,;:!?)"'»“”’…*_]*$|^[-–—&€£°]+$/u
/** Scripts without spaces between words. */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** An operator between spaces. */
const SYMBOL = /^[=<>+|&^~:{}()#[\]\\]+$/
const CODE_END = /[{}[\]=<>\\|&]$|\($/

function isProseLine(listItem: string): boolean {
  const line = listItem.replace(/^\s*(?:[-*+•]|\d+[.)]) +/, '')
  if (EAST_ASIAN.test(line)) return !/[{}=<>\\]/.test(line)
  if (/^\s{4,}|^\t/.test(line) || CODE_END.test(line)) return false
  const tokens = line.trim().split(/\s+/)
  if (tokens.some((token) => SYMBOL.test(token))) return false
  // Commands and imports are words too, but few, in lower case and without punctuation.
  if (tokens.length < 6 && !/^["'(«¿¡]?\p{Lu}|[.,;:!?]$/u.test(line)) return false
  const words = tokens.filter((token) => WORD.test(token)).length
  const lowerCase = tokens.filter((token) => /^\p{Ll}+[.,;:!?)]?$/u.test(token)).length
  return tokens.length >= 4 ? words >= 0.85 * tokens.length && lowerCase >= 0.4 * tokens.length : false
}

/** Returns which part of the lines are sentences or parts of them, from 0 to 1. */
export function getProseRatio(lines: readonly string[]): number {
  const candidates = lines.filter((line) => !/^\s*(#|\/\/|--|;|%|>|$)/.test(line))
  if (candidates.length === 0) return 0
  return candidates.filter(isProseLine).length / candidates.length
}
