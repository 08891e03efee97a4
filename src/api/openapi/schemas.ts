import * as z from 'zod/mini'
import type { $ZodType } from 'zod/v4/core'
import { isEditable, SETTINGS, type SettingName } from '../../shared/settings.ts'
import {
  accountBody,
  claimHeaderBody,
  createdBody,
  creatorBody,
  descriptions,
  documentBody,
  emptyBody,
  foundUsersBody,
  fullRevisionBody,
  greetingBody,
  listBody,
  listedBody,
  newKeyBody,
  recentBody,
  revisionBody,
  revisionsBody,
} from '../response-schemas.ts'
import { claimBody, createBody, editBody, listQuery, publicQuery } from '../schemas.lazy.ts'
import type { JsonSchema } from './types.ts'

interface SettingDescription {
  readonly meaning: string
  readonly examples: readonly unknown[]
  readonly pattern?: string
}

const SETTING_DESCRIPTIONS: Readonly<Record<SettingName, SettingDescription>> = {
  title: {
    meaning: 'A title or file name; `""` means none. Encrypted documents can’t have one.',
    examples: ['notes.md'],
  },
  language: {
    meaning: 'A language label, stored in lower case. `auto` detects the language from the content.',
    examples: ['markdown', 'auto'],
  },
  expiration: {
    meaning:
      'When the document expires: a number of days from now (fractions are fine), or an ISO 8601 date-time with an offset, from 1 minute to 10 years ahead. `null` and `0` mean never.',
    examples: [1, '2030-01-01T12:00:00Z', null],
  },
  image_embed: {
    meaning:
      'Whether link previews show a picture of the document. Never of encrypted or burn-after-reading ones.',
    examples: [true],
  },
  instant_delete: {
    meaning:
      'Burn after reading: the first delivery of the content to anyone but the creator and the editors deletes the document.',
    examples: [true],
  },
  encrypted: {
    meaning: 'Encrypts the content. The server does it, unless `client_encrypted` is true.',
    examples: [true],
  },
  client_encrypted: {
    meaning: 'With `encrypted`: `content` is a JWE that you created, so the server never sees the text.',
    examples: [false],
  },
  password: {
    meaning:
      'With `encrypted`: the password. If you leave it out, the server generates one and returns it once.',
    examples: ['correct horse battery staple'],
  },
  claim_hash: {
    meaning:
      'With `client_encrypted`: the SHA-256 of the claim token, as base64url. Required with `instant_delete`, and for editors to replace the JWE later.',
    examples: ['Zl1h8JmbJHjJIgwLBoO2Wp0v0f3l7yQ5s1a9k2m4n6c'],
    pattern: '^[A-Za-z0-9_-]{43}$',
  },
  public: {
    meaning:
      'Lists the document on the explore page, in `GET /v1/public` and in feeds, and lets search engines index it. Encrypted and burn-after-reading documents are never listed. Needs an account.',
    examples: [true],
  },
  revisions: {
    meaning:
      'Whether edits keep the previous content. Only the creator can change it. Turning it off deletes what was kept.',
    examples: [false],
  },
  long_urls: { meaning: 'An id of 36 characters instead of 8.', examples: [true] },
  short_urls: {
    meaning: 'An id of 4 characters instead of 8. Takes precedence over `long_urls`.',
    examples: [true],
  },
  create_gist: {
    meaning:
      'Also publishes a gist on your connected GitHub account. Encrypted and burn-after-reading documents can’t have one.',
    examples: [true],
  },
  editors: {
    meaning: 'Usernames of accounts that may edit the document, in any letter case. Needs an account.',
    examples: [['ada', 'grace']],
  },
}

type Properties = Readonly<Record<string, JsonSchema>>

function toJsonSchema(schema: $ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema, $defs, ...converted } = z.toJSONSchema(schema, {
    io,
    metadata: descriptions,
    override: ({ jsonSchema }) => {
      // Zod gives every integer bounds, which tell readers nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      // The format already says the same.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
      // Regent may add fields to responses.
      delete jsonSchema.additionalProperties
    },
  })
  // Zod converts a schema with a name to a reference to its definition.
  const definition = $defs?.[converted.$ref?.split('/').at(-1) ?? '']
  return pointToComponents(definition ?? converted)
}

function pointToComponents<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(pointToComponents) as Value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'id')
      .map(([name, inner]) =>
        name === '$ref'
          ? [name, String(inner).replace('#/$defs/', '#/components/schemas/')]
          : [
              name,
              name === 'properties'
                ? mapValues(inner as Properties, pointToComponents)
                : pointToComponents(inner),
            ],
      ),
  ) as Value
}

const mapValues = <Value, Result>(
  object: Readonly<Record<string, Value>>,
  convert: (value: Value, name: string) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, convert(value, name)]))

const isSettingName = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name)

/** A request may put `infer_settings` next to `settings` or inside it. */
const INFER_SETTINGS = {
  description:
    'With a key: fills in the settings that you leave out from your account’s defaults for new documents. Default: `false`.',
  examples: [true],
}

const formatDefault = (setting: SettingName): string => {
  const value = SETTINGS[setting].default
  return value === undefined || value === null ? 'none' : `\`${JSON.stringify(value)}\``
}

