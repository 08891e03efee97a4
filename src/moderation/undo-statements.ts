import { auditStatement } from '../platform/audit-log.ts'
import type { Instant } from '../shared/instant.ts'
import { SETTINGS, STORED_FLAGS } from '../shared/settings.ts'
import type { SqlParameter, Statement } from '../shared/statement.ts'

/*
 * A document that staff removed moves from `documents` to `removed_documents`, with the key of its content, until
 * `kept_until`. So no query on documents shows it. Its revisions and reports are gone.
 */

/**
 * The columns of a document that are kept: all but `creator_address`, which is forgotten early, and `version`, which a
 * restore makes anew.
 */
export const KEPT_COLUMNS = [
  'id',
  'creator_id',
  'token_hash',
  'content_key',
  'content_bytes',
  'content_until',
  'content_hash',
  'content_saved_by',
  'content_saved_at',
  'revision',
  'title',
  'title_key',
  'given_title',
  'name',
  'language',
  'language_chosen',
  'language_detected',
  ...STORED_FLAGS.map((name) => SETTINGS[name].column),
  'has_editors',
  'envelope_header',
  'claim_hash',
  'proof_hash',
  'gist_url',
  'duplicated_from',
  'saved_by',
  'views',
  'created_at',
  'updated_at',
  'expires_at',
]

const KEPT = KEPT_COLUMNS.join(', ')

interface KeepOptions {
  readonly now: Instant
  readonly keepMs: number
  /** The hash of the content, for documents that were stored without one: a restore finds the block by it. */
  readonly contentHash: string | null
}

/**
 * Comes before the documents are deleted. Nothing is kept of what has expired.
 *
 * @param selected an SQL condition, and `parameters` its parameters.
 */
export function keepStatement(
  selected: string,
  parameters: readonly SqlParameter[],
  { now, keepMs, contentHash }: KeepOptions,
): Statement {
  const [nowParameter, untilParameter, hashParameter] = [1, 2, 3].map(
    (position) => `?${parameters.length + position}`,
  )
  const columns = KEPT_COLUMNS.map((column) =>
    column === 'content_hash' ? `coalesce(content_hash, ${hashParameter})` : column,
  )
  return [
    `INSERT OR IGNORE INTO removed_documents (kept_until, editors, ${KEPT})
      SELECT min(expires_at, ${untilParameter}),
        (SELECT json_group_array(user_id ORDER BY position) FROM document_editors WHERE document_id = documents.id),
        ${columns.join(', ')}
      FROM documents WHERE ${selected} AND expires_at > ${nowParameter} AND ${untilParameter} > ${nowParameter}`,
    ...parameters,
    now,
    now + keepMs,
    contentHash,
  ]
}

/** Comes after they are deleted, which made their content due for deletion. */
export const keepContentStatement = (ids: readonly string[]): Statement => [
  `DELETE FROM detached_contents WHERE content_key IN (
    SELECT content_key FROM removed_documents WHERE id IN (SELECT value FROM json_each(?1)))`,
  JSON.stringify(ids),
]

const COLUMNS_AFTER_UNDO: Readonly<Record<string, string>> = {
  // Its gist may have been deleted meanwhile.
  gist_url: 'iif(EXISTS (SELECT 1 FROM gists WHERE document_id = kept.id), kept.gist_url, NULL)',
  // Another document may have the name by now.
  name: `iif(EXISTS (SELECT 1 FROM documents WHERE creator_id = kept.creator_id AND name = kept.name), NULL,
    kept.name)`,
}

interface UndoOptions {
  readonly actor: string
  readonly now: Instant
}

/**
 * Brings a document back under a version that nobody has seen, without the record of its removal and the block of its
 * text. Running them again does nothing. The last one returns a row if the document is there.
 */
export function undoStatements(
  id: string,
  { actor, now, version, deadline }: UndoOptions & { readonly version: string; readonly deadline: Instant },
): readonly Statement[] {
  const restored = 'removed_documents AS kept WHERE kept.id = ?1 AND kept.restored_as = ?2'
  const columns = KEPT_COLUMNS.map((column) => COLUMNS_AFTER_UNDO[column] ?? `kept.${column}`)
  return [
    [
      `UPDATE removed_documents SET restored_as = ?2
        WHERE id = ?1 AND kept_until > ?3 AND unixepoch() * 1000 < ?4`,
      id,
      version,
      now,
      deadline,
    ],
    [
      `INSERT INTO documents (version, ${KEPT}) SELECT kept.restored_as, ${columns.join(', ')} FROM ${restored}`,
      id,
      version,
    ],
    [
      `INSERT INTO document_editors (document_id, position, user_id)
        SELECT kept.id, editor.key, editor.value FROM removed_documents AS kept, json_each(kept.editors) AS editor
        WHERE kept.id = ?1 AND kept.restored_as = ?2 AND EXISTS (SELECT 1 FROM users WHERE id = editor.value)`,
      id,
      version,
    ],
    // A trigger has counted it as a new one.
    [
      `UPDATE users SET documents_made = documents_made - 1 WHERE id = (SELECT kept.creator_id FROM ${restored})`,
      id,
      version,
    ],
    [
      `DELETE FROM blocks WHERE kind = 'content' AND value = (SELECT kept.content_hash FROM ${restored})
        AND (created_by, created_at) = (SELECT removed_by, removed_at FROM removals WHERE document_id = ?1)`,
      id,
      version,
    ],
    [`DELETE FROM removals WHERE document_id = (SELECT kept.id FROM ${restored})`, id, version],
    auditStatement(
      { actor, action: 'document.restore', subject: id, now },
      'EXISTS (SELECT 1 FROM removed_documents WHERE id = ?5 AND restored_as IS NOT NULL)',
    ),
    ['DELETE FROM removed_documents WHERE id = ?1 AND restored_as = ?2', id, version],
    ['SELECT 1 FROM documents WHERE id = ?1 AND version = ?2', id, version],
  ]
}

/** Deletes what is kept of a removed document. The last one returns a row if there was something. */
export const purgeStatements = (id: string, { actor, now }: UndoOptions): readonly Statement[] => [
  auditStatement(
    { actor, action: 'document.purge', subject: id, now },
    'EXISTS (SELECT 1 FROM removed_documents WHERE id = ?5)',
  ),
  ['DELETE FROM removed_documents WHERE id = ?1 RETURNING content_key', id],
]
