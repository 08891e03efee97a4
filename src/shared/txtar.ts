import { rewriteSlices } from './rewrite.ts'

/**
 * Several files as one text, in the text archive of Go's tools (golang.org/x/tools/txtar), extended so that every list of
 * files comes back byte for byte. `docs/api.md` states the rule.
 */

export interface TextFile {
  readonly name: string
  readonly content: string
  /** The language that somebody chose. Without one, the name or the content tells it. */
  readonly language?: string | undefined
}

export const MAX_FILES = 100
export const MAX_FILE_NAME_CHARACTERS = 200

/** Characters that a name must not have: they hide, break or reorder what people see of it. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
const ALL_UNSEEN = new RegExp(UNSEEN, 'gu')

/** Returns why a name is refused, or null for a valid one. */
export function findNameProblem(name: string): string | null {
  if (name === '') return 'Must not be empty'
  if (name.length > MAX_FILE_NAME_CHARACTERS)
    return `Must have at most ${MAX_FILE_NAME_CHARACTERS} characters`
  if (!name.isWellFormed()) return 'Must be well-formed Unicode: it has a lone surrogate'
  if (UNSEEN.test(name))
    return 'Must not contain line breaks, control characters or characters that change the direction of text'
  if (name.includes('\\')) return 'Must not contain a backslash: separate folders with /'
  if (name.startsWith('/')) return 'Must be a relative path, without / at its start'
  const segments = name.split('/')
  if (segments.includes('')) return 'Must not contain an empty folder or file name'
  if (segments.includes('.') || segments.includes('..')) return 'Must not have . or .. as a folder'
  return null
}

/** Gives a file another name if its own is taken: `main-2.py` for `main.py`. */
export function findFreeName(name: string, isTaken: (name: string) => boolean): string {
  const dot = name.lastIndexOf('.')
  const stemLength = dot > name.lastIndexOf('/') + 1 ? dot : name.length
  let free = name
  for (let number = 2; isTaken(free); number += 1) {
    const end = `-${number}${name.slice(stemLength)}`
    const stem = name.slice(0, Math.min(stemLength, Math.max(1, MAX_FILE_NAME_CHARACTERS - end.length)))
    free = `${stem.toWellFormed()}${end}`
  }
  return free
}

/** A language stands in a header line, after the name. */
export const isFileLanguage = (language: string): boolean => /^[\p{L}\p{N}+#._-]+$/u.test(language)

/** The message for a file whose name another file of the list has already. */
export const NAME_TAKEN = 'Another file has this name'

const NO_LINE_BREAK = '\\ No newline at end of file'

// A line ends at \n alone: `^` and `$` would also match at U+2028.
const LINE_START = String.raw`(?<![^\n])`
const LINE_END = String.raw`\r?(?![^\n])`
const SPECIAL = String.raw`(?:-- [^\n]* --|\\ No newline at end of file)${LINE_END}`
/** Lines that mean something in an archive, after any number of backslashes. In a file, they have one more. */
const ESCAPABLE = new RegExp(String.raw`${LINE_START}\\*${SPECIAL}`, 'g')
const ESCAPED = new RegExp(String.raw`${LINE_START}\\(?=\\*${SPECIAL})`, 'g')

function replaceInLines(content: string, pattern: RegExp, replacement: string): string {
  const findLine = (from: number) => content.indexOf('\n', from) + 1 || -1
  return rewriteSlices(content, findLine, (slice) => slice.replace(pattern, replacement))
}

const HEADER = new RegExp(`${LINE_START}-- ([^\\n]*) --${LINE_END}`, 'g')
const QUOTED = /^("(?:[^"\\]|\\.)*")(?: (\S+))?$/

const isPlainName = (name: string): boolean => !name.startsWith('"') && name.trim() === name

function formatHeader({ name, language }: TextFile): string {
  if (language !== undefined) return `-- ${JSON.stringify(name)} ${language} --\n`
  return `-- ${isPlainName(name) ? name : JSON.stringify(name)} --\n`
}

