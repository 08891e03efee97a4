import type { AppContext } from '../env.ts'

/**
 * Returns the API key that a request sends, right or wrong; undefined without one. The key may follow the scheme
 * `Bearer`. Scripts that have no key send the text of an empty value instead.
 */
export function readApiKey(c: AppContext): string | undefined {
  const key = c.req
    .header('Authorization')
    ?.trim()
    .replace(/^bearer(?:\s+|$)/i, '')
  return key === '' || key === 'null' || key === 'undefined' ? undefined : key
}
