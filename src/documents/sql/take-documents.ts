import type { Database } from '../../platform/database.ts'
import type { Statement } from '../../platform/statement.ts'
import type { Quotas } from '../model/quotas.ts'
import type { TokenHash } from './held-documents.ts'
import { takeCheckStatements, throwQuotaError } from './quota-checks.ts'

/** Selects anonymous documents by their ids and hashes, in parameter 1. Suspended accounts and those being deleted get none. */
const TAKEN = `
  documents.id = json_each.value ->> 0 AND documents.token_hash = json_each.value ->> 1
    AND documents.expires_at > ?3
    AND EXISTS (SELECT 1 FROM users WHERE id = ?2 AND suspended_at IS NULL AND leaving IS NULL)`

/**
 * Makes an account the creator of the documents whose token hashes match, which clears the hashes, and counts them as
 * created by it. All of them or, if the account has no room for them, none.
 *
 * @returns the ids of those documents that are the account's now. A retry after a lost response
 * returns them too, because it looks for the account.
 * @throws AppError `bad_auth` if they exceed the account's quota of documents or bytes.
 */
export async function takeDocumentsByToken(
  db: Database,
  documents: readonly TokenHash[],
  { creatorId, now, quotas }: { creatorId: string; now: number; quotas?: Quotas | undefined },
): Promise<string[]> {
  const pairs = JSON.stringify(documents.map(({ id, tokenHash }) => [id, tokenHash]))
  const statements: Statement[] = [
    // The trigger that counts created documents runs on INSERT only.
    [
      `UPDATE users SET documents_made = documents_made +
          (SELECT count(DISTINCT documents.id) FROM json_each(?1) CROSS JOIN documents WHERE ${TAKEN})
        WHERE id = ?2`,
      pairs,
      creatorId,
      now,
    ],
    [
      `UPDATE documents SET creator_id = ?2, token_hash = NULL, creator_address = NULL, version = hex(randomblob(6))
        FROM json_each(?1) WHERE ${TAKEN}`,
      pairs,
      creatorId,
      now,
    ],
    ...takeCheckStatements(quotas, creatorId),
    [
      `SELECT DISTINCT documents.id FROM json_each(?1) CROSS JOIN documents
        WHERE documents.id = json_each.value ->> 0 AND documents.creator_id = ?2 AND documents.expires_at > ?3`,
      pairs,
      creatorId,
      now,
    ],
  ]
  const results = await db
    .idempotentBatch(statements)
    .catch(throwQuotaError({ quotas: undefined, accountId: creatorId, now }))
  return (results.at(-1) as { id: string }[]).map(({ id }) => id)
}
