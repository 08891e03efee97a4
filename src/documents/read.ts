import {
  burnsNow,
  contentNotText,
  documentNotFound,
  invalidPassword,
  passwordRequired,
  unavailable,
} from '../errors.ts'
import { answered, type Database, type Query, query } from '../platform/database.ts'
import { isDocumentId, parseNamedAddress } from '../shared/document-ids.ts'
import type { Instant } from '../shared/instant.ts'
import { decryptJwe, provesPassword } from '../shared/jwe.ts'
import { type ContentStore, decodeText, deleteContent, readTextStart } from './content-store.ts'
import {
  DOCUMENT_BY_ID,
  DOCUMENT_BY_NAME,
  type Document,
  generateVersion,
  hasOpenContent,
  mayEdit,
  parseDocument,
  type Viewer,
} from './document.ts'
import type { DocumentStore } from './document-store.ts'
import { countView } from './views.ts'

const VISIBLE = ' AND u.suspended_at IS NULL'
const VISIBLE_BY_ID = DOCUMENT_BY_ID + VISIBLE
const VISIBLE_BY_NAME = DOCUMENT_BY_NAME + VISIBLE

/** Only staff may see documents of suspended accounts. */
export const anyDocument = (id: string, now: Instant): Query<Document | null> =>
  isDocumentId(id) ? query([DOCUMENT_BY_ID, id, now], parseDocument) : answered(null)

/** Documents of suspended accounts are hidden. */
export const visibleDocument = (id: string, now: Instant): Query<Document | null> =>
  isDocumentId(id) ? query([VISIBLE_BY_ID, id, now], parseDocument) : answered(null)

/** Finds it by its id, or by `@username/name`, in one query. */
export function documentAt(address: string, now: Instant): Query<Document | null> {
  const named = parseNamedAddress(address)
  if (named === null) return visibleDocument(address, now)
  return query([VISIBLE_BY_NAME, named.username, named.name, now], parseDocument)
}

export function requireFound(document: Document | null): Document {
  if (!document) throw documentNotFound()
  return document
}

export async function requireDocument(
  store: DocumentStore,
  address: string,
  now: Instant,
): Promise<Document> {
  const [document] = await store.db.ask(documentAt(address, now))
  return requireFound(document)
}

/** The row that was read is out of date, or names content that KV doesn't show yet: it has to be read again. */
export class StaleDocumentError extends Error {
  override readonly name = 'StaleDocumentError'
}

/** The content of a document, which is fetched when it's first needed, and decrypted at most once per password. */
export class StoredContent {
  readonly #contents: ContentStore
  readonly #document: Document
  #stored: Promise<string> | null = null
  #decrypted: { readonly password: string; readonly bytes: Promise<Uint8Array> } | null = null

  constructor(contents: ContentStore, document: Document) {
    this.#contents = contents
    this.#document = document
  }

  /** @throws StaleDocumentError if KV doesn't have it, AppError `unavailable`. */
  async read(): Promise<string> {
    this.#stored ??= this.#fetch()
    return this.#stored
  }

  /** Doesn't fetch the rest of a long text. `maxBytes` are of UTF-8. @throws like `read`. */
  async readStart(maxBytes: number): Promise<string> {
    const { contentBytes, contentKey, id, updatedAt } = this.#document
    if (contentBytes <= maxBytes) return this.read()
    const stream = await this.#contents.stream(contentKey, { storedAt: updatedAt })
    if (stream === null) throw new StaleDocumentError(`the content of document ${id} is missing`)
    return readTextStart(stream, maxBytes)
  }

  /** @throws AppError `bad_request` for a wrong password, and what `read` throws. */
  async decrypt(password: string): Promise<Uint8Array> {
    if (this.#decrypted?.password !== password) {
      this.#decrypted = { password, bytes: this.#decrypt(password) }
    }
    return this.#decrypted.bytes
  }

