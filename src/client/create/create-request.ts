import { askApi, jsonOf } from '../editor/api-request.ts'
import { SaveProblem } from '../editor/form-problems.ts'
import type { ApiSettings } from './create-settings.ts'

/** What the API answers for a new document, as far as it is shown. */
export interface Created {
  readonly id: string
  readonly gist_url: string | null
  readonly links: { readonly formatted: string }
  readonly timestamps: { readonly expiration: string }
  readonly settings: { readonly instant_delete: boolean }
}

/** Nobody's document is made for somebody else, or for nobody, because a session ended meanwhile. */
export async function checkAccount(account: string | null): Promise<void> {
  if (account === null) return
  const { data } = await askApi<{ id: string }>('/v1/users/@me')
  if (data.id !== account)
    throw new SaveProblem(
      'Since you opened this page, you have signed in as somebody else. Copy your text and reload the page.',
    )
}

/** Makes a document. Throws a SaveProblem. */
export async function createDocument(content: string, settings: ApiSettings): Promise<Created> {
  const { data } = await askApi<Created>('/v1/document', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: await jsonOf({ settings }, content),
    editors: settings.editors,
  })
  return data
}
