import type { RequestSettings } from '../../shared/settings.ts'
import { requestApi } from '../document-form/api-request.ts'
import { toJsonBody } from '../document-form/json-body.ts'
import { SaveError } from '../document-form/save-error.ts'

/** The API's response for a new document, as far as the page shows it. */
export interface CreatedDocument {
  readonly id: string
  readonly gist_url: string | null
  readonly links: { readonly formatted: string }
  readonly timestamps: { readonly expiration: string }
  readonly settings: { readonly instant_delete: boolean }
}

/**
 * Throws a SaveError if another account, or none, is signed in by now: the document would get the wrong creator.
 *
 * @param accountId the account that the form belongs to; null if it was opened signed out.
 */
export async function requireSameAccount(accountId: string | null): Promise<void> {
  if (accountId === null) return
  const { data } = await requestApi<{ id: string }>('/v1/users/@me')
  if (data.id !== accountId)
    throw new SaveError(
      'You’ve signed in to another account since you opened this page. Copy your text and reload the page.',
    )
}

/** Creates a document. Throws a SaveError. */
export async function createDocument(content: string, settings: RequestSettings): Promise<CreatedDocument> {
  const { data } = await requestApi<CreatedDocument>('/v1/document', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: await toJsonBody({ settings }, content),
    editors: settings.editors,
  })
  return data
}
