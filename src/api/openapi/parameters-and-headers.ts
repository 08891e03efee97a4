import type { listQuery, publicQuery } from '../schemas.lazy.ts'
import { convertQuery, type JsonSchema } from './schemas.ts'

const TEXT: JsonSchema = { type: 'string' }
const matching = (pattern: string): JsonSchema => ({ type: 'string', pattern })

export const EXAMPLE_ID = '7hBqKz4n'
export const EXAMPLE_BOOKMARK = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683'
const EXAMPLE_ETAG = '"json-RB46RpnSxf95"'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

export const inPath = (name: string, description: string, example: unknown, schema = TEXT): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
  example,
})

export const ID = inPath('id', 'The id of the document, or `@username/name`.', EXAMPLE_ID)

export const PASSWORD: Parameter = {
  name: 'password',
  in: 'query',
  description:
    'The password of an encrypted document, which the server then decrypts. Use the header `X-Document-Password` instead if you can, because URLs end up in logs.',
  schema: TEXT,
}

const inHeader = (name: string, description: string, example?: string, schema = TEXT): Parameter => ({
  name,
  in: 'header',
  description,
  schema,
  ...(example !== undefined && { example }),
})

export const passwordHeader = (description: string): Parameter =>
  inHeader('X-Document-Password', `${description} In UTF-8.`)

export const CLAIM_TOKEN = inHeader(
  'X-Claim-Token',
  'The claim token of the present password, derived from it and the header of the JWE. It proves the password without telling it.',
)

export const IF_NONE_MATCH = inHeader(
  'If-None-Match',
  'The `ETag` of the version that you have. If it’s still current, the response is 304 without content, and counts no view. Ignored for encrypted and burn-after-reading documents.',
  EXAMPLE_ETAG,
)

export const IF_MATCH = inHeader(
  'If-Match',
  'The `ETag` of the version that you’re editing. If someone else saved first, the response is 412.',
  EXAMPLE_ETAG,
)

export const IDEMPOTENCY_KEY = inHeader(
  'Idempotency-Key',
  'Makes the request repeatable: for 24 hours, a request with the same key and body, from the same account or network, gets the document of the first one. Use a random value such as a UUID. If the document is to be encrypted, send a password.',
  '4f6bfa0e-5a9e-4b0e-9d4c-0d2f1f0a8c55',
  { type: 'string', minLength: 1, maxLength: 255 },
)

export const BOOKMARK = inHeader(
  'X-Bookmark',
  'The `X-Bookmark` of an answer to a change. Without it or a credential, an answer may be up to two minutes old, and is normally less than a second old.',
  EXAMPLE_BOOKMARK,
)

export const describeQuery = (
  query: typeof listQuery | typeof publicQuery,
  descriptions: Readonly<Record<string, string>>,
): Parameter[] =>
  Object.entries(convertQuery(query)).map(([name, schema]) => ({
    name,
    in: 'query',
    description: descriptions[name] ?? '',
    // Query values are text, so the boolean is one of two strings.
    schema: name === 'shared' ? { ...schema, enum: ['true', 'false'], default: 'false' } : schema,
  }))

interface Header {
  readonly description: string
  /** Is true if it's on every response that lists it. */
  readonly required?: boolean
  readonly schema: JsonSchema
  readonly example?: unknown
}

const DESCRIBED = {
  'Access-Control-Allow-Origin': {
    description: 'Lets scripts of any origin read the response.',
    required: true,
    schema: { const: '*' },
  },
  'Access-Control-Expose-Headers': {
    description: 'The headers that these scripts may read.',
    required: true,
    schema: TEXT,
  },
  'Cache-Control': {
    description: '`no-store`, or `no-cache` if you may keep a copy and revalidate it.',
    required: true,
    schema: TEXT,
    example: 'private, no-cache',
  },
  ETag: {
    description:
      'The version of the content and the settings, for `If-Match` and `If-None-Match`. Missing for burn-after-reading documents.',
    schema: matching('^"json-[^"]+"$'),
    example: EXAMPLE_ETAG,
  },
  RateLimit: {
    description:
      'The limit that you’ve used up, and the number of seconds after which it’s available again. Missing if it’s the quota of writes per day.',
    schema: matching('^"[a-z-]+";r=0;t=[0-9]+$'),
    example: '"reads";r=0;t=60',
  },
  'RateLimit-Policy': {
    description: 'The number of requests that the limit allows, and its period in seconds.',
    schema: matching('^"[a-z-]+";q=[0-9]+;w=[0-9]+$'),
    example: '"reads";q=500;w=60',
  },
  'Retry-After': {
    description: 'How many seconds to wait before you try again.',
    required: true,
    schema: matching('^[0-9]+$'),
    example: '1',
  },
  'X-Bookmark': {
    description:
      'Names the state of the database after a change. Send it in the header of a read, and the answer includes the change. Missing if nothing changed.',
    schema: matching('^[0-9a-f-]+$'),
    example: EXAMPLE_BOOKMARK,
  },
  'X-Content-Type-Options': {
    description: 'Stops browsers from treating JSON as anything else.',
    required: true,
    schema: { const: 'nosniff' },
  },
  'X-Document-Token': {
    description:
      'The token of a document that was created without a key. Anyone who sends it acts as the creator. Only this response contains it.',
    schema: matching('^regent_doc_[A-Za-z0-9]{36}$'),
    example: `regent_doc_${'x'.repeat(36)}`,
  },
  'X-Request-Id': {
    description: 'Identifies the request in the server’s log.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: '3f0e7c1a-52b4-4d0e-9a66-1d3c2b7f8e90',
  },
  'X-Robots-Tag': {
    description: 'Tells search engines not to list the document. Missing for public documents.',
    schema: { const: 'noindex' },
  },
} satisfies Readonly<Record<string, Header>>

export type HeaderName = keyof typeof DESCRIBED

export const HEADERS: Readonly<Record<string, Header>> = DESCRIBED

export const COMMON_HEADERS: readonly HeaderName[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Content-Type-Options',
  'X-Request-Id',
]

export const DOCUMENT_HEADERS: readonly HeaderName[] = ['Cache-Control', 'ETag', 'X-Robots-Tag']
