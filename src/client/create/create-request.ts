import type { CreateAnswer } from '../../shared/create-answer.ts'
import { parseUsernames } from '../../shared/form-settings.ts'
import { requestApi } from '../document-form/api-request.ts'
import { readExpiryDate } from '../document-form/expiry-field.ts'

/** The content of a new document, and the options of the request. */
interface NewContent {
  /** The text, or the JWE that it was encrypted to. */
  readonly content: string
  readonly language: string
  /** Null for text that isn't encrypted. */
  readonly encryption: { readonly claimHash: string } | null
}

/**
 * Returns the fields of the form for the server. The content is sent as a file: forms replace line breaks and NUL in
 * text.
 *
 * @throws SaveError for a missing date.
 */
export function buildForm(form: HTMLFormElement, { content, language, encryption }: NewContent): FormData {
  const fields = new FormData(form)
  fields.set('content', new Blob([content], { type: 'text/plain' }), 'content')
  fields.set('language', language)
  if (fields.get('expires') === 'date') fields.set('expires_at', readExpiryDate(form))
  if (encryption) {
    fields.set('client_encrypted', 'yes')
    fields.set('claim_hash', encryption.claimHash)
    fields.delete('duplicated_from')
  }
  return fields
}

/** Creates a document through the site's form. Throws a SaveError. */
export async function createDocument(fields: FormData): Promise<CreateAnswer> {
  const { data } = await requestApi<CreateAnswer>('/', {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: fields,
    editors: parseUsernames(String(fields.get('editors') ?? '')),
  })
  return data
}
