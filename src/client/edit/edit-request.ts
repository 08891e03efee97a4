import type { RequestSettings } from '../../shared/settings.ts'
import { requestApi } from '../document-form/api-request.ts'
import { toJsonBody } from '../document-form/json-body.ts'
import {
  type ChangedSettings,
  type EditableSettings,
  pickEditable,
  type ShownSettings,
} from './edit-settings.ts'

/** One version of a document. */
export interface DocumentVersion {
  /** The text, or the JWE of an encrypted document. */
  readonly content: string
  readonly settings: EditableSettings
  /** The version's entity tag. */
  readonly etag: string
}

/** The fields of an API document that this page uses. */
interface ApiDocument {
  readonly content: string
  readonly timestamps: { readonly expiration: string }
  readonly settings: ShownSettings
}

/** Proves to the API that this browser created the document. The cookie goes to the document's pages only. */
const tokenHeader = (token: string | null): Record<string, string> =>
  token === null ? {} : { 'X-Document-Token': token }

/**
 * Fetches the latest version of a document. Throws a SaveError.
 *
 * @param token the document token; null for an account.
 */
export async function fetchVersion(id: string, token: string | null): Promise<DocumentVersion> {
  const { data, etag } = await requestApi<ApiDocument>(`/v1/document/${id}`, { headers: tokenHeader(token) })
  return { content: data.content, settings: pickEditable(data.settings), etag }
}

/** Returns who saved the current version of a document; null if that isn't known. Throws a SaveError. */
export async function findAuthor(id: string, token: string | null): Promise<string | null> {
  const { data } = await requestApi<{ revisions: readonly { author: string | null }[] }>(
    `/v1/document/${id}/revisions`,
    { headers: tokenHeader(token) },
  )
  return data.revisions[0]?.author ?? null
}

export interface DocumentChange {
  readonly content: string | undefined
  /** Proves the password of an encrypted document to the server, which lets only those replace it who can read it. */
  readonly claimToken?: string
  readonly settings: ChangedSettings & RequestSettings<'client_encrypted' | 'claim_hash'>
}

interface EditedVersion {
  /** The entity tag of the version to change. */
  readonly etag: string
  /** The document token; null for an account. */
  readonly token: string | null
}

/** Changes a document. Throws a SaveError; its code is `precondition_failed` if there is a newer version. */
export async function saveVersion(
  id: string,
  { etag, token }: EditedVersion,
  { content, claimToken, settings }: DocumentChange,
): Promise<ApiDocument> {
  const { data } = await requestApi<ApiDocument>('/v1/document', {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', 'If-Match': etag, ...tokenHeader(token) },
    body: await toJsonBody(
      { id, ...(claimToken !== undefined && { claim_token: claimToken }), settings },
      content,
    ),
  })
  return data
}
