import {
  contentNotText,
  documentNotFound,
  invalidPassword,
  mayNotEdit,
  passwordNeeded,
  unavailable,
} from '../errors.ts'
import { decryptJwe, hashClaimToken } from '../shared/jwe.ts'
import { countView, type DocumentStore } from './document-store.ts'
import { decodeText } from './model/content.ts'
import { type Document, mayEdit, type Viewer } from './model/document.ts'
import { generateVersion, isDocumentId } from './model/ids.ts'
import { burnDocument } from './sql/deletion.ts'
import { findDocument } from './sql/documents.ts'
import { deleteContents } from './sql/pending-deletions.ts'

/** What a reader offers to get at the text. At most one of the two is of use. */
export interface Proof {
  readonly password?: string | undefined
  readonly claimToken?: string | undefined
}

interface Reader {
  /** Who asks; called only where it makes a difference, since it may cost a query. */
  readonly viewer: () => Promise<Viewer | null>
  readonly proof: Proof
  readonly now: number
}

export interface Delivery {
  /** The document that the content belongs to: the row may have moved on while it was fetched. */
  readonly document: Document
  /** The text, or the envelope where no password was offered. */
  readonly content: string
  /** The view count, this delivery included. */
  readonly views: number
  /** Whether this delivery deleted the document. */
  readonly burned: boolean
}

/** How often a row is read again because the content it named was replaced or not there. */
const ATTEMPTS = 4
/** Before each further attempt, in milliseconds: KV may need a moment to show what it has acknowledged. */
const PAUSES_MS = [0, 50, 200]

/** Waits before a further attempt; `attempt` is 1 for the second. False when there has been enough of them. */
export async function pauseBefore(attempt: number): Promise<boolean> {
  if (attempt >= ATTEMPTS) return false
  await new Promise((resolve) => setTimeout(resolve, PAUSES_MS[attempt - 1] ?? 0))
  return true
}

/**
 * The document with this id, without its content. One query.
 *
 * @throws AppError `not_found` when there is none, or it has expired by `now`.
 */
export async function requireDocument(store: DocumentStore, id: string, now: number): Promise<Document> {
  const document = isDocumentId(id) ? await findDocument(store.db, id, now) : null
  if (!document) throw documentNotFound()
  return document
}

/**
 * Whether reading deletes the document: it is instant_delete, and the viewer neither made it nor may
 * edit it.
 */
export async function burnsFor(document: Document, viewer: Reader['viewer']): Promise<boolean> {
  return document.burnAfterReading && !mayEdit(document, await viewer())
}

/** Whether an envelope is kept back until the password is proven: or a reader without it could burn it. */
export const needsProof = (document: Document, burns: boolean, { password, claimToken }: Proof): boolean =>
  burns && document.encrypted && password === undefined && claimToken === undefined

/** Tries to deliver the document as it now is, and again if its content was replaced, or is not there yet. */
async function untilDelivered<Result>(
  store: DocumentStore,
  found: Document,
  now: number,
  attempt: (document: Document) => Promise<Result | null>,
): Promise<Result> {
  let document = found
  for (let attempts = 1; ; attempts++) {
    const result = await attempt(document)
    if (result !== null) return result
    if (!(await pauseBefore(attempts))) break
    document = await requireDocument(store, document.id, now)
  }
  throw unavailable(new Error(`the content of document ${found.id} is missing`))
}

/**
 * Delivers the content of a document, counts the view, and deletes the document if it is read once.
 *
 * Content is fetched and a password checked before anything is deleted, so neither a fault nor a
 * wrong password destroys a document, and of all who ask at once exactly one is the reader.
 *
 * @throws AppError `bad_request` for a wrong or missing password or claim, `not_found` when another
 * reader was first, `unavailable` when the content can not be had now.
 */
export const deliver = (store: DocumentStore, found: Document, reader: Reader): Promise<Delivery> =>
  untilDelivered(store, found, reader.now, (document) => deliverOnce(store, document, reader))

/** Bytes from which content is not held for an answer that need not look at it: about what the cache leaves out. */
const STREAMED_FROM = 512 * 1024

