import type { Document, Viewer } from '../documents/document.ts'
import { documentAt, requireFound } from '../documents/read.ts'
import { RecentDocuments } from '../documents/recent-documents.ts'
import { type AppContext, getVariable } from '../env.ts'
import type { Reads } from '../platform/database.ts'
import { type CopyMemory, NearestCopy } from '../platform/nearest-copy.ts'
import { oncePer } from '../shared/once-per.ts'
import { answer } from './answers.ts'
import { readBookmark } from './bookmark.ts'
import { askViewer, hasCredential, readDocumentToken } from './identity.ts'
import { logDocument } from './request-log.ts'

const getCopyMemory = oncePer((_: Env): CopyMemory => ({ avoidedUntil: 0 }))

/**
 * Returns the copy to read from, or null if the request must read the primary: whoever has a credential may have just
 * changed the document, or have lost the right to read it, and an `If-Match` compares with the newest version.
 */
function findNearestCopy(c: AppContext): NearestCopy | null {
  if (getVariable(c, 'config').readFrom === 'primary' || hasCredential(c)) return null
  if (c.req.header('If-Match') !== undefined || readDocumentToken(c) !== undefined) return null
  const { now, store } = c.var
  return new NearestCopy(store.db, { bookmark: readBookmark(c), memory: getCopyMemory(c.env), now })
}

/** Reads lists that are the same for everyone. */
export const getReads = (c: AppContext): Reads => findNearestCopy(c) ?? c.var.store.db

export const getRecentDocuments = oncePer((_: Env) => new RecentDocuments())

/** Returns null if the request must read the primary, which every request with a credential or a token does. @throws AppError `not_found`. */
async function findNearby(c: AppContext, address: string): Promise<Document | null> {
  const copy = findNearestCopy(c)
  if (copy === null) return null
  const { now } = c.var
  // The primary is asked for a document that burns after reading, or that the copy doesn't have.
  const mustBeExact = (document: Document | null) => document === null || document.burnAfterReading
  const find = () => copy.askUnless(documentAt(address, now), mustBeExact)
  // A bookmark asks for what somebody has just changed.
  const recent = readBookmark(c) === null ? getRecentDocuments(c.env) : null
  const document = requireFound(
    recent?.find(address, now) ?? (await (recent ? recent.remember(find, Date.now()) : find())),
  )
  logDocument(c, document.id)
  return document
}

interface FoundDocument {
  readonly document: Document
  readonly viewer: Viewer
}

const NOBODY: Viewer = { id: null, tokenHash: null }

/**
 * Takes the document from a copy of the database that may be a moment behind, or from a read less than a second ago, unless it burns
 * after reading or the request has a credential: creators and editors see their changes at once.
 *
 * @throws AppError `not_found`.
 */
export async function findDocumentToRead(c: AppContext, address: string): Promise<FoundDocument> {
  const document = await findNearby(c, address)
  return document ? { document, viewer: NOBODY } : findDocumentOnPrimary(c, address)
}

/** Finds the document of an answer that is the same for everyone: nobody looks up who asks. */
export async function findDocumentForEveryone(c: AppContext, address: string): Promise<Document> {
  const nearby = await findNearby(c, address)
  if (nearby) return nearby
  const [found] = await c.var.store.db.ask(documentAt(address, c.var.now))
  const document = requireFound(found)
  logDocument(c, document.id)
  return document
}

/** Asks for the account of a credential in the same round trip. @throws AppError `not_found`. */
export async function findDocumentOnPrimary(c: AppContext, address: string): Promise<FoundDocument> {
  const { viewer, found } = await askViewer(c, documentAt(address, c.var.now))
  const document = requireFound(found)
  logDocument(c, document.id)
  return { document, viewer }
}

/** Leads from a page by name, such as `/@ada/report/edit`, to the one by id, which its forms and scripts know. */
export async function redirectToId(c: AppContext): Promise<Response> {
  const { path, url } = c.req
  const { document } = await findDocumentToRead(c, c.req.param('id') ?? '')
  // The path has been decoded, and a header takes only ASCII.
  const rest = path.slice(path.indexOf('/', 1)).replace(/[^!-~]+/g, encodeURIComponent)
  const location = `/${document.id}${rest}${new URL(url).search}`
  // The name may move to another document.
  return answer(c, null, { status: 307, headers: { Location: location, 'Cache-Control': 'no-store' } })
}
