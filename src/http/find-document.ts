import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import type { Document } from '../documents/document.ts'
import { documentAt, requireFound } from '../documents/read.ts'
import type { AppContext } from '../env.ts'
import type { Reads } from '../platform/database.ts'
import { getSizeInMemory, LruCache } from '../platform/lru-cache.ts'
import { type CopyMemory, NearestCopy } from '../platform/nearest-copy.ts'
import { ROW_MEMORY_MS } from '../platform/row-memory.ts'
import type { Instant } from '../shared/instant.ts'
import { oncePer } from '../shared/once-per.ts'
import { answer } from './answers.ts'
import { cookieOptions, cookiePrefix } from './cookies.ts'
import { askViewer, hasCredential, isFromThisSite, isSafe, readDocumentToken } from './identity.ts'

/** Carries the state of the database after a write. Who sends it back sees that write, or a later state. */
export const BOOKMARK_HEADER = 'X-Bookmark'

const COOKIE = '.bookmark'

/** Later, every copy that answers has the write: see MAX_LAG_MS. */
const COOKIE_SECONDS = 3 * 60

/** A bookmark of D1. Its documentation doesn't say what it does with anything else. */
const BOOKMARK = /^[0-9a-f]{8}(?:-[0-9a-f]{8}){2}-[0-9a-f]{32}$/

const cookieName = (siteUrl: string): string => cookiePrefix(siteUrl) + COOKIE

function readBookmark(c: AppContext): string | null {
  // Parsing the cookies of every read would take time for nothing.
  const hasCookie = c.req.header('Cookie')?.includes(`${COOKIE}=`) ?? false
  const sent =
    c.req.header(BOOKMARK_HEADER) ?? (hasCookie ? getCookie(c, cookieName(c.var.siteUrl)) : undefined)
  return sent !== undefined && BOOKMARK.test(sent) ? sent : null
}

/** A header for programs, a cookie for pages of this site. */
export function addBookmark(c: AppContext): void {
  if (isSafe(c.req.method) || c.res.status >= 400) return
  const { siteUrl, store } = c.var
  const { bookmark } = store.db
  if (bookmark === null) return
  c.res.headers.set(BOOKMARK_HEADER, bookmark)
  if (isFromThisSite(c) !== true) return
  const options = { ...cookieOptions(siteUrl), maxAge: COOKIE_SECONDS }
  c.res.headers.append('Set-Cookie', serialize(cookieName(siteUrl), bookmark, options))
}

const getMemory = oncePer((_: Env): CopyMemory => ({ avoidedUntil: 0 }))

/**
 * Null if the request must read the primary: whoever has a credential may have just changed what they read, or
 * have lost the right to, and an `If-Match` compares with the newest version.
 */
function findNearestCopy(c: AppContext): NearestCopy | null {
  const { config, now, store } = c.var
  if (config.readFrom === 'primary' || hasCredential(c)) return null
  if (c.req.header('If-Match') !== undefined || readDocumentToken(c) !== undefined) return null
  return new NearestCopy(store.db, { bookmark: readBookmark(c), memory: getMemory(c.env), now })
}

/** Reads lists that are the same for everyone. */
export const getReads = (c: AppContext): Reads => findNearestCopy(c) ?? c.var.store.db

/** About two thousand documents. */
const MAX_BYTES = 2 * 1024 * 1024

/** A document without its content, roughly. */
const getDocumentBytes = ({ editors, givenTitle, title }: Document): number =>
  1_000 + 100 * editors.length + getSizeInMemory(`${title}${givenTitle}`)

interface Entry {
  readonly document: Document
  /** When the query was sent. */
  readonly readAt: Instant
}

/**
 * The documents, without their contents, that an isolate read less than a second ago: many people who open the same
 * link take one query. A change of a document makes its own isolate forget it.
 */
export class RecentDocuments {
  readonly #entries = new LruCache<Entry>({
    maxBytes: MAX_BYTES,
    getBytes: ({ document }) => getDocumentBytes(document),
  })
  #forgotten = 0

  find(id: string, now: Instant): Document | null {
    const entry = this.#entries.get(id)
    if (!entry) return null
    const age = now - entry.readAt
    if (age >= 0 && age < ROW_MEMORY_MS) return entry.document.expiresAt > now ? entry.document : null
    this.#entries.delete(id)
    return null
  }

  /**
   * Remembers what it finds, unless reading deletes it or any document is forgotten meanwhile, since it may have been
   * read before the change. `now` is when the query is sent.
   */
  async remember(find: () => Promise<Document | null>, now: Instant): Promise<Document | null> {
    const forgotten = this.#forgotten
    const document = await find()
    if (!document || document.burnAfterReading || forgotten !== this.#forgotten) return document
    this.#entries.set(document.id, { document, readAt: now })
    return document
  }

  forget(id: string): void {
    this.#forgotten += 1
    this.#entries.delete(id)
  }
}

export const getRecentDocuments = oncePer((_: Env) => new RecentDocuments())

/**
 * From a copy of the database that may be a moment behind, or a read less than a second ago, unless the document burns
 * after reading or the request has a credential: creators and editors see their changes at once.
 *
 * @throws AppError `not_found`.
 */
export async function findDocumentToRead(
  c: AppContext,
  address: string,
  findExact = () => findDocumentToChange(c, address),
): Promise<Document> {
  const copy = findNearestCopy(c)
  if (copy === null) return findExact()
  const { log, now } = c.var
  // The primary is asked for a document that burns after reading, or that the copy doesn't have.
  const mustBeExact = (document: Document | null) => document === null || document.burnAfterReading
  const find = () => copy.askUnless(documentAt(address, now), mustBeExact)
  // A bookmark asks for what somebody has just changed.
  const recent = readBookmark(c) === null ? getRecentDocuments(c.env) : null
  const document = requireFound(
    recent?.find(address, now) ?? (await (recent ? recent.remember(find, Date.now()) : find())),
  )
  if (log) log.documentId = document.id
  return document
}

/** Finds the document of an answer that is the same for everyone: nobody looks up who asks. */
export const findDocumentForEveryone = (c: AppContext, address: string): Promise<Document> =>
  findDocumentToRead(c, address, async () => {
    const [found] = await c.var.store.db.ask(documentAt(address, c.var.now))
    return requireFound(found)
  })

/** Asks the primary, and for the account of a credential in the same round trip. @throws AppError `not_found`. */
export async function findDocumentToChange(c: AppContext, address: string): Promise<Document> {
  const { log, now } = c.var
  const { found } = await askViewer(c, documentAt(address, now))
  const document = requireFound(found)
  if (log) log.documentId = document.id
  return document
}

/** Leads from a page by name, such as `/@ada/report/edit`, to the one by id, which its forms and scripts know. */
export async function redirectToId(c: AppContext): Promise<Response> {
  const { path, url } = c.req
  const { id } = await findDocumentToRead(c, c.req.param('id') ?? '')
  const location = `/${id}${path.slice(path.indexOf('/', 1))}${new URL(url).search}`
  // The name may move to another document.
  return answer(c, null, { status: 307, headers: { Location: location, 'Cache-Control': 'no-store' } })
}
