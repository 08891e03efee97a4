import { requestApi, toJsonBody } from '../document-form/api-request.ts'
import { SaveError } from '../document-form/form-errors.ts'
import type { ApiSettings } from './create-settings.ts'

/** What the API answers for a new document, as far as it is shown. */
export interface CreatedDocument {
  readonly id: string
  readonly gist_url: string | null
  readonly links: { readonly formatted: string }
  readonly timestamps: { readonly expiration: string }
  readonly settings: { readonly instant_delete: boolean }
}

/** Nobody's document is made for somebody else, or for nobody, because a session ended meanwhile. */
export async function requireSameAccount(account: string | null): Promise<void> {
  if (account === null) return
  const { data } = await requestApi<{ id: string }>('/v1/users/@me')
  if (data.id !== account)
    throw new SaveError(
      'Since you opened this page, you have signed in as somebody else. Copy your text and reload the page.',
    )
}

/** Makes a document. Throws a SaveProblem. */
export async function createDocument(content: string, settings: ApiSettings): Promise<CreatedDocument> {
  const { data } = await requestApi<CreatedDocument>('/v1/document', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: await toJsonBody({ settings }, content),
    editors: settings.editors,
  })
  return data
}
