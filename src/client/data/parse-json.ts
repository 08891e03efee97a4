import {
  createTokenReader,
  isFollowedByColon,
  isValidJson,
  readJson,
  readKey,
  startsComment,
} from '../../shared/json.ts'

/** Keys and values are cut in the page after so many UTF-16 units. */
const MAX_SHOWN_UNITS = 1_000

/** Levels that are indented in formatted JSON. The spaces of deeper ones would take the worker's memory. */
const MAX_INDENT = 100

/** More lines would take the worker's memory. */
const MAX_LINES = 3_000_000

/** A longer text starts with its inner values folded. */
const MANY_LINES = 100_000

/** The number that stands for no key, no parent, or nothing that opens. */
const NONE = -1

class Numbers {
  #values = new Int32Array(1_024)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Int32Array(this.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.length++] = value
  }

  get(index: number): number {
    return this.#values[index] ?? NONE
  }

  set(index: number, value: number): void {
    this.#values[index] = value
  }
}

const isOpening = (mark: string | undefined) => mark === '{' || mark === '['

/** Returns what is to be said about the text, or null if it's JSON. @throws SyntaxError */
function describeJson(text: string, language: string): string | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const isSeries = lines.length > 1 && lines.every(isValidJson)
  if (language === 'jsonl' && isSeries) return null
  let read: ReturnType<typeof readJson>
  try {
    read = isSeries ? { differences: [], values: lines.length } : readJson(text)
  } catch (error) {
    throw new SyntaxError(`This isn’t valid JSON. ${error instanceof Error ? error.message : ''}`)
  }
  const { differences, values } = read
  const name = differences.length > 0 ? `JSON5: ${differences.join(', ')}` : null
  const count = `${values.toLocaleString('en')} values`
  if (values === 1) return name
  return [isSeries ? `NDJSON: ${count}` : count, ...(name ? [name] : [])].join(' · ')
}

const cut = (text: string) => (text.length > MAX_SHOWN_UNITS ? `${text.slice(0, MAX_SHOWN_UNITS)}…` : text)

/** Reads the lines of the formatted text, as numbers for each. */
function readLines(text: string) {
  const lines = {
    /** Offsets of the key and the value. */
    keys: new Numbers(),
    values: new Numbers(),
    /** The line that opens what a line is in. */
    parents: new Numbers(),
    depths: new Numbers(),
    /** The place among its siblings. */
    places: new Numbers(),
    /** The line that closes what a line opens. */
    ends: new Numbers(),
  }
  const { values, parents, depths, ends } = lines
  const counts = [0]
  let [parent, key, last] = [NONE, NONE, NONE]
  let hasFolds = false
  const addLine = (place: number, value: number): number => {
    if (values.length >= MAX_LINES) throw new RangeError('This JSON has too many values.')
    lines.keys.push(key)
    values.push(value)
    parents.push(parent)
    depths.push(parent === NONE ? 0 : depths.get(parent) + 1)
    lines.places.push(place)
    ends.push(NONE)
    key = NONE
    return values.length - 1
  }
  const takePlace = () => {
    const place = counts.at(-1) ?? 0
    counts[counts.length - 1] = place + 1
    return place
  }
  const reader = createTokenReader(text)
  const first = text.startsWith('\uFEFF') ? 1 : 0
  for (let start = reader.find(first); start !== null; start = reader.find(reader.end())) {
    const mark = text[start]
    if (startsComment(text, start)) continue
    if (mark === ':') key = last
    else if (mark === '}' || mark === ']') {
      const opening = parent
      counts.pop()
      parent = parents.get(opening)
      // If nothing is in it, both marks are in one line.
      if (opening === values.length - 1) continue
      ends.set(opening, addLine(NONE, start))
      hasFolds = true
    } else if (isOpening(mark)) {
      parent = addLine(takePlace(), start)
      counts.push(0)
    } else if (mark !== ',') {
      last = start
      // A key comes before a colon; anything else is a value.
      if (!isFollowedByColon(text, reader.end())) addLine(takePlace(), start)
    }
  }
  return { ...lines, hasFolds }
}

export type ParsedJson = ReturnType<typeof parseJson>

export type JsonRow = ReturnType<ParsedJson['getRows']>[number]