/**
 * Delivers content as `deliver` does, for an answer that is nothing but the content: what is long, and
 * need not be looked at, goes from KV to the client without being held in between.
 */
export const deliverBody = (
  store: DocumentStore,
  found: Document,
  reader: Reader,
): Promise<{ readonly document: Document; readonly body: string | ReadableStream }> =>
  untilDelivered(store, found, reader.now, async (document) => {
    const decrypts = document.encrypted && reader.proof.password !== undefined
    if (decrypts || document.burnAfterReading || document.contentBytes <= STREAMED_FROM) {
      const delivery = await deliverOnce(store, document, reader)
      return delivery && { document: delivery.document, body: delivery.content }
    }
    const body = await store.contents.stream(document.contentKey)
    if (body) countView(store, document, reader.now)
    return body && { document, body }
  })

/**
 * The text of a document for somebody who is about to edit it: it counts no view and deletes nothing.
 *
 * @param password of an encrypted document, which is not opened without.
 * @throws AppError `not_found`, `bad_auth` for whoever may not edit it, `bad_request` for a wrong or missing
 * password, `unavailable`.
 */
export const readToEdit = (
  store: DocumentStore,
  found: Document,
  { viewer, password, now }: { viewer: Viewer; password: string | undefined; now: number },
): Promise<{ readonly document: Document; readonly text: string }> =>
  untilDelivered(store, found, now, async (document) => {
    if (!mayEdit(document, viewer)) throw mayNotEdit()
    if (document.encrypted && password === undefined) throw passwordNeeded()
    const stored = await store.contents.get(document.contentKey, { once: document.burnAfterReading })
    if (stored === null) return null
    const text = document.encrypted && password !== undefined ? await open(stored, password) : stored
    return { document, text }
  })

/**
 * What is stored of a document, for whoever may edit it: of an encrypted one its envelope. It counts no view and
 * deletes nothing.
 *
 * @throws AppError `not_found`, `bad_auth` for whoever may not edit it, `unavailable`.
 */
export const readStored = (
  store: DocumentStore,
  found: Document,
  { viewer, now }: { viewer: Viewer; now: number },
): Promise<{ readonly document: Document; readonly stored: string }> =>
  untilDelivered(store, found, now, async (document) => {
    if (!mayEdit(document, viewer)) throw mayNotEdit()
    const stored = await store.contents.get(document.contentKey, { once: document.burnAfterReading })
    return stored === null ? null : { document, stored }
  })

/** Null when the content is not there, or another reader was first. */
async function deliverOnce(
  store: DocumentStore,
  document: Document,
  { viewer, proof, now }: Reader,
): Promise<Delivery | null> {
  const burns = await burnsFor(document, viewer)
  if (needsProof(document, burns, proof)) throw passwordNeeded()
  if (proof.claimToken !== undefined) await checkClaim(document, proof.claimToken)

  const stored = await store.contents.get(document.contentKey, { once: document.burnAfterReading })
  if (stored === null) return null
  const content =
    document.encrypted && proof.password !== undefined ? await open(stored, proof.password) : stored

  if (!burns) return { document, content, views: countView(store, document, now), burned: false }
  if (!(await burn(store, document, now))) return null
  return { document, content, views: store.views.current(document.id, document.views) + 1, burned: true }
}

async function open(envelope: string, password: string): Promise<string> {
  const bytes = await decryptJwe(envelope, password)
  if (bytes === null) throw invalidPassword()
  try {
    return decodeText(bytes)
  } catch {
    throw contentNotText()
  }
}

/** Comparing hashes of what was sent tells nobody by its time how much of a token was right. */
async function checkClaim(document: Document, token: string): Promise<void> {
  if (!document.claim) throw documentNotFound()
  if ((await hashClaimToken(token)) !== document.claim.hash) throw invalidPassword()
}

async function burn(store: DocumentStore, document: Document, now: number): Promise<boolean> {
  const burned = await burnDocument(store.db, { document, mark: generateVersion(), now })
  if (burned) store.defer(() => deleteContents(store, [document.contentKey]))
  return burned
}
