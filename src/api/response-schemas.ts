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

function describe<Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
  ...examples: unknown[]
): Schema {
  descriptions.add(schema, { description, ...(examples.length > 0 && { examples }) })
  return schema
}

const text = (description: string, example: string) => describe(z.string(), description, example)

const flag = (description: string, example: boolean) => describe(z.boolean(), description, example)

const count = (description: string, example: number) =>
  describe(z.int().check(z.nonnegative()), description, example)

const url = (description: string, example: string) => describe(z.url(), description, example)

const time = (description: string, example: string) =>
  describe(z.iso.datetime({ precision: 3 }), description, example)

const named = <Shape extends z.core.$ZodLooseShape>(id: string, description: string, shape: Shape) =>
  z.object(shape).register(descriptions, { id, description })

export const creatorBody = named('Creator', 'The public profile of an account.', {
  documents_made: count('How many documents the account has ever created.', 12),
  id: text('The id of the account.', '3v8k2q0zj5m1x7c9w4tb'),
  username: text('The username.', 'demo'),
  flags: count(
    'A bit field: member 1, member-plus 2, beta-tester 4, admin 8, contributor 16, star-gazer 32.',
    1,
  ),
  icon: url('The address of the account’s picture.', 'https://paste.example/icons/3v8k2q0zj5m1x7c9w4tb.svg'),
})

const FLAG_DESCRIPTIONS: Readonly<Record<StoredFlag, string>> = {
  image_embed: 'Whether link previews may show a picture of the document.',
  instant_delete: 'Whether the first delivery of the content deletes the document (burn after reading).',
  encrypted: 'Whether the content is encrypted. If it is, a read without the password returns the JWE.',
  public:
    'Whether the explore page and other lists show the document. Search engines may then index it, too.',
  revisions: 'False if edits keep no previous versions. Missing if they do.',
}

const { revisions, ...alwaysShownFlags } = Object.fromEntries(
  STORED_FLAGS.map((name) => [name, flag(FLAG_DESCRIPTIONS[name], false)]),
) as Readonly<Record<StoredFlag, z.ZodMiniBoolean>>

const settingsShape = {
  title: z.optional(text('The title. Missing if nobody gave the document one.', 'notes.md')),
  name: z.optional(text('The name that the creator gave it. Missing if it has none.', 'weekly-report')),
  language: text('The language label, in lower case.', 'markdown'),
  ...alwaysShownFlags,
  revisions: z.optional(revisions),
  editors: describe(z.array(z.string()), 'The usernames of the editors.', []),
}

const listedShape = {
  id: text('The id of the document.', '7hBqKz4n'),
  creator: describe(z.nullable(creatorBody), 'The creator; null for anonymous documents.'),
  gist_url: describe(z.nullable(z.url()), 'The address of the document’s gist; null if there is none.', null),
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
  settings: named('DocumentSettings', 'The settings of a document.', settingsShape),
}

const content = text(
  'The text, exactly as it was sent. If the document is encrypted and the request has no password, its JWE.',
  'Hello',
)

const fileBody = named('File', 'One of several files in a document.', {
  name: text('The path of the file in the document.', 'config/app.toml'),
  language: text('The language that somebody chose, or that its name or content shows.', 'toml'),
  size: count('The size of the file in bytes of UTF-8.', 12),
  content: text('The text of the file.', 'debug = true'),
  links: z.object({
    raw: url('The text of the file alone.', 'https://paste.example/r/7hBqKz4n/config/app.toml'),
  }),
})

const files = z.optional(
  describe(
    z.array(fileBody),
    'The files in the text, if its language is `txtar` and it is an archive of files.',
  ),
)

export const documentBody = named('Document', 'A document with its content.', {
  ...listedShape,
  content,
  files,
  duplicated_from: z.optional(
    text(
      'The id of the document that it’s a duplicate of. Only a read returns it, and only while that document is public, or you can edit it.',
      'k3Tn8vWz',
    ),
  ),
})

const GENERATED_PASSWORD = 'bN4tRq7XzKc2mWp9Hd3fGj5v'

const createdSettings = named('CreatedSettings', 'The settings of a new document.', {
  ...settingsShape,
  password: z.optional(
    text('The generated password again, on servers with `LEGACY_CLIENTS=on`.', GENERATED_PASSWORD),
  ),
})

export const createdBody = named('CreatedDocument', 'A new document.', {
  ...listedShape,
  settings: createdSettings,
  content,
  files,
  password: z.optional(text('The generated password. Only this response contains it.', GENERATED_PASSWORD)),
})

