import type { Sample } from './sample.ts'

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Strings, comments, numbers and names of JSON with comments. What is left must be punctuation. */
const TOKENS =
  /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\b(?:true|false|null)\b/gi

/** Returns true for JSON, even with comments or cut off. */
export function isJson({ start, whole }: Sample): boolean {
  if (!/^(?:\/\/[^\n]*\n|\/\*[\s\S]{0,500}?\*\/|\s)*[[{]/.test(start)) return false
  if (whole && parses(start)) return true
  // A sample may end in the middle of a string, but a comment of a regular length ends.
  const rest = start
    .replace(TOKENS, ' ')
    .replace(/"[^"\n]*$/, '')
    .replace(/\b[a-z]{1,4}$/, '')
  return /^[\s{}[\],:-]*$/.test(rest) && /[{,[]\s*(?:"(?:[^"\\\n]|\\.)*"\s*:|[[{"\d-])/.test(start)
}

const FRAGMENT_LINE = /^\s*("(?:[^"\\]|\\.)*"\s*(:.*|,?)|[\]}[{]+,?|-?\d[\d.]*,?)$/
const KEY_LINE = /^\s*"(?:[^"\\]|\\.)*"\s*:\s*("|-?\d|[[{]|true\b|false\b|null\b)/

/** Returns true for lines from the middle of formatted JSON. */
export function isJsonFragment({ lines }: Sample): boolean {
  const keys = lines.filter((line) => KEY_LINE.test(line)).length
  return keys >= 2 && lines.every((line) => FRAGMENT_LINE.test(line))
}

/** Returns true for JSON Lines: a JSON object or array on each line. */
export function isJsonLines({ start, whole }: Sample): boolean {
  const lines = start.split('\n').filter((line) => line !== '')
  const complete = whole ? lines : lines.slice(0, -1)
  return complete.length >= 2 && complete.every((line) => /^\s*[[{]/.test(line) && parses(line))
}
