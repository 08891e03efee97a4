import { type Document, isListed } from './documents/document.ts'

/**
 * What a document is shown as. Each has its own tag, since a strong tag names the bytes of one
 * representation (RFC 9110 §8.8.3). A page also depends on the build of the site: `page-BUILD`.
 */
export type Representation = 'json' | 'raw' | `page-${string}`

/** The strong entity tag of this version of a document as one representation. View counts are not part of it. */
export const entityTag = (document: Document, representation: Representation): string =>
  `"${representation}-${document.version}"`

/**
 * Whether an `If-Match` or `If-None-Match` value names the tag: `*`, one tag, or a list of them.
 *
 * `W/` is ignored on both. For `If-None-Match` that is RFC 9110 §13.1.2; for `If-Match` the RFC asks
 * for a strong comparison, but proxies that compress turn our tag into a weak one on its way out,
 * and our versions are unique whatever the coding, so no edit can be lost by it.
 */
export function namesTag(header: string, tag: string): boolean {
  return header.split(',').some((entry) => {
    const candidate = entry.trim()
    return candidate === '*' || candidate.replace(/^W\//, '') === tag
  })
}

/**
 * Whether the reader has this very representation already. Encrypted documents answer in full always:
 * what they answer depends on the password.
 */
export const isFresh = (
  ifNoneMatch: string | undefined,
  document: Document,
  representation: Representation,
): boolean =>
  ifNoneMatch !== undefined &&
  !document.encrypted &&
  !document.instantDelete &&
  namesTag(ifNoneMatch, entityTag(document, representation))

/** The headers that a document's own state asks for, on every answer that shows it. */
export function documentHeaders(document: Document, representation: Representation): Record<string, string> {
  return {
    'Cache-Control': document.encrypted || document.instantDelete ? 'no-store' : 'private, no-cache',
    ...(!document.instantDelete && { ETag: entityTag(document, representation) }),
    ...(!isListed(document) && { 'X-Robots-Tag': 'noindex' }),
  }
}
