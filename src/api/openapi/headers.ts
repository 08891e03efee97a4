import type { HeaderName } from './operation.ts'
import type { Header } from './types.ts'

const text = { type: 'string' } as const

export const EXAMPLE_BOOKMARK = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683'

/** A required header is on every response that lists it. */
export const HEADERS: Readonly<Record<HeaderName, Header>> = {
  'Access-Control-Allow-Origin': {
    description: 'Lets scripts of any origin read the response.',
    required: true,
    schema: { const: '*' },
  },
  'Access-Control-Expose-Headers': {
    description: 'The headers that these scripts may read.',
    required: true,
    schema: text,
  },
  'Cache-Control': {
    description: '`no-store`, or `no-cache` if you may keep a copy and revalidate it.',
    required: true,
    schema: text,
    example: 'private, no-cache',
  },
  ETag: {
    description:
      'The version of the content and the settings, for `If-Match` and `If-None-Match`. Missing for burn-after-reading documents.',
    schema: { type: 'string', pattern: '^"json-[^"]+"$' },
    example: '"json-RB46RpnSxf95"',
  },
  RateLimit: {
    description:
      'The limit that you’ve used up, and the number of seconds after which it’s available again. Missing if it’s the limit of documents per day.',
    schema: { type: 'string', pattern: '^"[a-z-]+";r=0;t=[0-9]+$' },
    example: '"reads";r=0;t=60',
  },
  'RateLimit-Policy': {
    description: 'The number of requests that the limit allows, and its period in seconds.',
    schema: { type: 'string', pattern: '^"[a-z-]+";q=[0-9]+;w=[0-9]+$' },
    example: '"reads";q=500;w=60',
  },
  'Retry-After': {
    description: 'How many seconds to wait before you try again.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1',
  },
  'X-Bookmark': {
    description:
      'Names the state of the database after a change. Send it in the header of a read, and the answer includes the change. Missing if nothing changed.',
    schema: { type: 'string', pattern: '^[0-9a-f-]+$' },
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
    schema: { type: 'string', pattern: '^regent_doc_[A-Za-z0-9]{36}$' },
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
}

export const COMMON_HEADERS: readonly HeaderName[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Content-Type-Options',
  'X-Request-Id',
]