  /** @throws AppError `bad_request` without the right password, or for bytes that aren't UTF-8, and what `read` throws. */
  async readText(password: string | undefined): Promise<string> {
    if (!this.#document.encrypted) return this.read()
    if (password === undefined) throw passwordRequired()
    const bytes = await this.decrypt(password)
    try {
      return decodeText(bytes)
    } catch {
      throw contentNotText()
    }
  }

  async #fetch(): Promise<string> {
    const { id, contentBytes, contentKey, encrypted, burnAfterReading, updatedAt } = this.#document
    await this.#contents.memory?.reserveForAnswer(contentBytes, { encrypted })
    const stored = await this.#contents.get(contentKey, {
      cache: !burnAfterReading,
      storedAt: updatedAt,
    })
    if (stored === null) throw new StaleDocumentError(`the content of document ${id} is missing`)
    return stored
  }

  async #decrypt(password: string): Promise<Uint8Array> {
    const bytes = await decryptJwe(await this.read(), password)
    if (bytes === null) throw invalidPassword()
    return bytes
  }
}

const MAX_ATTEMPTS = 4
/** KV may take a moment to show what it has acknowledged. */
const PAUSES_MS = [0, 50, 200]

/** Waits before another attempt. Returns false if there have been enough. */
export async function pauseBeforeRetry(attempt: number): Promise<boolean> {
  if (attempt >= MAX_ATTEMPTS) return false
  await new Promise((resolve) => setTimeout(resolve, PAUSES_MS[attempt - 1] ?? 0))
  return true
}

export async function retryWhileStale<Result>(
  store: DocumentStore,
  found: Document,
  now: Instant,
  read: (document: Document) => Promise<Result>,
): Promise<Result> {
  let document = found
  for (let attempts = 1; ; attempts++) {
    try {
      return await read(document)
    } catch (error) {
      if (!(error instanceof StaleDocumentError)) throw error
      if (!(await pauseBeforeRetry(attempts))) throw unavailable(error)
    }
    document = await requireDocument(store, document.id, now)
  }
}

/** The password or claim token that a viewer sends to get at encrypted content: at most one of the two. */
export interface Proof {
  readonly password?: string | undefined
  readonly claimToken?: string | undefined
}

interface Reader {
  readonly viewer: Viewer
  readonly proof: Proof
  readonly now: Instant
  /**
   * Is true if this is a view. On the site, creators don't count as readers of their own documents, and of a text that
   * is read in parts, the first part counts.
   */
  readonly counts?: boolean
  /** Is false for a `GET` of the site: a link preview may send it, while an edit makes the document burn. */
  readonly mayBurn?: boolean
}

export type Delivery = Awaited<ReturnType<typeof deliverOnce>>

/** Viewers who can edit the document don't burn it. */
export const burnsFor = (document: Document, viewer: Viewer): boolean =>
  document.burnAfterReading && !mayEdit(document, viewer)

/** A JWE is withheld until the viewer proves the password. Otherwise anyone without it could burn the document. */
export const needsProof = (document: Document, burns: boolean, { password, claimToken }: Proof): boolean =>
  burns && document.encrypted && password === undefined && claimToken === undefined

/**
 * Fetches the content and checks the password before it deletes anything, so neither a fault nor a wrong password
 * destroys a document, and exactly one of many concurrent viewers gets the content.
 *
 * @throws AppError `bad_request` for a missing or wrong password or claim token, `not_found` if another viewer
 * was first, `unavailable` if the content can't be fetched now.
 */
export const deliver = (store: DocumentStore, found: Document, reader: Reader): Promise<Delivery> =>
  retryWhileStale(store, found, reader.now, (document) => deliverOnce(store, document, reader))

/** Content larger than this is streamed if nothing has to look at it. The cache doesn't hold much larger ones. */
const MAX_BUFFERED_BYTES = 512 * 1024

