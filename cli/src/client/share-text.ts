import { RegentError } from './errors.ts'
import type { ApiRequest, ApiResponse } from './transport.ts'
import type { CreateSettings } from './types.ts'

/** The settings of a shared text. With `client_encrypted`, it needs no `encrypted`. */
export type ShareSettings = Pick<
  CreateSettings,
  'title' | 'language' | 'expiration' | 'instant_delete' | 'public' | 'client_encrypted' | 'claim_hash'
>

export interface SharedText {
  readonly id: string
  readonly link: string
  /** Proves that you created the document. Keep it. Null if you have an account. */
  readonly token: string | null
  /** ISO 8601 in UTC. A document that never expires has the expiration `9999-12-31T23:59:59.999Z`. */
  readonly expiration: string
}

/** In days, exact to less than a millisecond. */
function formatExpiration(expiration: number | string | null | undefined): string | undefined {
  if (expiration === undefined || typeof expiration === 'string') return expiration
  return expiration ? `${Number(expiration.toFixed(9))}d` : 'never'
}

/** Puts the settings into headers, because addresses end up in logs. */
export const toShareRequest = (text: string, settings: ShareSettings): ApiRequest => ({
  method: 'POST',
  path: '/',
  headers: {
    // Headers can't hold line breaks.
    'X-Title': settings.title?.replaceAll(/[\0\r\n]+/g, ' '),
    'X-Language': settings.language,
    'X-Expires': formatExpiration(settings.expiration),
    'X-Burn': settings.instant_delete ? 'true' : undefined,
    'X-Public': settings.public ? 'true' : undefined,
    'X-Client-Encrypted': settings.client_encrypted ? 'true' : undefined,
    'X-Claim-Hash': settings.claim_hash,
  },
  text,
})

/** @throws RegentError for an answer that no Regent server gives. */
export function parseSharedText({ data, headers, status }: ApiResponse): SharedText {
  const link = String(data).trim()
  const [, id] = /^https?:\/\/[^/]+\/(\w+)(?:#\w+)?$/.exec(link) ?? []
  const expiration = headers.get('X-Expires')
  if (status !== 201 || id === undefined || expiration === null) {
    throw new RegentError('invalid_response', 'The server doesn’t answer like a Regent server', { status })
  }
  return { id, link, token: headers.get('X-Document-Token'), expiration }
}