function parseHeader(text: string): Pick<TextFile, 'name' | 'language'> {
  const [, quoted, language] = QUOTED.exec(text) ?? []
  if (quoted === undefined) return { name: text }
  try {
    return { name: String(JSON.parse(quoted)), ...(language !== undefined && { language }) }
  } catch {
    return { name: text }
  }
}

/** The names must be valid and unique, and the languages as `isFileLanguage` wants them. */
export function formatArchive(files: readonly TextFile[]): string {
  const parts = files.map((file, index) => {
    const content = replaceInLines(file.content, ESCAPABLE, '\\$&')
    const isOpen = content !== '' && !content.endsWith('\n') && index < files.length - 1
    return `${formatHeader(file)}${content}${isOpen ? `\n${NO_LINE_BREAK}\n` : ''}`
  })
  return parts.join('')
}

const OPEN_END = `\n${NO_LINE_BREAK}\n`

function parseContent(body: string): string {
  const content = body.endsWith(OPEN_END) ? body.slice(0, -OPEN_END.length) : body
  // The expression takes ten times as long to find nothing.
  const mayEscape = content.startsWith('\\') || content.includes('\n\\')
  return mayEscape ? replaceInLines(content, ESCAPED, '') : content
}

interface Header extends Pick<TextFile, 'name' | 'language'> {
  readonly start: number
  readonly end: number
}

const MAX_SHOWN_NAME = 60

const quoteName = (name: string): string => {
  const shown = name.replaceAll(ALL_UNSEEN, '\uFFFD')
  return `“${shown.length > MAX_SHOWN_NAME ? `${shown.slice(0, MAX_SHOWN_NAME).toWellFormed()}…` : shown}”`
}

/** Returns why the text isn't an archive, as a sentence, if it's none. */
function readHeaders(text: string): readonly Header[] | string {
  const headers: Header[] = []
  const names = new Set<string>()
  for (const { 0: line, 1: inside = '', index: start } of text.matchAll(HEADER)) {
    const header = parseHeader(inside.trim())
    if (headers.length === 0 && start > 0) break
    if (headers.length === MAX_FILES) return `It has more than ${MAX_FILES} files.`
    const problem = findNameProblem(header.name)
    if (problem !== null) return `The name ${quoteName(header.name)} isn’t allowed. ${problem}.`
    if (names.has(header.name)) return `Two files have the name ${quoteName(header.name)}.`
    names.add(header.name)
    headers.push({ ...header, start, end: start + line.length + 1 })
  }
  return headers.length === 0 ? 'It doesn’t start with the name of a file, such as “-- main.py --”.' : headers
}

/** Tells whether a line looks like the header of a file. */
export const hasHeaderLine = (text: string): boolean => /^-- .+ --\r?$/m.test(text)

/** Returns why a text has no files, as a sentence, or null if it has some. */
export function findArchiveProblem(text: string): string | null {
  const headers = readHeaders(text)
  return typeof headers === 'string' ? headers : null
}

/** Returns null if the text isn't an archive of 1 to 100 files with valid names: it's a text like any other. */
export function parseArchive(text: string): TextFile[] | null {
  const headers = readHeaders(text)
  if (typeof headers === 'string') return null
  return headers.map(({ start: _, end, ...header }, index) => ({
    ...header,
    content: parseContent(text.slice(end, headers[index + 1]?.start)),
  }))
}

/** How a text goes on after the header of its first file: up to the next one, or to where the text is cut off. */
const FIRST_FILE = new RegExp(
  `^-- ([^\\n]*) --\\r?(?:\\n|$)([\\s\\S]*?)(?:${LINE_START}-- [^\\n]* --${LINE_END}|$)`,
)

/** Reads the beginning of an archive, which may be cut off anywhere. Returns null if it doesn't start with a file. */
export function readFirstFile(start: string): TextFile | null {
  const [, inside, content] = FIRST_FILE.exec(start) ?? []
  if (inside === undefined || content === undefined) return null
  return { ...parseHeader(inside.trim()), content: parseContent(content) }
}