export const listedBody = named('ListedDocument', 'A document in a list, without its content.', {
  ...listedShape,
  title: describe(
    z.nullable(z.string()),
    'The given title, or else the first meaningful line (at most 80 characters). Null for encrypted documents.',
    'notes.md',
  ),
  size: count('The size of the text in bytes of UTF-8, before encryption.', 5),
})

export const listBody = named('DocumentPage', 'One page of a list.', {
  documents: z.array(listedBody),
  cursor: describe(
    z.nullable(z.string()),
    'Send it as `cursor` to get the next page. Null on the last page.',
    null,
  ),
})

export const recentBody = z
  .array(listedBody)
  .register(descriptions, { id: 'RecentDocuments', description: 'The newest documents of an account.' })

export const foundUsersBody = z
  .array(creatorBody)
  .register(descriptions, { id: 'FoundUsers', description: 'The accounts that match a search.' })

export const emptyBody = named('Empty', 'An empty object.', {})

export const accountBody = named('Account', 'Your own account.', {
  ...creatorBody.shape,
  email: text('The email address of the account.', 'demo@example.org'),
  confirmed: flag(
    'Whether the email address has been verified. Only confirmed accounts may use settings.',
    true,
  ),
})

export const newKeyBody = named('AccountWithKey', 'Your account and its new API key.', {
  ...accountBody.shape,
  api_token: text('The new API key. Only this response contains it.', `imperial_${'x'.repeat(40)}`),
})

export const claimHeaderBody = named('ClaimHeader', 'The JWE header to derive a claim token from.', {
  header: text(
    'The protected header of the JWE, as base64url. The claim token is derived from its p2s and p2c.',
    'eyJhbGciOiJQQkVTMi1IUzUxMitBMjU2S1ciLCJlbmMiOiJBMjU2R0NNIiwicDJjIjoxMDAwLCJwMnMiOiJ2N1hIbEZ6b1pXSHFyN3JhUTBpd1Z3In0',
  ),
})

const revisionShape = {
  number: describe(
    z.int().check(z.positive()),
    'Counts from 1. The number of a deleted revision is never used again.',
    2,
  ),
  author: describe(
    z.nullable(z.string()),
    'The username of the account that saved it; null without an account, and if the account was deleted.',
    'demo',
  ),
  size: count('The size of the text in bytes of UTF-8, before encryption.', 5),
  created_at: time('When it was saved.', '2026-11-20T12:00:00.000Z'),
  current: flag('Whether this is the document’s content now.', false),
}

export const revisionBody = named('ListedRevision', 'A revision, without its content.', revisionShape)

export const revisionsBody = named(
  'Revisions',
  'The revisions of a document, newest first. The first is its current content.',
  { revisions: z.array(revisionBody) },
)

export const fullRevisionBody = named('Revision', 'A revision with its content.', {
  ...revisionShape,
  language: text('The language that the document had, in lower case.', 'markdown'),
  content,
})

export const greetingBody = named('Greeting', 'A greeting, with links to the API reference.', {
  message: text('A greeting.', 'Welcome to Regent'),
  name: text('The name of the site.', 'Regent'),
  version: text('The version of the API.', '1'),
  documentation: url('The address of the API reference.', 'https://paste.example/docs'),
  openapi: url('The address of the OpenAPI document.', 'https://paste.example/v1/openapi.json'),
})

/** Zod adds members that depend on the code, such as `expected` and `minimum`. */
const issue = z.looseObject({
  code: text('The kind of problem, from Zod.', 'custom'),
  path: describe(
    z.array(z.union([z.string(), z.int()])),
    'The path of the invalid value, such as `["settings", "password"]`.',
  ),
  message: text('A message for people that describes the problem.', 'Requires encrypted: true'),
})

/** It isn't named `Error`, which is a type of its own in most languages that clients are generated for. */
named('ErrorResponse', 'What went wrong.', {
  success: z.literal(false),
  error: z.object({
    code: describe(
      z.enum(Object.keys(STATUS_BY_CODE) as ErrorCode[]),
      'The kind of error. Each has one status.',
    ),
    message: text('A message for people that says what happened.', 'Invalid request body'),
    hint: z.optional(
      text(
        'One line that says what is wrong, and where: the first of `errors`. Or what to do.',
        'settings.password: Requires encrypted: true',
      ),
    ),
    errors: z.optional(describe(z.array(issue), 'The problems of an invalid body or query.')),
  }),
})

export type CreatorBody = z.infer<typeof creatorBody>
export type DocumentBody = z.infer<typeof documentBody>
export type RevisionBody = z.infer<typeof revisionBody>
export type FileBody = z.infer<typeof fileBody>
export type ListedBody = z.infer<typeof listedBody>
