import type { RequestSettings } from '../../shared/settings.ts'
import { requestApi } from '../document-form/api-request.ts'
import { yieldToPage } from '../shared/yield.ts'
import {
  type ChangedSettings,
  type EditableSettings,
  pickEditable,
  type ShownSettings,
} from './edit-settings.ts'

/** Many more, encoded in one go, would block the page. */
const SLICE_CHARACTERS = 512 * 1024

export async function toJsonBody(members: object, content?: string): Promise<string | Blob> {
  if (content === undefined || content.length <= SLICE_CHARACTERS)
    return JSON.stringify({ content, ...members })
  const slices: Blob[] = []
  for (let at = 0; at < content.length; at += SLICE_CHARACTERS) {
    await yieldToPage()
    // A slice may end inside a surrogate pair: JSON escapes each half, and the parser joins them again.
    slices.push(new Blob([JSON.stringify(content.slice(at, at + SLICE_CHARACTERS)).slice(1, -1)]))
  }
  return new Blob(['{"content":"', ...slices, `",${JSON.stringify(members).slice(1)}`])
}

interface DocumentVersion {
  readonly content: string
  readonly settings: EditableSettings
  readonly etag: string
}

interface ApiDocument {
  readonly content: string
  readonly timestamps: { readonly expiration: string }
  readonly settings: ShownSettings
}

/** The cookie goes to the document's pages only. */
const tokenHeader = (token: string | null): Record<string, string> =>
  token === null ? {} : { 'X-Document-Token': token }

export async function fetchVersion(id: string, token: string | null): Promise<DocumentVersion> {
  const { data, etag } = await requestApi<ApiDocument>(`/v1/document/${id}`, { headers: tokenHeader(token) })
  return { content: data.content, settings: pickEditable(data.settings), etag }
}

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

export async function saveVersion(
  id: string,
  { etag, token }: { etag: string; token: string | null },
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
