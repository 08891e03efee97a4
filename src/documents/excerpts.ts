import { withTimeout } from '../platform/database.ts'
import { BoundedMap } from '../shared/bounded-map.ts'
import { CONTROLS, deriveTitle } from '../shared/derive-title.ts'
import { formatCount } from '../shared/format.ts'
import { type Instant, MINUTE_MS } from '../shared/instant.ts'
import { TXTAR } from '../shared/languages.ts'
import { parseArchive, readFirstFile } from '../shared/txtar.ts'
import { type ContentStore, contentCache, readTextStart } from './content-store.ts'
import type { DocumentSummary } from './document.ts'
import { MAX_EXCERPTS_PER_MINUTE } from './quotas.ts'

const MAX_LINES = 3
const MAX_LINE_CHARACTERS = 240

/** UTF-16 units. Enough for the lines of almost every text. */
const START_CHARACTERS = 2_048
/** UTF-8 takes at most three bytes for a unit of UTF-16. */
const START_BYTES = 3 * START_CHARACTERS

/** A list doesn't wait longer: it's complete without the excerpts. */
const TIMEOUT_MS = 1_000

/** The reads of the current minute. */
export const excerptReads = { minute: 0, count: 0 }

function mayRead(now: Instant): boolean {
  const minute = Math.floor(now / MINUTE_MS)
  // Requests of the minute before may still be under way.
  if (excerptReads.minute < minute) Object.assign(excerptReads, { minute, count: 0 })
  excerptReads.count += 1
  return excerptReads.count <= MAX_EXCERPTS_PER_MINUTE
}

/** The beginning of a text by the key of its content, which never changes. */
const starts = new BoundedMap<string, string>(500)

async function readStart(
  contents: ContentStore,
  { contentKey, updatedAt }: DocumentSummary,
  now: Instant,
): Promise<string> {
  const known = starts.get(contentKey) ?? contentCache.get(contentKey)?.slice(0, START_CHARACTERS)
  if (known !== undefined) return known
  if (!mayRead(now)) return ''
  const stream = await contents.stream(contentKey, { storedAt: updatedAt })
  // KV may have it a moment later.
  if (stream === null) return ''
  const start = (await readTextStart(stream, START_BYTES)).slice(0, START_CHARACTERS)
  starts.set(contentKey, start)
  return start
}

/** Leaves out blank lines, and the line that is the title. */
function toExcerpt(
  start: string,
  { title, givenTitle }: Pick<DocumentSummary, 'title' | 'givenTitle'>,
): string {
  const isTitle = (line: string) => givenTitle === null && title !== null && deriveTitle(line) === title
  return start
    .replace(/^\uFEFF/, '')
    .split(/\r\n|[\n\r]/)
    .map((line) => line.replaceAll('\t', '  ').replaceAll(CONTROLS, ' ').trimEnd())
    .filter((line) => line !== '' && !isTitle(line))
    .slice(0, MAX_LINES)
    .map((line) => [...line].slice(0, MAX_LINE_CHARACTERS).join(''))
    .join('\n')
}

/** The beginning of the first of several files, and how many more there are: all are known of a text that isn't cut off. */
function toFilesExcerpt(start: string, document: DocumentSummary): string {
  const first = readFirstFile(start)
  if (!first) return toExcerpt(start, document)
  const isWhole = document.contentBytes <= START_CHARACTERS
  const others = isWhole ? (parseArchive(start)?.length ?? 1) - 1 : null
  const more = others === null ? '+ more files' : `+ ${formatCount(others, 'file')}`
  const lines = toExcerpt(first.content, document).split('\n')
  return [...lines.slice(0, MAX_LINES - 1), ...(others === 0 ? [] : [more])].join('\n')
}

/** Returns excerpts by the ids of their documents, which the viewer must be allowed to read: this counts no view, and checks nothing. */
export async function readExcerpts(
  contents: ContentStore,
  documents: readonly DocumentSummary[],
  now: Instant,
): Promise<ReadonlyMap<string, string>> {
  const excerpts = new Map<string, string>()
  const reads = documents.map(async (document) => {
    const start = await readStart(contents, document, now)
    const isArchive = document.language === TXTAR
    excerpts.set(document.id, isArchive ? toFilesExcerpt(start, document) : toExcerpt(start, document))
  })
  // Storage that fails or is slow costs the list its excerpts, and nothing else.
  await withTimeout(Promise.allSettled(reads), TIMEOUT_MS).catch(() => {})
  return new Map(excerpts)
}