/** Long content that doesn't have to be decrypted or burned isn't held in memory. */
export const deliverBody = (
  store: DocumentStore,
  found: Document,
  reader: Reader,
): Promise<{ readonly document: Document; readonly body: string | ReadableStream }> =>
  retryWhileStale(store, found, reader.now, async (document) => {
    const decrypts = document.encrypted && reader.proof.password !== undefined
    if (decrypts || document.burnAfterReading || document.contentBytes <= MAX_BUFFERED_BYTES) {
      const delivery = await deliverOnce(store, document, reader)
      return { document: delivery.document, body: delivery.content }
    }
    const body = await store.contents.stream(document.contentKey, { storedAt: document.updatedAt })
    if (body === null) throw new StaleDocumentError(`the content of document ${document.id} is missing`)
    if (reader.counts !== false) countView(store, document, reader.now)
    return { document, body }
  })

/**
 * Returns the row that was read, which may have changed since, and the views including this one, if it counts.
 *
 * @throws StaleDocumentError if the content isn't there, or another viewer was first.
 */
async function deliverOnce(
  store: DocumentStore,
  document: Document,
  { viewer, proof, now, counts = true, mayBurn = true }: Reader,
) {
  const burns = burnsFor(document, viewer)
  if (burns && !mayBurn) throw burnsNow()
  if (needsProof(document, burns, proof)) throw passwordRequired()
  if (proof.claimToken !== undefined) await checkClaimToken(document, proof.claimToken)

  const stored = new StoredContent(store.contents, document)
  const content = await (proof.password === undefined ? stored.read() : stored.readText(proof.password))

  if (!burns) {
    const views = counts ? countView(store, document, now) : store.views.current(document.id, document.views)
    return { document, content, views, burned: false }
  }
  if (!(await burnDocument(store.db, { document, mark: generateVersion(), now }))) {
    throw new StaleDocumentError(`another viewer burned document ${document.id}`)
  }
  store.defer(() => deleteContent(store, [document.contentKey]))
  return { document, content, views: store.views.current(document.id, document.views) + 1, burned: true }
}

/** Compares hashes, so the time it takes tells nobody how much of a token was right. */
async function checkClaimToken(document: Document, token: string): Promise<void> {
  if (!document.claim) throw documentNotFound()
  if (!(await provesPassword(token, document.claim.hash))) throw invalidPassword()
}

/**
 * The row is marked and deleted in one transaction, and a trigger copies the mark to the pending deletion. The last
 * statement reads it there, so a burn whose response was lost can be tried again and learns whether the first try took
 * effect.
 *
 * @param mark unique to this viewer.
 */
export async function burnDocument(
  db: Database,
  { document, mark, now }: { document: Document; mark: string; now: Instant },
): Promise<boolean> {
  const [, , burned] = await db.idempotentBatch([
    [
      `UPDATE documents SET burn_mark = ?3
        WHERE id = ?1 AND version = ?2 AND instant_delete = 1 AND expires_at > ?4
          AND unixepoch() * 1000 < ?5`,
      document.id,
      document.version,
      mark,
      now,
      db.deadline(),
    ],
    ['DELETE FROM documents WHERE id = ?1 AND burn_mark = ?2', document.id, mark],
    ['SELECT 1 FROM detached_contents WHERE content_key = ?1 AND burn_mark = ?2', document.contentKey, mark],
  ])
  return burned?.length === 1
}

/** Counts no view, and burns nothing. @throws AppError `not_found` for a document without open content, `unavailable`. */
export const readOpenText = (
  store: DocumentStore,
  found: Document,
  { now, maxBytes = Number.POSITIVE_INFINITY }: { now: Instant; maxBytes?: number },
) =>
  retryWhileStale(store, found, now, async (document) => {
    if (!hasOpenContent(document)) throw documentNotFound()
    return { document, text: await new StoredContent(store.contents, document).readStart(maxBytes) }
  })
