import type { AppContext } from '../../env.ts'

/**
 * Returns the API key that a request sends, valid or not, or undefined if it sends none. The key may follow the scheme
 * `Bearer`. Some scripts without a key send `null` or `undefined` instead, which counts as no key.
 */
export function readApiKey(c: AppContext): string | undefined {
  const key = c.req
    .header('Authorization')
    ?.trim()
    .replace(/^bearer(?:\s+|$)/i, '')
  return key === '' || key === 'null' || key === 'undefined' ? undefined : key
}

/** Returns true if a request has an API key or a session cookie, valid or not. */
export const hasCredential = (c: AppContext): boolean => readApiKey(c) !== undefined || c.var.hasSessionCookie
