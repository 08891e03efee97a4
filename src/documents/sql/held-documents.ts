import type { Database } from '../../platform/database.ts'
import type { Document } from '../model/document.ts'
import { DOCUMENTS, type DocumentRow, toDocument } from './document-row.ts'

/** A document without an account, with the hash of the token that somebody holds. */
export interface TokenHash {
  readonly id: string
  readonly tokenHash: string
}

/** Returns the documents whose tokens match, unless they have expired, oldest first. One query. */
export async function findDocumentsByToken(
  db: Database,
  held: readonly TokenHash[],
  now: number,
): Promise<Document[]> {
  const rows = await db.all<DocumentRow>([
    `${DOCUMENTS} WHERE (d.id, d.token_hash) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))
        AND d.expires_at > ?2
      ORDER BY d.created_at, d.id`,
    JSON.stringify(held.map(({ id, tokenHash }) => [id, tokenHash])),
    now,
  ])
  return rows.map(toDocument)
}