/** Parses JSON, or lines of JSON, into the lines of its formatted text. Numbers and keys stay as they are written. */
export function parseJson(text: string, language: string) {
  const note = describeJson(text.replace(/^\uFEFF/, ''), language)
  const { keys, values, parents, depths, places, ends, hasFolds } = readLines(text)
  const folded = new Set<number>()
  let shown = new Int32Array()

  const foldAll = (minDepth: number) => {
    for (let line = 0; line < ends.length; line++)
      if (ends.get(line) !== NONE && depths.get(line) >= minDepth) folded.add(line)
  }
  const showLines = () => {
    const all = new Int32Array(values.length)
    let count = 0
    for (let line = 0; line < values.length; line++) {
      all[count++] = line
      if (folded.has(line)) line = ends.get(line)
    }
    shown = all.slice(0, count)
  }
  if (values.length > MANY_LINES) foldAll(1)
  showLines()

  const reader = createTokenReader(text)
  const readToken = (start: number) => {
    reader.find(start)
    return text.slice(start, reader.end())
  }
  const getKey = (line: number): string | null => {
    const start = keys.get(line)
    return start === NONE ? null : readToken(start)
  }
  const getValue = (line: number): string => {
    const value = readToken(values.get(line))
    // Nothing is between the marks of an empty object, however it is written.
    return isOpening(value) && ends.get(line) === NONE ? `${value}${value === '{' ? '}' : ']'}` : value
  }
  const isLast = (line: number): boolean => {
    const parent = parents.get(line)
    const next = (ends.get(line) === NONE ? line : ends.get(line)) + 1
    return parent === NONE || next === ends.get(parent)
  }
  const countItems = (line: number): number => {
    // The last item is before the line that closes it.
    let last = ends.get(line) - 1
    while (parents.get(last) !== line || places.get(last) === NONE) {
      const parent = parents.get(last)
      if (parent === NONE) return 0
      last = parent === line ? last - 1 : parent
    }
    return places.get(last) + 1
  }
  const getRow = (line: number) => {
    const opens = ends.get(line) !== NONE
    const isFolded = folded.has(line)
    const [value, key] = [getValue(line), getKey(line)]
    const [place, parent] = [places.get(line), parents.get(line)]
    const isItem = parent !== NONE && text[values.get(parent)] === '[' && place !== NONE
    return {
      line,
      depth: depths.get(line),
      /** The name as it is written, perhaps cut; null for an item of an array and at the top. */
      key: key && cut(key),
      index: isItem ? place : null,
      /** A scalar, which may be cut, or an opening or closing mark. */
      value: value.slice(0, MAX_SHOWN_UNITS),
      isCut: value.length > MAX_SHOWN_UNITS,
      hasComma: (!opens || isFolded) && !isLast(line),
      /** Is null for what doesn't open. */
      fold: opens ? { isFolded, items: countItems(line) } : null,
    }
  }
  const getStep = (line: number): string => {
    const key = getKey(line)
    if (key === null) return `[${places.get(line)}]`
    const name = readKey(key)
    return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
  }
  return {
    /** `rowCount` are the rows that are shown at first. `note` says what differs from JSON. */
    facts: { rowCount: shown.length, hasFolds, note },
    /** Takes null for all lines. Returns the number of rows. */
    fold: (line: number | null, isFolded: boolean): number => {
      if (line === null) {
        folded.clear()
        if (isFolded) foldAll(1)
      } else if (isFolded) folded.add(line)
      else folded.delete(line)
      showLines()
      return shown.length
    },
    getRows: (from: number, to: number) => Array.from(shown.slice(from, to), getRow),
    /** Returns the path in the form that jq takes, such as `.users[0].name`. */
    getPath: (line: number): string => {
      const steps: string[] = []
      for (let at = line; parents.get(at) !== NONE; at = parents.get(at)) steps.push(getStep(at))
      const path = steps.reverse().join('')
      return path.startsWith('.') ? path : `.${path}`
    },
    /** Indents by two spaces per level. @throws RangeError if the result is too long for a string. */
    format: (): string => {
      const lines: string[] = []
      for (let line = 0; line < values.length; line++) {
        const key = getKey(line)
        // The comma of what opens comes after what closes it.
        const comma = ends.get(line) !== NONE || isLast(line) ? '' : ','
        const indent = '  '.repeat(Math.min(depths.get(line), MAX_INDENT))
        lines.push(`${indent}${key === null ? '' : `${key}: `}${getValue(line)}${comma}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}
