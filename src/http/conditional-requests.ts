import { type Document, getGistUrl, isListed } from '../documents/document.ts'
import { AppError } from '../errors.ts'

/**
 * The forms in which a document is answered. Each has its own entity tag, since a strong tag stands for the bytes of
 * one representation (RFC 9110 §8.8.3). Pages and pictures also depend on the build of the site: `page-BUILD`.
 */
export type Representation = 'json' | 'raw' | `page-${string}` | `picture-${string}`

/**
 * Returns the strong entity tag of this version of a document in one representation. View counts don't change it. A
 * gist is added without an edit, so representations that show its URL have it in their tag.
 */
export function entityTag(document: Document, representation: Representation): string {
  const gist = representation === 'raw' ? undefined : getGistUrl(document)?.match(/(?<!\w)\w+$/)?.[0]
  return `"${representation}-${document.version}${gist === undefined ? '' : `-${gist}`}"`
}

/**
 * Returns true if a tag in an `If-Match` or `If-None-Match` value matches. The value is `*`, a tag or a list of tags.
 *
 * A `W/` is ignored. For `If-None-Match`, RFC 9110 §13.1.2 says so. For `If-Match` it asks for a strong comparison, but
 * proxies that compress an answer make its tag weak, and our versions are unique in every coding, so no edit is lost.
 */
const someTag = (header: string, matches: (tag: string) => boolean): boolean =>
  header.split(',').some((entry) => {
    const candidate = entry.trim()
    return candidate === '*' || matches(candidate.replace(/^W\//, ''))
  })

/**
 * Returns true if an `If-Match` value has the document's version, with its gist or without. An edit that was begun
 * before the gist was added overwrites nothing.
 */
function includesVersion(header: string, document: Document, representation: Representation): boolean {
  const tag = entityTag({ ...document, gistUrl: null }, representation)
  return someTag(header, (candidate) => candidate === tag || candidate.startsWith(`${tag.slice(0, -1)}-`))
}

/** Thrown when `If-Match` doesn't name the current version of a document. Carries the document as it is now. */
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
  if (ifMatch !== undefined && !includesVersion(ifMatch, document, 'json'))
    throw new DocumentChangedError(document)
}

/**
 * Returns true if the client already has this representation. Never for encrypted documents, whose answer depends on
 * the password, and for those that burn after reading.
 */
export const isFresh = (
  ifNoneMatch: string | undefined,
  document: Document,
  representation: Representation,
): boolean =>
  ifNoneMatch !== undefined &&
  !document.encrypted &&
  !document.burnAfterReading &&
  someTag(ifNoneMatch, (tag) => tag === entityTag(document, representation))

/** Returns the caching headers of an answer that shows a document. */
export function documentHeaders(document: Document, representation: Representation): Record<string, string> {
  return {
    'Cache-Control': document.encrypted || document.burnAfterReading ? 'no-store' : 'private, no-cache',
    ...(!document.burnAfterReading && { ETag: entityTag(document, representation) }),
    ...(!isListed(document) && { 'X-Robots-Tag': 'noindex' }),
  }
}
