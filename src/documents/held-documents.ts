import { invalidBody, issueAt } from '../errors.ts'
import { MAX_DEVICE_DOCUMENTS } from '../shared/settings.ts'
import type { DocumentStorage } from './document-store.ts'
import type { Document } from './model/document.ts'
import { hashDocumentToken, isDocumentToken } from './model/document-token.ts'
import { isDocumentId } from './model/ids.ts'
import { findDocumentsByToken, type TokenHash } from './sql/held-documents.ts'

/** A document without an account, and the token that somebody holds. The token may be wrong. */
export interface HeldDocument {
  readonly id: string
  readonly token: string
}

/** Returns the hashes of tokens. Leaves out what can't be an id or a token. */
export const hashTokens = (held: readonly HeldDocument[]): Promise<TokenHash[]> =>
  Promise.all(
    held
      .filter(({ id, token }) => isDocumentId(id) && isDocumentToken(token))
      .map(async ({ id, token }) => ({ id, tokenHash: await hashDocumentToken(token) })),
  )

/**
 * Returns the documents whose tokens are right, oldest first. Doesn't tell wrong tokens from documents that are gone,
 * so it reveals nothing about other people's documents. At most one query.
 *
 * @throws AppError `bad_request` for more than `MAX_DEVICE_DOCUMENTS`.
 */
export async function findHeldDocuments(
  store: DocumentStorage,
  held: readonly HeldDocument[],
  now: number,
): Promise<Document[]> {
  if (held.length > MAX_DEVICE_DOCUMENTS) {
    const message = `You can download at most ${MAX_DEVICE_DOCUMENTS} documents at once`
    throw invalidBody(issueAt(['documents'], message))
  }
  const hashed = await hashTokens(held)
  return hashed.length === 0 ? [] : findDocumentsByToken(store.db, hashed, now)
}
