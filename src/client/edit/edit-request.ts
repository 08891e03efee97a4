import type { RequestSettings } from '../../shared/settings.ts'
import { requestApi } from '../document-form/api-request.ts'
import { toJsonBody } from '../document-form/json-body.ts'
import { type ChangedSettings, type EditableSettings, pickEditable } from './edit-settings.ts'

/** One version of a document. */
export interface DocumentVersion {
  /** The text, or the JWE of an encrypted document. */
  readonly content: string
  readonly settings: EditableSettings
  /** The version's entity tag. */
  readonly etag: string
}

/** Fetches the latest version of a document. Throws a SaveError. */
export async function fetchVersion(id: string): Promise<DocumentVersion> {
  const { data, etag } = await requestApi<Omit<DocumentVersion, 'etag'>>(`/v1/document/${id}`)
  return { content: data.content, settings: pickEditable(data.settings), etag }
}

export interface DocumentChange {
  readonly content: string | undefined
  readonly settings: ChangedSettings & RequestSettings<'client_encrypted' | 'claim_hash'>
}

/**
 * Changes a document. Throws a SaveError; its code is `precondition_failed` if there is a newer version.
 *
 * @param etag the entity tag of the version to change.
 */
export async function saveVersion(
  id: string,
  etag: string,
  { content, settings }: DocumentChange,
): Promise<void> {
  await requestApi('/v1/document', {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', 'If-Match': etag },
    body: await toJsonBody({ id, settings }, content),
  })
}
