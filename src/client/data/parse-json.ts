/** Keys and values are cut in the page after so many UTF-16 units. */
const MAX_SHOWN_UNITS = 1_000

/** Levels that are indented in formatted JSON. The spaces of deeper ones would take the worker's memory. */
const MAX_INDENT = 100

/** Scalars, marks, and the start of a string. The text is valid, so nothing else comes between them. */
const TOKEN = /[^\s{}[\],:"]+|[{}[\],:"]/g

/** An expression would overflow the stack in a long string. */
function findStringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return at + 1
  }
  return text.length
}

const INDENT = '  '

/** More would take the worker's memory. */
const MAX_LINES = 3_000_000

/** Such a text starts with its inner values folded. */
const MANY_LINES = 100_000

/** No key, no parent, or nothing that opens. */
const NONE = -1

interface JsonFacts {
  /** Rows that are shown at first. */
  readonly rowCount: number
  readonly hasFolds: boolean
}

export interface JsonRow {
  readonly line: number
  readonly depth: number
  /** As it is written, but may be cut; null for an item of an array and at the top. */
  readonly key: string | null
  /** Of an item of an array. */
  readonly index: number | null
  /** A scalar, or an opening or closing mark. May be cut. */
  readonly value: string
  readonly isCut: boolean
  readonly hasComma: boolean
  /** Null for what doesn't open. */
  readonly fold: { readonly isFolded: boolean; readonly items: number } | null
}

/** Offsets of the start and the end. */
type Span = readonly [number, number]

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

function requireJson(text: string): void {
  try {
    JSON.parse(text)
  } catch (error) {
    throw new SyntaxError(`This isn’t valid JSON. ${error instanceof Error ? error.message : ''}`)
  }
}

/** JSON, or lines of JSON, in the lines of its formatted text. Numbers and keys stay as they are written. */
export class ParsedJson {
  readonly facts: JsonFacts
  readonly #text: string
  /** Offsets of the key and the value of each line. */
  readonly #keys = new Numbers()
  readonly #keyEnds = new Numbers()
  readonly #values = new Numbers()
  readonly #valueEnds = new Numbers()
  /** The line that opens what a line is in. */
  readonly #parents = new Numbers()
  readonly #depths = new Numbers()
  /** The place among its siblings. */
  readonly #places = new Numbers()
  /** The line that closes what a line opens. */
  readonly #ends = new Numbers()
  readonly #folded = new Set<number>()
  #shown: Int32Array = new Int32Array()

