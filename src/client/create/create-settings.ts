import { parseUsernames } from '../../shared/form-values.ts'
import { readExpiration } from '../document-form/expiry-field.ts'

/** The settings of the API, as far as the form offers them. */
export interface ApiSettings {
  language?: string
  expiration?: number | string | null
  image_embed?: true
  instant_delete?: true
  public?: true
  long_urls?: true
  short_urls?: true
  create_gist?: true
  editors?: readonly string[]
  encrypted?: true
  client_encrypted?: true
  claim_hash?: string
}

/** What the form asks of the API. Throws a SaveProblem for what it can not mean. */
export function settingsOf(form: HTMLFormElement): ApiSettings {
  const fields = new FormData(form)
  const value = (name: string) => String(fields.get(name) ?? '')
  const editors = parseUsernames(value('editors'))
  return {
    ...readExpiration(form),
    ...(value('visibility') === 'public' && { public: true }),
    ...(value('link') === 'long' && { long_urls: true }),
    ...(value('link') === 'short' && { short_urls: true }),
    ...(fields.has('once') && { instant_delete: true }),
    ...(fields.has('image') && { image_embed: true }),
    ...(fields.has('gist') && { create_gist: true }),
    ...(editors.length > 0 && { editors }),
  }
}
