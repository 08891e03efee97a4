/** Scalars, marks, and the start of a string or a comment. */
const TOKEN = /[^\s{}[\],:"'/]+|[{}[\],:"'/]/g

/** An expression would overflow the stack in a long string. */
function findStringEnd(text: string, start: number): number {
  const quote = text[start] ?? ''
  for (let at = text.indexOf(quote, start + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return at + 1
  }
  return text.length
}

/** Returns null if none starts there. */
function findCommentEnd(text: string, start: number): number | null {
  const mark = text[start + 1]
  if (mark !== '/' && mark !== '*') return null
  const end = text.indexOf(mark === '/' ? '\n' : '*/', start + 2)
  if (end === -1) return text.length
  return mark === '/' ? end : end + 2
}

/** Returns where the next token starts, or null. It ends at the returned function's `end()`. */
export function createTokenReader(text: string) {
  let end = 0
  return {
    /** Comments are tokens, too. */
    find: (from: number): number | null => {
      TOKEN.lastIndex = from
      const match = TOKEN.exec(text)
      if (!match) return null
      const [mark] = match
      end = TOKEN.lastIndex
      if (mark === '"' || mark === "'") end = findStringEnd(text, match.index)
      else if (mark === '/') end = findCommentEnd(text, match.index) ?? end
      return match.index
    },
    end: () => end,
  }
}

export const startsComment = (text: string, start: number): boolean =>
  text[start] === '/' && /[/*]/.test(text[start + 1] ?? '')

/** Tells whether what ends here names a value. */
export function isFollowedByColon(text: string, end: number): boolean {
  let at = end
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at += 1
    const commentEnd = text[at] === '/' ? findCommentEnd(text, at) : null
    if (commentEnd === null) return text[at] === ':'
    at = commentEnd
  }
}

const STRICT = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?)$/i
const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200C\u200D]*$/u

/** Names what JSON5 has, and JSON hasn't, in a scalar. */
const describeScalar = (scalar: string): string | null => {
  if (/^[-+]?(?:NaN|Infinity)$/.test(scalar)) return scalar.replace(/^[-+]/, '')
  if (/^[-+]?0x[\da-f]+$/i.test(scalar)) return 'hexadecimal numbers'
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(scalar) ? 'other forms of numbers' : null
}

/** Returns the token in double quotes. */
const quote = (token: string): string =>
  token.startsWith("'")
    ? `"${token
        .slice(1, -1)
        .replaceAll(/\\(\r\n|[\s\S])|"/g, (found, escaped: string | undefined) =>
          escaped === undefined ? '\\"' : /[\r\n]/.test(escaped) ? '' : escaped === "'" ? "'" : found,
        )}"`
    : token.startsWith('"')
      ? token
      : JSON.stringify(token)

/** Reads a key as it is written. */
export const readKey = (token: string): string => String(JSON.parse(quote(token)))

export function isValidJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Reads JSON, JSON5, and several such values one after the other, such as NDJSON. Returns what differs from JSON, and how
 * many values there are. @throws SyntaxError
 */
export function readJson(text: string) {
  try {
    JSON.parse(text)
    return { differences: [], values: 1 }
  } catch (error) {
    const { strict, differences, values } = toStrict(text)
    if (differences.length === 0 && values < 2) throw error
    try {
      JSON.parse(strict)
    } catch (problem) {
      // The place would be in another text.
      throw new SyntaxError((problem as Error).message.replace(/ (?:in JSON )?at position [\s\S]*$/, ''))
    }
    return { differences, values }
  }
}

/** Other values than numbers keep what they are: only the form counts. */
function toStrict(text: string) {
  const parts: string[] = []
  const differences = new Set<string>()
  const reader = createTokenReader(text)
  let [copied, depth, values] = [0, 0, 0]
  /** The place of a comma that nothing follows yet, or whether it's left out so far. */
  let [comma, isCommaPending] = [-1, false]
  const replace = (from: number, to: number, by: string) => {
    parts.push(text.slice(copied, from), by)
    copied = to
  }
  for (let start = reader.find(0); start !== null; start = reader.find(reader.end())) {
    const end = reader.end()
    const mark = text[start] ?? ''
    if (startsComment(text, start)) {
      if (comma !== -1) replace(comma, comma + 1, '')
      isCommaPending ||= comma !== -1
      comma = -1
      replace(start, end, ' ')
      differences.add('comments')
      continue
    }
    const isClosing = mark === '}' || mark === ']'
    if (isClosing && (comma !== -1 || isCommaPending)) differences.add('trailing commas')
    if (isClosing && comma !== -1) replace(comma, comma + 1, '')
    if (!isClosing && isCommaPending) replace(start, start, ',')
    isCommaPending = false
    if (isClosing) depth -= 1
    else if (mark !== ',' && mark !== ':') {
      if (depth === 0 && values++ > 0) replace(start, start, ',')
      if (mark === '{' || mark === '[') depth += 1
      else {
        const token = text.slice(start, end)
        const difference = STRICT.test(token) || mark === '"' ? null : describeScalar(token)
        if (mark === "'" && token.length > 1 && token.endsWith("'")) {
          replace(start, end, quote(token))
          differences.add('single quotes')
        } else if (NAME.test(token) && isFollowedByColon(text, end)) {
          replace(start, end, JSON.stringify(token))
          differences.add('names without quotes')
        } else if (difference) {
          replace(start, end, '0')
          differences.add(difference)
        }
      }
    }
    comma = mark === ',' ? start : -1
  }
  parts.push(text.slice(copied))
  const strict = parts.join('')
  return { strict: values > 1 ? `[${strict}]` : strict, differences: [...differences], values }
}
