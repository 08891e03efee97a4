import type { SqlParameter } from '../../platform/statement.ts'
import { EDITABLE_FLAGS, SETTINGS, STORED_FLAGS, type StoredFlag } from '../../shared/settings.ts'
import type { DocumentWrite } from '../model/document.ts'
import { toSearchKey } from '../model/title.ts'

/** Columns of `documents`, each with the value to write. */
type Columns = Readonly<Record<string, (write: DocumentWrite) => SqlParameter>>

const flagColumns = (names: readonly StoredFlag[]): Columns =>
  Object.fromEntries(
    names.map((name) => [
      SETTINGS[name].column,
      (write: DocumentWrite) => Number(write[SETTINGS[name].property]),
    ]),
  )

/** The columns that every edit writes. */
export const UPDATED_COLUMNS: Columns = {
  content_key: (write) => write.contentKey,
  content_bytes: (write) => write.contentBytes,
  content_until: (write) => write.contentExpiresAt,
  revision: (write) => write.revision,
  title: (write) => write.title,
  title_key: (write) => write.title && toSearchKey(write.title),
  given_title: (write) => write.givenTitle,
  language: (write) => write.language,
  language_chosen: (write) => Number(write.languageChosen),
  expires_at: (write) => write.expiresAt,
  ...flagColumns(EDITABLE_FLAGS),
  has_editors: (write) => Number(write.editorIds.length > 0),
  envelope_header: (write) => write.claim?.header ?? null,
  claim_hash: (write) => write.claim?.hash ?? null,
  proof_hash: (write) => write.proofHash,
  saved_by: (write) => write.lastEditedById,
  version: (write) => write.version,
  updated_at: (write) => write.updatedAt,
  content_hash: (write) => write.contentHash,
}

/** The columns that a create writes. */
export const INSERTED_COLUMNS: Columns = {
  id: (write) => write.id,
  creator_id: (write) => write.creatorId,
  token_hash: (write) => write.tokenHash,
  created_at: (write) => write.createdAt,
  creator_address: (write) => write.creatorAddress ?? null,
  duplicated_from: (write) => write.duplicatedFrom ?? null,
  ...flagColumns(STORED_FLAGS),
  ...UPDATED_COLUMNS,
}

/** Returns the values for these columns, in their order. */
export const columnValues = (columns: Columns, write: DocumentWrite): SqlParameter[] =>
  Object.values(columns).map((getValue) => getValue(write))
