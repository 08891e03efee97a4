import { encodeText } from './encodings.ts'
import { formatCount, formatSize } from './format.ts'
import { findLanguage, findLanguageOfFile, PLAIN_TEXT } from './languages.ts'
import {
  detectLineBreaks,
  type LineBreaks,
  MAX_NUMBERED_LINES,
  planChunks,
  type TextChunks,
  toShownLines,
  withLineBreaks,
} from './lines.ts'
import { formatArchive, parseArchive, type TextFile } from './txtar.ts'

// What pages and commands do with the files of a document.

/** The file that says what the others are. */
const INTRODUCTION = /^(?:readme|index)\.md$/i

/** The order of a page: what introduces the files comes first. */
export function orderFiles<File extends Pick<TextFile, 'name'>>(files: readonly File[]): readonly File[] {
  const first = files.find(({ name }) => INTRODUCTION.test(name))
  return first ? [first, ...files.filter((file) => file !== first)] : files
}

/** Tells whether a page shows the file rendered at first. */
export const isIntroduction = (name: string): boolean => INTRODUCTION.test(name)

/**
 * The parts of addresses that lead to files with these names, such as `main-py`. One without a hyphen could be the id of
 * something else on the page, or look like a line.
 */
export function toSlugs(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const words = name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '')
    const base = words.includes('-') ? words : `file-${words || 'unnamed'}`
    let slug = base
    for (let number = 2; taken.has(slug); number++) slug = `${base}-${number}`
    taken.add(slug)
    return slug
  })
}

/** Splits `main-py-L3-L9` into the slug and the lines. */
export function parseFileFragment(fragment: string): {
  readonly slug: string
  readonly lines: string | null
} {
  const [, slug = fragment, lines = null] = /^(.+?)-(L\d{1,9}(?:-L\d{1,9})?)$/.exec(fragment) ?? []
  return { slug, lines }
}

/** Returns the line breaks of each file of an archive, by name. Null for a text that is none, or has LF alone. */
export function listLineBreaks(archive: string): ReadonlyMap<string, LineBreaks> | null {
  const files = archive.includes('\r') ? parseArchive(archive) : null
  return files && new Map(files.map(({ name, content }) => [name, detectLineBreaks(content)]))
}

/** A form has LF alone: this gives each file of the archive in it the line breaks that it had. */
export function restoreLineBreaks(archive: string, lineBreaks: ReadonlyMap<string, string>): string {
  const files = parseArchive(archive)?.map((file) => ({
    ...file,
    content: withLineBreaks(file.content, lineBreaks.get(file.name)),
  }))
  return files ? formatArchive(files) : archive
}

/** More than the longest run of backticks in a text, so that it ends at none of them. */
function fence(text: string, min: number): string {
  let length = min
  for (const [run] of text.matchAll(/`+/g)) length = Math.max(length, run.length + 1)
  return '`'.repeat(length)
}

/** The files one after another, each with its name and in a code block. */
export function formatAsMarkdown(files: readonly TextFile[]): string {
  const blocks = files.map(({ name, content, language = '' }) => {
    const [quote, block] = [fence(name, 1), fence(content, 3)]
    const space = name.startsWith('`') || name.endsWith('`') ? ' ' : ''
    const end = content === '' || content.endsWith('\n') ? '' : '\n'
    return `${quote}${space}${name}${space}${quote}\n\n${block}${language}\n${content}${end}${block}\n`
  })
  return blocks.join('\n')
}

/** A longer file shows its first lines until somebody asks for all of it. */
const MAX_OPEN_LINES = 500
const MAX_OPEN_BYTES = 256 * 1024
/** It is the same in files.css. */
const CLIPPED_LINES = 20

/** Lines of three screens of a phone. With more, it shows the first file, and only the names of the others. */
const MAX_PHONE_LINES = 120

/** A menu lists the files if there are this many. */
export const MIN_LISTED_FILES = 4

/** If the files have more lines than this in all, a browser lays out only the visible ones of each, in chunks. */
const MAX_LINES_AT_ONCE = 2_000
const CHUNK_LINES = 50

/** Takes longer than anything else for 10 MiB. */
export const measureFile = ({ content }: TextFile) => ({
  bytes: encodeText(content).byteLength,
  chunks: planChunks(toShownLines(content)),
})

export type FileMeasures = ReturnType<typeof measureFile>

function describeFile(file: TextFile, { bytes, chunks }: FileMeasures) {
  const { name, content, language: chosen } = file
  const { lineCount } = chunks
  const language = chosen ?? findLanguageOfFile(name)
  const known = language === null ? null : findLanguage(language)
  const isLong = lineCount > MAX_OPEN_LINES || bytes > MAX_OPEN_BYTES
  const all = lineCount > CLIPPED_LINES ? formatCount(lineCount, 'line') : formatSize(bytes)
  return {
    name,
    content,
    /** Has an LF for each CR that ends a line. */
    shown: toShownLines(content),
    chunks,
    chosen,
    /** Is true if nobody chose the language and the name doesn't say it. */
    isUnknown: language === null,
    language: known?.name ?? language ?? PLAIN_TEXT,
    label: known?.label ?? language ?? 'Plain text',
    facts: `${formatCount(lineCount, 'line')} · ${formatSize(bytes)}`,
    /** The label of the button that shows all of a long file. */
    showAll: isLong ? `Show all ${all}` : null,
  }
}

export interface DescribedFile extends ReturnType<typeof describeFile> {
  readonly slug: string
  /** The file's place in the document. A link to a line without a name means the first file. */
  readonly index: number
  /** Is true if the file's lines have numbers: all files of a page may have as many as one text. */
  readonly hasNumbers: boolean
}

/**
 * Returns them in the order of a page.
 *
 * @param measures of each file, if they are known
 */
export function describeFiles(
  files: readonly TextFile[],
  measures: readonly FileMeasures[] = [],
): readonly DescribedFile[] {
  const slugs = toSlugs(files.map(({ name }) => name))
  const described = files.map((file, index) => describeFile(file, measures[index] ?? measureFile(file)))
  const lines = described.reduce((sum, { chunks }) => sum + chunks.lineCount, 0)
  const inChunks = ({ linesPerChunk, ...chunks }: TextChunks): TextChunks => ({
    ...chunks,
    linesPerChunk:
      linesPerChunk ?? (lines > MAX_LINES_AT_ONCE && chunks.lineCount > CHUNK_LINES ? CHUNK_LINES : null),
  })
  const ordered = orderFiles(
    described.map((file, index) => ({
      ...file,
      chunks: inChunks(file.chunks),
      slug: slugs[index] ?? '',
      index,
    })),
  )
  let numbered = 0
  return ordered.map((file) => {
    const hasNumbers = numbered + file.chunks.lineCount <= MAX_NUMBERED_LINES
    if (hasNumbers) numbered += file.chunks.lineCount
    return { ...file, hasNumbers }
  })
}

/** Tells whether a phone shows only the first file, and the names of the others. */
export function areFolded(files: readonly DescribedFile[]): boolean {
  const lines = files.map(({ chunks, showAll }) => (showAll ? CLIPPED_LINES : chunks.lineCount) + 2)
  return lines.reduce((sum, count) => sum + count, 0) > MAX_PHONE_LINES
}
