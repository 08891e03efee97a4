import * as z from 'zod/mini'
import type { $ZodRegistry, JSONSchema } from 'zod/v4/core'
import { isEditable, SETTING_NAMES, SETTINGS, type SettingName } from '../../shared/settings.ts'
import { type Description, descriptions } from '../response-schemas.ts'
import {
  claimBody,
  createBody,
  createSettings,
  editBody,
  editSettings,
  type listQuery,
  type publicQuery,
} from '../schemas.lazy.ts'

export type JsonSchema = JSONSchema.BaseSchema

type Properties = Readonly<Record<string, JsonSchema>>

/** A hash of 32 bytes in base64url. */
const HASH_PATTERN = '^[A-Za-z0-9_-]{43}$'

type SettingDescription = readonly [meaning: string, ...examples: unknown[]]

const SETTING_DESCRIPTIONS: Readonly<Record<SettingName, SettingDescription>> = {
  title: ['A title or file name; `""` means none. Encrypted documents can’t have one.', 'notes.md'],
  name: [
    'An address that stays: `weekly-report` of the account `ada` opens at `/@ada/weekly-report`. 1 to 64 of a-z, 0-9, `-`, `_` and `.`, different from all other names of the account (else 409). `""` removes it. Only the creator can change it.',
    'weekly-report',
  ],
  language: [
    'A language label, stored in lower case. `auto` detects the language from the content, and again from that of each edit.',
    'markdown',
    'auto',
  ],
  expiration: [
    'When the document expires: a number of days from now (fractions are fine), or an ISO 8601 date-time with an offset, from 1 minute to 10 years ahead. `null` and `0` mean never.',
    1,
    '2030-01-01T12:00:00Z',
    null,
  ],
  image_embed: [
    'Whether link previews show a picture of the document. Never of encrypted or burn-after-reading ones.',
    true,
  ],
  instant_delete: [
    'Burn after reading: the first delivery of the content to anyone but the creator and the editors deletes the document.',
    true,
  ],
  encrypted: ['Encrypts the content. The server does it, unless `client_encrypted` is true.', true],
  client_encrypted: [
    'With `encrypted`: `content` is a JWE that you created, so the server never sees the text.',
    false,
  ],
  password: [
    'With `encrypted`: the password. If you leave it out, the server generates one and returns it once.',
    'correct horse battery staple',
  ],
  claim_hash: [
    'With `client_encrypted`: the SHA-256 of the claim token, as base64url. Required with `instant_delete`, and for editors to replace the JWE later.',
    'Zl1h8JmbJHjJIgwLBoO2Wp0v0f3l7yQ5s1a9k2m4n6c',
  ],
  public: [
    'Lists the document on the explore page, in `GET /v1/public` and in feeds, and lets search engines index it. Encrypted and burn-after-reading documents are never listed. Needs an account.',
    true,
  ],
  revisions: [
    'Whether edits keep the previous content. Only the creator can change it. Turning it off deletes what was kept.',
    false,
  ],
  long_urls: ['An id of 36 characters instead of 8.', true],
  short_urls: ['An id of 4 characters instead of 8. Takes precedence over `long_urls`.', true],
  create_gist: [
    'Also publishes a gist on your connected GitHub account. Encrypted and burn-after-reading documents can’t have one.',
    true,
  ],
  editors: [
    'Usernames of accounts that may edit the document, in any letter case. Needs an account.',
    ['ada', 'grace'],
  ],
}

const formatDefault = (setting: SettingName): string => {
  const value = SETTINGS[setting].default
  return value === undefined || value === null ? 'none' : `\`${JSON.stringify(value)}\``
}

function describeSetting(setting: SettingName, operation: 'create' | 'edit'): JsonSchema {
  const [meaning, ...examples] = SETTING_DESCRIPTIONS[setting]
  if (operation === 'edit' && !isEditable(setting))
    return { description: 'Can’t be changed. Its present value and empty values are ignored.' }
  return {
    ...(setting === 'claim_hash' && { pattern: HASH_PATTERN }),
    // Not as `default`: generators take a member with one for required.
    description: operation === 'create' ? `${meaning} Default: ${formatDefault(setting)}.` : meaning,
    examples: examples as NonNullable<JsonSchema['examples']>,
  }
}

const describeSettings = (operation: 'create' | 'edit'): Properties =>
  Object.fromEntries(SETTING_NAMES.map((name) => [name, describeSetting(name, operation)]))

/** A request may put `infer_settings` next to `settings` or inside it. */
const INFER_SETTINGS: JsonSchema = {
  description:
    'With a key: fills in the settings that you leave out from your account’s defaults for new documents. Default: `false`.',
  examples: [true],
}

export const EXAMPLE_CLAIM_TOKEN = 'kq3xU0b7r5Xo1cYv9JwZ2mT8nL4hS6dF0gA3eP5iR7w'

