import { type Document, getGistUrl, isListed } from '../documents/model/document.ts'
import { AppError } from '../errors.ts'

/**
 * What a document is shown as. Each has its own tag, since a strong tag names the bytes of one
 * representation (RFC 9110 §8.8.3). A page also depends on the build of the site: `page-BUILD`.
 */
export type Representation = 'json' | 'raw' | `page-${string}`

/**
 * The strong entity tag of this version of a document as one representation. View counts are not part of
 * it. A gist appears without an edit, so the tag of what shows its address names the gist too.
 */
export function entityTag(document: Document, representation: Representation): string {
  const gist = representation === 'raw' ? undefined : getGistUrl(document)?.match(/\w+$/)?.[0]
  return `"${representation}-${document.version}${gist === undefined ? '' : `-${gist}`}"`
}

/**
 * Whether an `If-Match` or `If-None-Match` value names the tag: `*`, one tag, or a list of them.
 *
 * `W/` is ignored on both. For `If-None-Match` that is RFC 9110 §13.1.2; for `If-Match` the RFC asks
 * for a strong comparison, but proxies that compress turn our tag into a weak one on its way out,
 * and our versions are unique whatever the coding, so no edit can be lost by it.
 */
export const namesTag = (header: string, tag: string): boolean =>
  names(header, (candidate) => candidate === tag)

const names = (header: string, matches: (tag: string) => boolean): boolean =>
  header.split(',').some((entry) => {
    const candidate = entry.trim()
    return candidate === '*' || matches(candidate.replace(/^W\//, ''))
  })

/**
 * Whether an `If-Match` value names the document's version, with its gist or without: an edit that was begun
 * before the gist appeared overwrites nothing.
 */
function namesVersion(header: string, document: Document, representation: Representation): boolean {
  const tag = entityTag({ ...document, gistUrl: null }, representation)
  return names(header, (candidate) => candidate === tag || candidate.startsWith(`${tag.slice(0, -1)}-`))
}

/** Thrown when `If-Match` doesn't name the present version of a document. Carries the document as it is now. */
export class DocumentChangedError extends AppError {
  readonly document: Document

  constructor(document: Document) {
    super('precondition_failed', 'The document has changed since you read it', {
      headers: { ETag: entityTag(document, 'json') },
    })
    this.document = document
  }
}

/** Returns a function that throws DocumentChangedError unless an `If-Match` value names a document's version. */
export const checkIfMatch = (ifMatch: string | undefined) => (document: Document) => {
  if (ifMatch !== undefined && !namesVersion(ifMatch, document, 'json'))
    throw new DocumentChangedError(document)
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
  !document.burnAfterReading &&
  namesTag(ifNoneMatch, entityTag(document, representation))

/** The headers that a document's own state asks for, on every answer that shows it. */
export function documentHeaders(document: Document, representation: Representation): Record<string, string> {
  return {
    'Cache-Control': document.encrypted || document.burnAfterReading ? 'no-store' : 'private, no-cache',
    ...(!document.burnAfterReading && { ETag: entityTag(document, representation) }),
    ...(!isListed(document) && { 'X-Robots-Tag': 'noindex' }),
  }
}
