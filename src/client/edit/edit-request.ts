import { requestApi, toJsonBody } from '../document-form/api-request.ts'
import type { ChangedSettings, EditableSettings } from './edit-settings.ts'

/** A version of a document, as the API answers it. */
export interface DocumentVersion {
  /** The text, or the envelope of an encrypted document. */
  readonly content: string
  readonly settings: EditableSettings
  readonly tag: string
}

interface Answered {
  readonly content: string
  readonly settings: EditableSettings
}

/** The document as it is now. Throws a SaveProblem. */
export async function fetchVersion(id: string): Promise<DocumentVersion> {
  const { data, tag } = await requestApi<Answered>(`/v1/document/${id}`)
  const { language, public: listed, instant_delete, image_embed } = data.settings
  return { content: data.content, settings: { language, public: listed, instant_delete, image_embed }, tag }
}

export interface DocumentChange {
  readonly content: string | undefined
  readonly settings: ChangedSettings & {
    readonly client_encrypted?: true
    readonly claim_hash?: string
  }
}

/**
 * Changes a version of a document. Throws a SaveProblem, of the code `precondition_failed` where that is not the
 * present one any more.
 *
 * @param tag the version's entity tag.
 */
export async function saveVersion(
  id: string,
  tag: string,
  { content, settings }: DocumentChange,
): Promise<void> {
  await requestApi('/v1/document', {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', 'If-Match': tag },
    body: await toJsonBody({ id, settings }, content),
  })
}
