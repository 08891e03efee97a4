import type { Database, Query } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'
import { DOCUMENTS, type Document, parseDocument } from './document.ts'

/** Stored in the transaction that stores the document. */
export interface KeyedCreate {
  /** Identifies the key and who sent it. */
  readonly keyHash: string
  /** Identifies what the request asked for. */
  readonly requestHash: string
  /** Only the holder of the key can decrypt it; null for a document of an account. */
  readonly encryptedToken: string | null
  readonly expiresAt: Instant
}

export interface FirstCreate extends KeyedCreate {
  readonly contentKey: string
  /** The document as it is now; null if it's gone. */
  readonly document: Document | null
}

/** Returns null if nobody has used the key, or not for a day. */
export const firstCreate = (keyHash: string, now: Instant): Query<FirstCreate | null> => ({
  statements: [
    [
      `SELECT request_hash AS requestHash, content_key AS contentKey, encrypted_token AS encryptedToken,
          expires_at AS expiresAt FROM idempotency_keys
        WHERE key_hash = ?1 AND expires_at > ?2`,
      keyHash,
      now,
    ],
    [
      `${DOCUMENTS} WHERE d.expires_at > ?2
        AND d.id = (SELECT document_id FROM idempotency_keys WHERE key_hash = ?1 AND expires_at > ?2)`,
      keyHash,
      now,
    ],
  ],
  parse: (keys, documents) => {
    const [key] = (keys ?? []) as Omit<FirstCreate, 'keyHash' | 'document'>[]
    return key ? { ...key, keyHash, document: parseDocument(documents) } : null
  },
})

/** If its document has just been inserted. Replaces one that has expired. */
export const insertKeyedCreate = (
  { keyHash, requestHash, encryptedToken, expiresAt }: KeyedCreate,
  { id, version, contentKey, createdAt }: Pick<Document, 'id' | 'version' | 'contentKey' | 'createdAt'>,
): Statement => [
  `INSERT INTO idempotency_keys
      (key_hash, request_hash, document_id, content_key, encrypted_token, expires_at)
    SELECT ?1, ?2, id, content_key, ?6, ?7 FROM documents WHERE id = ?3 AND version = ?4 AND content_key = ?5
    ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash,
      document_id = excluded.document_id, content_key = excluded.content_key,
      encrypted_token = excluded.encrypted_token, expires_at = excluded.expires_at
      WHERE idempotency_keys.expires_at <= ?8`,
  keyHash,
  requestHash,
  id,
  version,
  contentKey,
  encryptedToken,
  expiresAt,
  createdAt,
]

/** The next run continues. */
const MAX_DELETED_KEYS = 5_000

export async function deleteExpiredKeys(db: Database, now: Instant): Promise<void> {
  await db.all([
    `DELETE FROM idempotency_keys WHERE key_hash IN (
      SELECT key_hash FROM idempotency_keys WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ${MAX_DELETED_KEYS})`,
    now,
  ])
}