/** One to three, with spaces between them. */
const CLAIM_TOKEN_PATTERN = '^[A-Za-z0-9_-]{43}( [A-Za-z0-9_-]{43}){0,2}$'

const claimToken = (description: string): JsonSchema => ({
  description,
  pattern: CLAIM_TOKEN_PATTERN,
  examples: [EXAMPLE_CLAIM_TOKEN],
})

const FILES: JsonSchema = {
  description:
    'In place of `content`: 1 to 100 files. Several files are one text in the language `txtar`, and one file is a document with its name as the title. `name` is a relative path of 1 to 200 characters, different from all others. A `language` that you leave out is that of the name, or else detected.',
  examples: [
    [
      { name: 'main.py', content: 'print("hello")' },
      { name: 'config/app.toml', content: 'debug = true' },
    ],
  ],
}

/** A document needs one of the two. */
const CONTENT_OR_FILES: JsonSchema[] = [
  { required: ['content'] },
  { properties: { files: { type: 'array' } }, required: ['files'] },
]

const SETTINGS_DESCRIPTION =
  'Unknown settings are ignored. Null means the same as leaving a setting out, except for `expiration`, where it means never.'

/** The Worker loads these schemas too, so their descriptions aren't beside them. */
const requests = z
  .registry<Description>()
  .add(createBody, { id: 'NewDocument', description: 'The document to create.' })
  .add(createSettings, {
    id: 'NewSettings',
    description: `The settings of a new document. ${SETTINGS_DESCRIPTION}`,
  })
  .add(editBody, { id: 'DocumentChange', description: 'The changes to a document.' })
  .add(editSettings, {
    id: 'ChangedSettings',
    description: `The settings to change. ${SETTINGS_DESCRIPTION}`,
  })
  .add(claimBody, {
    id: 'Claim',
    description: 'Proves that you know the password of an encrypted burn-after-reading document.',
  })

const REQUEST_MEMBERS: Readonly<Record<string, Properties>> = {
  NewDocument: {
    content: {
      description:
        'The text: 1 byte to 10 MiB of UTF-8, unless the server has another limit. Required, unless you send `files`.',
      examples: ['Hello'],
    },
    files: FILES,
    duplicated_from: {
      description:
        'The id of the document that it’s a duplicate of. Regent shows it to those who may know of that document, and ignores it for encrypted and burn-after-reading documents.',
      pattern: '^[A-Za-z0-9]{4,36}$',
      examples: ['k3Tn8vWz'],
    },
    infer_settings: INFER_SETTINGS,
    settings: { description: 'Values other than the defaults need the key of a confirmed account.' },
  },
  NewSettings: { ...describeSettings('create'), infer_settings: INFER_SETTINGS },
  DocumentChange: {
    id: { description: 'The id of the document.', examples: ['7hBqKz4n'] },
    content: {
      description: 'The new text. If you leave it out, the text stays the same.',
      examples: ['Hello'],
    },
    files: FILES,
    password: {
      description: 'The password of an encrypted document. The server encrypts the new content with it.',
      examples: ['correct horse battery staple'],
    },
    claim_token: claimToken(
      'For editors, with a JWE as `content`: proves the password of the present JWE. Derived as for a claim.',
    ),
    settings: { description: 'The settings to change. All others stay the same.' },
  },
  ChangedSettings: describeSettings('edit'),
  Claim: { token: claimToken('The claim token, derived from the password and the header of the JWE.') },
}

function tidy({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  // Zod gives every integer bounds, which tell readers nothing.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  // The format already says the same.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  // Regent may add fields to responses.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

const mapValues = <Value, Result>(
  object: Readonly<Record<string, Value>>,
  convert: (value: Value, name: string) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, convert(value, name)]))

export const getProperties = (schema: JsonSchema): Properties => (schema.properties ?? {}) as Properties

function convertAll(registry: $ZodRegistry<Description>, io: 'input' | 'output'): Properties {
  const uri = (id: string) => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(registry, { io, metadata: registry, uri, override: tidy })
  return mapValues(schemas, ({ $schema, $id, ...schema }) => schema)
}

const describeMembers = (schema: JsonSchema, members: Properties): JsonSchema => ({
  ...schema,
  properties: mapValues(getProperties(schema), (member, name) => ({ ...member, ...members[name] })),
})

export const SCHEMAS: Properties = {
  ...mapValues(convertAll(requests, 'input'), (schema, name) => ({
    ...describeMembers(schema, REQUEST_MEMBERS[name] ?? {}),
    ...(name === 'NewDocument' && { anyOf: CONTENT_OR_FILES }),
  })),
  ...convertAll(descriptions, 'output'),
}

export const convertQuery = (query: typeof listQuery | typeof publicQuery): Properties =>
  getProperties(z.toJSONSchema(query, { io: 'input', override: tidy }))

export type RequestName = 'NewDocument' | 'DocumentChange' | 'Claim'