const describeSettings = (properties: Properties, operation: 'create' | 'edit'): Properties =>
  mapValues(properties, (schema, name) => {
    if (!isSettingName(name)) return { ...schema, ...INFER_SETTINGS }
    const setting = name
    const { meaning, examples, pattern } = SETTING_DESCRIPTIONS[setting]
    if (operation === 'edit' && !isEditable(setting)) {
      return { ...schema, description: 'Can’t be changed. Its present value and empty values are ignored.' }
    }
    return {
      ...schema,
      ...(pattern !== undefined && { pattern }),
      // Not as `default`: generators take a member with one for required.
      description: operation === 'create' ? `${meaning} Default: ${formatDefault(setting)}.` : meaning,
      examples: [...examples] as NonNullable<JsonSchema['examples']>,
    }
  })

export const getProperties = (schema: JsonSchema): Properties => (schema.properties ?? {}) as Properties

function splitSettings(body: JsonSchema, reference: string) {
  const { settings, ...properties } = getProperties(body)
  const [inner, nothing] = settings?.anyOf ?? []
  if (!inner || !nothing) throw new Error('settings must be an object or null')
  return {
    settings: inner,
    body: { ...body, properties: { ...properties, settings: { anyOf: [{ $ref: reference }, nothing] } } },
  }
}

const described = (
  schema: JsonSchema,
  descriptionsByName: Readonly<Record<string, JsonSchema>>,
): JsonSchema => ({
  ...schema,
  properties: mapValues(getProperties(schema), (property, name) => ({
    ...property,
    ...descriptionsByName[name],
  })),
})

const SETTINGS_DESCRIPTION =
  'Unknown settings are ignored. Null means the same as leaving a setting out, except for `expiration`, where it means never.'

const createParts = splitSettings(toJsonSchema(createBody, 'input'), '#/components/schemas/NewSettings')
const editParts = splitSettings(toJsonSchema(editBody, 'input'), '#/components/schemas/ChangedSettings')

const CONTENT = {
  description: 'The text: 1 byte to 10 MiB of UTF-8, unless the server has another limit.',
  examples: ['Hello'],
}

const DUPLICATED_FROM = {
  description:
    'The id of the document that it’s a duplicate of. Regent shows it to those who may know of that document, and ignores it for encrypted and burn-after-reading documents.',
  pattern: '^[A-Za-z0-9]{4,36}$',
  examples: ['k3Tn8vWz'],
}

const REQUESTS: Properties = {
  NewDocument: {
    ...described(createParts.body, {
      content: CONTENT,
      duplicated_from: DUPLICATED_FROM,
      infer_settings: INFER_SETTINGS,
      settings: { description: 'Values other than the defaults need the key of a confirmed account.' },
    }),
    description: 'The document to create.',
  },
  NewSettings: {
    ...createParts.settings,
    description: `The settings of a new document. ${SETTINGS_DESCRIPTION}`,
    properties: describeSettings(getProperties(createParts.settings), 'create'),
  },
  DocumentChange: {
    ...described(editParts.body, {
      id: { description: 'The id of the document.', examples: ['7hBqKz4n'] },
      content: { ...CONTENT, description: 'The new text. If you leave it out, the text stays the same.' },
      password: {
        description: 'The password of an encrypted document. The server encrypts the new content with it.',
        examples: ['correct horse battery staple'],
      },
      claim_token: {
        description:
          'For editors, with a JWE as `content`: proves the password of the present JWE. Derived as for a claim.',
        pattern: '^[A-Za-z0-9_-]{43}$',
        examples: ['kq3xU0b7r5Xo1cYv9JwZ2mT8nL4hS6dF0gA3eP5iR7w'],
      },
      settings: { description: 'The settings to change. All others stay the same.' },
    }),
    description: 'The changes to a document.',
  },
  ChangedSettings: {
    ...editParts.settings,
    description: `The settings to change. ${SETTINGS_DESCRIPTION}`,
    properties: describeSettings(getProperties(editParts.settings), 'edit'),
  },
  Claim: {
    ...described(toJsonSchema(claimBody, 'input'), {
      token: {
        description: 'The claim token, derived from the password and the header of the JWE.',
        pattern: '^[A-Za-z0-9_-]{43}$',
        examples: ['kq3xU0b7r5Xo1cYv9JwZ2mT8nL4hS6dF0gA3eP5iR7w'],
      },
    }),
    description: 'Proves that you know the password of an encrypted burn-after-reading document.',
  },
}

const RESPONSES = {
  Account: accountBody,
  AccountWithKey: newKeyBody,
  ClaimHeader: claimHeaderBody,
  CreatedDocument: createdBody,
  CreatedSettings: createdBody.shape.settings,
  Creator: creatorBody,
  Document: documentBody,
  DocumentPage: listBody,
  DocumentSettings: documentBody.shape.settings,
  Empty: emptyBody,
  FoundUsers: foundUsersBody,
  Greeting: greetingBody,
  ListedDocument: listedBody,
  ListedRevision: revisionBody,
  RecentDocuments: recentBody,
  Revision: fullRevisionBody,
  Revisions: revisionsBody,
} satisfies Readonly<Record<string, $ZodType>>

export type ResponseName = keyof typeof RESPONSES

export const SCHEMAS: Properties = {
  ...REQUESTS,
  ...mapValues(RESPONSES, (schema) => toJsonSchema(schema, 'output')),
}

export const LIST_PARAMETERS: Properties = getProperties(toJsonSchema(listQuery, 'input'))
export const PUBLIC_PARAMETERS: Properties = getProperties(toJsonSchema(publicQuery, 'input'))

export type RequestName = 'NewDocument' | 'DocumentChange' | 'Claim'