  constructor(text: string, language: string) {
    this.#text = text
    const withoutBom = text.replace(/^\uFEFF/, '')
    const values =
      language === 'jsonl' ? withoutBom.split('\n').filter((line) => line.trim() !== '') : [withoutBom]
    for (const value of values) requireJson(value)
    this.#readLines()
    const folds = this.#depths.length > MANY_LINES
    if (folds) this.#foldAll(1)
    this.#showLines()
    this.facts = { rowCount: this.#shown.length, hasFolds: this.#findOpening(0) !== NONE }
  }

  #findOpening(from: number): number {
    for (let line = from; line < this.#ends.length; line++) if (this.#ends.get(line) !== NONE) return line
    return NONE
  }

  #addLine(parent: number, place: number, value: Span, key: Span = [NONE, NONE]): number {
    if (this.#values.length >= MAX_LINES) throw new RangeError('This JSON has too many values.')
    this.#keys.push(key[0])
    this.#keyEnds.push(key[1])
    this.#values.push(value[0])
    this.#valueEnds.push(value[1])
    this.#parents.push(parent)
    this.#depths.push(parent === NONE ? 0 : this.#depths.get(parent) + 1)
    this.#places.push(place)
    this.#ends.push(NONE)
    return this.#values.length - 1
  }

  #readLines(): void {
    const text = this.#text
    const counts = [0]
    let parent = NONE
    let key: Span | undefined
    let last: Span | undefined
    const takePlace = () => {
      const place = counts.at(-1) ?? 0
      counts[counts.length - 1] = place + 1
      return place
    }
    TOKEN.lastIndex = text.startsWith('\uFEFF') ? 1 : 0
    for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
      const [token] = match
      if (token === '"') TOKEN.lastIndex = findStringEnd(text, match.index)
      const range = [match.index, TOKEN.lastIndex] as const
      if (token === ':') key = last
      else if (token === '}' || token === ']') {
        const opening = parent
        counts.pop()
        parent = this.#parents.get(opening)
        // Nothing is in it: both marks are in one line.
        if (opening === this.#values.length - 1) this.#valueEnds.set(opening, range[1])
        else this.#ends.set(opening, this.#addLine(parent, NONE, range))
      } else if (isOpening(token)) {
        parent = this.#addLine(parent, takePlace(), range, key)
        counts.push(0)
        key = undefined
      } else if (token !== ',') {
        last = range
        // A key comes before a colon; anything else is a value.
        if (token.startsWith('"') && this.#isKey(range[1])) continue
        this.#addLine(parent, takePlace(), range, key)
        key = undefined
      }
    }
  }

  #isKey(end: number): boolean {
    let at = end
    while (/\s/.test(this.#text[at] ?? '')) at += 1
    return this.#text[at] === ':'
  }

  /** Folds all that is at least so deep. */
  #foldAll(minDepth: number): void {
    for (let line = this.#findOpening(0); line !== NONE; line = this.#findOpening(line + 1))
      if (this.#depths.get(line) >= minDepth) this.#folded.add(line)
  }

  #showLines(): void {
    const shown = new Int32Array(this.#values.length)
    let count = 0
    for (let line = 0; line < this.#values.length; line++) {
      shown[count++] = line
      if (this.#folded.has(line)) line = this.#ends.get(line)
    }
    this.#shown = shown.slice(0, count)
  }

  /** Null for all lines. Returns the number of rows. */
  fold(line: number | null, isFolded: boolean): number {
    if (line === null) {
      this.#folded.clear()
      if (isFolded) this.#foldAll(1)
    } else if (isFolded) this.#folded.add(line)
    else this.#folded.delete(line)
    this.#showLines()
    return this.#shown.length
  }

  getRows(from: number, to: number): JsonRow[] {
    return Array.from(this.#shown.slice(from, to), (line) => this.#getRow(line))
  }

  #isLast(line: number): boolean {
    const parent = this.#parents.get(line)
    const next = (this.#ends.get(line) === NONE ? line : this.#ends.get(line)) + 1
    return parent === NONE || next === this.#ends.get(parent)
  }

  #getRow(line: number): JsonRow {
    const [start, end] = [this.#values.get(line), this.#valueEnds.get(line)]
    const opens = this.#ends.get(line) !== NONE
    const isFolded = this.#folded.has(line)
    const mark = this.#text[start]
    const place = this.#places.get(line)
    const parent = this.#parents.get(line)
    const key = this.#getKey(line)
    const isItem = parent !== NONE && this.#text[this.#values.get(parent)] === '[' && place !== NONE
    return {
      line,
      depth: this.#depths.get(line),
      key: key !== null && key.length > MAX_SHOWN_UNITS ? `${key.slice(0, MAX_SHOWN_UNITS)}…` : key,
      index: isItem ? place : null,
      // Nothing is between the marks of an empty object, however it is written.
      value:
        isOpening(mark) && !opens
          ? `${mark}${mark === '{' ? '}' : ']'}`
          : this.#text.slice(start, Math.min(end, start + MAX_SHOWN_UNITS)),
      isCut: end - start > MAX_SHOWN_UNITS && !isOpening(mark),
      hasComma: (!opens || isFolded) && !this.#isLast(line),
      fold: opens ? { isFolded, items: this.#countItems(line) } : null,
    }
  }

  #getKey(line: number): string | null {
    const start = this.#keys.get(line)
    return start === NONE ? null : this.#text.slice(start, this.#keyEnds.get(line))
  }

  #countItems(line: number): number {
    // The last item is before the line that closes it.
    let last = this.#ends.get(line) - 1
    while (this.#parents.get(last) !== line || this.#places.get(last) === NONE) {
      const parent = this.#parents.get(last)
      if (parent === NONE) return 0
      last = parent === line ? last - 1 : parent
    }
    return this.#places.get(last) + 1
  }

  /** As jq takes it, such as `.users[0].name`. */
  getPath(line: number): string {
    const steps: string[] = []
    for (let at = line; this.#parents.get(at) !== NONE; at = this.#parents.get(at))
      steps.push(this.#getStep(at))
    const path = steps.reverse().join('')
    return path.startsWith('.') ? path : `.${path}`
  }

  #getStep(line: number): string {
    const key = this.#getKey(line)
    if (key === null) return `[${this.#places.get(line)}]`
    const name: string = JSON.parse(key)
    return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
  }

  /** Formats the whole value with two spaces per level. @throws RangeError if the result is too long for a string. */
  format(): string {
    const lines: string[] = []
    for (let line = 0; line < this.#values.length; line++) {
      const row = this.#getRow(line)
      const value = row.isCut
        ? this.#text.slice(this.#values.get(line), this.#valueEnds.get(line))
        : row.value
      // The comma of what opens comes after what closes it.
      const comma = row.fold ? '' : row.hasComma ? ',' : ''
      const key = this.#getKey(line)
      const indent = INDENT.repeat(Math.min(row.depth, MAX_INDENT))
      lines.push(`${indent}${key === null ? '' : `${key}: `}${value}${comma}`)
    }
    return `${lines.join('\n')}\n`
  }
}
