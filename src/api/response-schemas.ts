import * as z from 'zod/mini'
import { type ErrorCode, STATUS_BY_CODE } from '../shared/error-codes.ts'
import { STORED_FLAGS, type StoredFlag } from '../shared/settings.ts'

// The Worker imports only types from this file. The OpenAPI document is generated from its schemas.

export interface Description {
  /** A schema without a name is written inside other schemas. */
  readonly id?: string
  readonly description?: string
  readonly examples?: unknown[]
}

export const descriptions = z.registry<Description>()

const text = (description: string, ...examples: string[]) =>
  z.string().register(descriptions, { description, examples })

const count = (description: string, ...examples: number[]) =>
  z.int().check(z.nonnegative()).register(descriptions, { description, examples })

const url = (description: string, ...examples: string[]) =>
  z.url().register(descriptions, { description, examples })

const time = (description: string, ...examples: string[]) =>
  z.iso.datetime({ precision: 3 }).register(descriptions, { description, examples })

export const creatorBody = z
  .object({
    documents_made: count('How many documents the account has ever created.', 12),
    id: text('The id of the account.', '3v8k2q0zj5m1x7c9w4tb'),
    username: text('The username.', 'demo'),
    flags: count(
      'A bit field: member 1, member-plus 2, beta-tester 4, admin 8, contributor 16, star-gazer 32.',
      1,
    ),
    icon: url(
      'The address of the account’s picture.',
      'https://paste.example/icons/3v8k2q0zj5m1x7c9w4tb.svg',
    ),
  })
  .register(descriptions, { id: 'Creator', description: 'The public profile of an account.' })

const FLAG_DESCRIPTIONS: Readonly<Record<StoredFlag, string>> = {
  image_embed: 'Whether link previews may show a picture of the document.',
  instant_delete: 'Whether the first delivery of the content deletes the document (burn after reading).',
  encrypted: 'Whether the content is encrypted. If it is, a read without the password returns the JWE.',
  public: 'Whether lists such as the explore page may show the document, and search engines may index it.',
  revisions: 'False if edits keep no previous versions. Missing if they do.',
}

const flags = Object.fromEntries(
  STORED_FLAGS.map((name) => [
    name,
    z.boolean().register(descriptions, { description: FLAG_DESCRIPTIONS[name], examples: [false] }),
  ]),
) as Readonly<Record<StoredFlag, z.ZodMiniBoolean>>

const { revisions, ...alwaysShownFlags } = flags

const settingsShape = {
  title: z.optional(text('The title. Missing if nobody gave the document one.', 'notes.md')),
  language: text('The language label, in lower case.', 'markdown'),
  ...alwaysShownFlags,
  revisions: z.optional(revisions),
  editors: z
    .array(z.string())
    .register(descriptions, { description: 'The usernames of the editors.', examples: [[]] }),
}

const documentSettings = z
  .object(settingsShape)
  .register(descriptions, { id: 'DocumentSettings', description: 'The settings of a document.' })

const listedShape = {
  id: text('The id of the document.', '7hBqKz4n'),
  creator: z
    .nullable(creatorBody)
    .register(descriptions, { description: 'The creator; null for anonymous documents.' }),
  gist_url: z.nullable(z.url()).register(descriptions, {
    description: 'The address of the document’s gist; null if there is none.',
    examples: [null],
  }),
  views: count('How often the content was delivered, including this response.', 0),
  timestamps: z.object({
    creation: time('When the document was created.', '2026-11-20T12:00:00.000Z'),
    expiration: time(
      'When the document expires. 9999-12-31T23:59:59.999Z means never.',
      '2026-11-27T12:00:00.000Z',
    ),
  }),
  links: z.object({
    formatted: url('The page of the document.', 'https://paste.example/7hBqKz4n'),
    raw: url('The text alone.', 'https://paste.example/r/7hBqKz4n'),
  }),
  settings: documentSettings,
}

const content = text(
  'The text, exactly as it was sent. If the document is encrypted and the request has no password, its JWE.',
  'Hello',
)

export const documentBody = z
  .object({
    ...listedShape,
    content,
    duplicated_from: z.optional(
      text(
        'The id of the document that it’s a duplicate of. Only a read returns it, and only while that document is public, or you can edit it.',
        'k3Tn8vWz',
      ),
    ),
  })
  .register(descriptions, { id: 'Document', description: 'A document with its content.' })

const createdSettings = z
  .object({
    ...settingsShape,
    password: z.optional(
      text('The generated password again, on servers with `LEGACY_CLIENTS=on`.', 'bN4tRq7XzKc2mWp9Hd3fGj5v'),
    ),
  })
  .register(descriptions, { id: 'CreatedSettings', description: 'The settings of a new document.' })

export const createdBody = z
  .object({
    ...listedShape,
    settings: createdSettings,
    content,
    password: z.optional(
      text('The generated password. Only this response contains it.', 'bN4tRq7XzKc2mWp9Hd3fGj5v'),
    ),
  })
  .register(descriptions, { id: 'CreatedDocument', description: 'A new document.' })

