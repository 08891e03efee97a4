import { invalidBody, issueAt } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { isDocumentId, MAX_ADDED_DOCUMENTS, MAX_DEVICE_DOCUMENTS } from '../shared/document-ids.ts'
import { hashSecret } from '../shared/hashing.ts'
import type { Instant } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'
import {
  type Account,
  DOCUMENTS,
  type Document,
  type DocumentRow,
  isDocumentToken,
  toDocument,
} from './document.ts'
import type { DocumentStorage, DocumentStore } from './document-store.ts'
import { addCheckStatements, type Quotas } from './quotas.ts'
import { throwRefusal } from './refusal-messages.ts'

type TokenHash = Awaited<ReturnType<typeof hashTokens>>[number]

const toPairs = (tokens: readonly TokenHash[]): string =>
  JSON.stringify(tokens.map(({ id, tokenHash }) => [id, tokenHash]))

/** The token may be wrong. */
export interface DocumentToken {
  readonly id: string
  readonly token: string
}

/** @param field the id and the token, with a full stop between them. */
export function parseDocumentToken(field: string): DocumentToken {
  const [id = '', token = ''] = field.split('.')
  return { id, token }
}

const hashTokens = (tokens: readonly DocumentToken[]) =>
  Promise.all(
    tokens
      .filter(({ id, token }) => isDocumentId(id) && isDocumentToken(token))
      .map(async ({ id, token }) => ({ id, tokenHash: await hashSecret(token) })),
  )

/**
 * Doesn't tell wrong tokens from documents that are gone, so it reveals nothing about other people's documents.
 *
 * @throws AppError `bad_request` for more than `MAX_DEVICE_DOCUMENTS`.
 */
export async function findDocumentsByToken(
  { db }: DocumentStorage,
  tokens: readonly DocumentToken[],
  now: Instant,
): Promise<Document[]> {
  if (tokens.length > MAX_DEVICE_DOCUMENTS) {
    const message = `You can download at most ${MAX_DEVICE_DOCUMENTS} documents at once`
    throw invalidBody(issueAt(['documents'], message))
  }
  const hashed = await hashTokens(tokens)
  if (hashed.length === 0) return []
  const rows = await db.all<DocumentRow>([
    `${DOCUMENTS} WHERE (d.id, d.token_hash) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))
        AND d.expires_at > ?2
      ORDER BY d.created_at, d.id`,
    toPairs(hashed),
    now,
  ])
  return rows.map(toDocument)
}

/** Suspended accounts and those being deleted get none. */
const ADDED = `
  documents.id = json_each.value ->> 0 AND documents.token_hash = json_each.value ->> 1
    AND documents.expires_at > ?3
    AND EXISTS (SELECT 1 FROM users WHERE id = ?2 AND suspended_at IS NULL AND leaving IS NULL)`

/**
 * Adds all of them or, if the account has no room, none. Returns those that are the account's now: a retry after a
 * lost response returns them too, because it looks for the account.
 */
export async function addDocumentsByTokenHash(
  db: Database,
  documents: readonly TokenHash[],
  { creatorId, now, quotas }: { creatorId: string; now: Instant; quotas: Quotas },
): Promise<string[]> {
  const pairs = toPairs(documents)
  const statements: Statement[] = [
    // The trigger that counts created documents runs on INSERT only.
    [
      `UPDATE users SET documents_made = documents_made +
          (SELECT count(DISTINCT documents.id) FROM json_each(?1) CROSS JOIN documents WHERE ${ADDED})
        WHERE id = ?2`,
      pairs,
      creatorId,
      now,
    ],
    [
      `UPDATE documents SET creator_id = ?2, token_hash = NULL, creator_address = NULL, version = hex(randomblob(6))
        FROM json_each(?1) WHERE ${ADDED}`,
      pairs,
      creatorId,
      now,
    ],
    ...addCheckStatements(quotas, creatorId),
    [
      `SELECT DISTINCT documents.id FROM json_each(?1) CROSS JOIN documents
        WHERE documents.id = json_each.value ->> 0 AND documents.creator_id = ?2 AND documents.expires_at > ?3`,
      pairs,
      creatorId,
      now,
    ],
  ]
  const results = await db.idempotentBatch(statements).catch(throwRefusal(now))
  return (results.at(-1) as { id: string }[]).map(({ id }) => id)
}

/**
 * The tokens stop working. Skips documents that are gone, and wrong tokens. One call to D1, and safe to repeat.
 *
 * @throws AppError `bad_request` for more than `MAX_ADDED_DOCUMENTS`, `bad_auth` for a full account, `unavailable`.
 */
export async function addDocumentsToAccount(
  store: DocumentStore,
  tokens: readonly DocumentToken[],
  { creator, now }: { creator: Account; now: Instant },
): Promise<string[]> {
  if (tokens.length > MAX_ADDED_DOCUMENTS) {
    throw invalidBody(issueAt(['documents'], `You can add at most ${MAX_ADDED_DOCUMENTS} documents at once`))
  }
  const hashed = await hashTokens(tokens)
  if (hashed.length === 0) return []
  const ids = await addDocumentsByTokenHash(store.db, hashed, {
    creatorId: creator.id,
    now,
    quotas: store.quotas,
  })
  for (const id of ids) store.forget(id)
  return ids
}
