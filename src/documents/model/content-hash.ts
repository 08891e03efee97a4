import * as base64url from 'jose/base64url'

/** Returns the SHA-256 of a document's content, base64url. The same bytes have the same hash wherever they are shared. */
export const hashContent = async (bytes: Uint8Array): Promise<string> =>
  base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