export const listedBody = z
  .object({
    ...listedShape,
    title: z.nullable(z.string()).register(descriptions, {
      description:
        'The given title, or else the first meaningful line (at most 80 characters). Null for encrypted documents.',
      examples: ['notes.md'],
    }),
    size: count('The size of the text in bytes of UTF-8, before encryption.', 5),
  })
  .register(descriptions, { id: 'ListedDocument', description: 'A document in a list, without its content.' })

export const listBody = z
  .object({
    documents: z.array(listedBody),
    cursor: z.nullable(z.string()).register(descriptions, {
      description: 'Send it as `cursor` to get the next page. Null on the last page.',
      examples: [null],
    }),
  })
  .register(descriptions, { id: 'DocumentPage', description: 'One page of a list.' })

export const recentBody = z
  .array(listedBody)
  .register(descriptions, { id: 'RecentDocuments', description: 'The newest documents of an account.' })

export const foundUsersBody = z
  .array(creatorBody)
  .register(descriptions, { id: 'FoundUsers', description: 'The accounts that match a search.' })

export const emptyBody = z.object({}).register(descriptions, { id: 'Empty', description: 'An empty object.' })

export const accountBody = z
  .object({
    ...creatorBody.shape,
    email: text('The email address of the account.', 'demo@example.org'),
    confirmed: z.boolean().register(descriptions, {
      description: 'Whether the email address has been verified. Only confirmed accounts may use settings.',
      examples: [true],
    }),
  })
  .register(descriptions, { id: 'Account', description: 'Your own account.' })

export const newKeyBody = z
  .object({
    ...accountBody.shape,
    api_token: text('The new API key. Only this response contains it.', `imperial_${'x'.repeat(40)}`),
  })
  .register(descriptions, { id: 'AccountWithKey', description: 'Your account and its new API key.' })

export const claimHeaderBody = z
  .object({
    header: text(
      'The protected header of the JWE, as base64url. The claim token is derived from its p2s and p2c.',
      'eyJhbGciOiJQQkVTMi1IUzUxMitBMjU2S1ciLCJlbmMiOiJBMjU2R0NNIiwicDJjIjoxMDAwLCJwMnMiOiJ2N1hIbEZ6b1pXSHFyN3JhUTBpd1Z3In0',
    ),
  })
  .register(descriptions, { id: 'ClaimHeader', description: 'The JWE header to derive a claim token from.' })

const revisionShape = {
  number: z
    .int()
    .check(z.positive())
    .register(descriptions, {
      description: 'Counts from 1. The number of a deleted revision is never used again.',
      examples: [2],
    }),
  author: z.nullable(z.string()).register(descriptions, {
    description:
      'The username of the account that saved it; null without an account, and if the account was deleted.',
    examples: ['demo'],
  }),
  size: count('The size of the text in bytes of UTF-8, before encryption.', 5),
  created_at: time('When it was saved.', '2026-11-20T12:00:00.000Z'),
  current: z.boolean().register(descriptions, {
    description: 'Whether this is the document’s content now.',
    examples: [false],
  }),
}

export const revisionBody = z
  .object(revisionShape)
  .register(descriptions, { id: 'ListedRevision', description: 'A revision, without its content.' })

export const revisionsBody = z.object({ revisions: z.array(revisionBody) }).register(descriptions, {
  id: 'Revisions',
  description: 'The revisions of a document, newest first. The first is its current content.',
})

export const fullRevisionBody = z
  .object({
    ...revisionShape,
    language: text('The language that the document had, in lower case.', 'markdown'),
    content,
  })
  .register(descriptions, { id: 'Revision', description: 'A revision with its content.' })

export const greetingBody = z
  .object({
    message: text('A greeting.', 'Welcome to Regent'),
    version: text('The version of the API.', '1'),
    documentation: url('The address of the API reference.', 'https://paste.example/docs'),
    openapi: url('The address of the OpenAPI document.', 'https://paste.example/v1/openapi.json'),
  })
  .register(descriptions, { id: 'Greeting', description: 'A greeting, with links to the API reference.' })

/** Zod adds members that depend on the code, such as `expected` and `minimum`. */
const issue = z.looseObject({
  code: text('The kind of problem, from Zod.', 'custom'),
  path: z.array(z.union([z.string(), z.int()])).register(descriptions, {
    description: 'The path of the invalid value, such as `["settings", "password"]`.',
  }),
  message: text('A message for people that describes the problem.', 'Requires encrypted: true'),
})

/** Not named `Error`, which is a type of its own in most languages that clients are generated for. */
z.object({
  success: z.literal(false),
  error: z.object({
    code: z
      .enum(Object.keys(STATUS_BY_CODE) as ErrorCode[])
      .register(descriptions, { description: 'The kind of error. Each has one status.' }),
    message: text('A message for people that says what happened.', 'Invalid request body'),
    hint: z.optional(
      text(
        'One line that says what is wrong, and where: the first of `errors`. Or what to do.',
        'settings.password: Requires encrypted: true',
      ),
    ),
    errors: z.optional(
      z.array(issue).register(descriptions, { description: 'The problems of an invalid body or query.' }),
    ),
  }),
}).register(descriptions, { id: 'ErrorResponse', description: 'What went wrong.' })

export type CreatorBody = z.infer<typeof creatorBody>
export type DocumentBody = z.infer<typeof documentBody>
export type RevisionBody = z.infer<typeof revisionBody>
export type ListedBody = z.infer<typeof listedBody>
