import { invalidBody, issueAt } from '../errors.ts'
import { MAX_TAKEN_DOCUMENTS } from '../shared/settings.ts'
import type { DocumentStore } from './document-store.ts'
import { type HeldDocument, hashTokens } from './held-documents.ts'
import type { Account } from './model/document.ts'
import { takeDocumentsByToken } from './sql/take-documents.ts'

/**
 * Makes an account the creator of anonymous documents, given their tokens. The tokens stop working. Skips documents
 * that are gone, and wrong tokens. Takes all others, or none if the account's quotas have no room for them. One call to D1, and safe to repeat.
 *
 * @returns the ids of the documents that are the account's now, including those that already were.
 * @throws AppError `bad_request` for more than `MAX_TAKEN_DOCUMENTS`, `bad_auth` for a full account, `unavailable`.
 */
export async function takeDocuments(
  store: DocumentStore,
  held: readonly HeldDocument[],
  { creator, now }: { creator: Account; now: number },
): Promise<string[]> {
  if (held.length > MAX_TAKEN_DOCUMENTS) {
    throw invalidBody(issueAt(['documents'], `You can add at most ${MAX_TAKEN_DOCUMENTS} documents at once`))
  }
  const hashed = await hashTokens(held)
  if (hashed.length === 0) return []
  return takeDocumentsByToken(store.db, hashed, {
    creatorId: creator.id,
    now,
    quotas: store.quotas,
  })
}
