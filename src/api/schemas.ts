import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import { MAX_SEARCH_CHARACTERS } from '../documents/list.ts'
import { MAX_EDITORS, MAX_LANGUAGE_CHARACTERS, MAX_PASSWORD_CHARACTERS } from '../documents/model/document.ts'
import { SORTS } from '../documents/sql/lists.ts'
import { isClaimString } from '../shared/jwe.ts'

// The small build of Zod brings no words for its issues.
z.config(en())

/** Text that UTF-8 can hold: a lone surrogate would come back as another character. */
const wellFormed = z.refine<string>((text) => text.isWellFormed(), {
  error: 'Must be well-formed Unicode: it has a lone surrogate',
})

const flag = z.nullish(z.boolean())
const content = z.string().check(z.minLength(1))
const password = z.nullish(z.string().check(z.maxLength(MAX_PASSWORD_CHARACTERS), wellFormed))
const language = z.nullish(
  z.string().check(z.minLength(1), z.maxLength(MAX_LANGUAGE_CHARACTERS), wellFormed, z.toLowerCase()),
)
const expiration = z.optional(
  z.nullable(
    z.union([z.number(), z.string()], {
      error: 'Expected null, a number of days, or an ISO 8601 date-time with offset',
    }),
  ),
)
const editors = z.nullish(z.array(z.string().check(wellFormed)).check(z.maxLength(MAX_EDITORS)))
const claimHash = z.nullish(
  z
    .string()
    .check(z.refine<string>(isClaimString, { error: 'Expected the base64url SHA-256 of the claim token' })),
)

/** A finding that takes more than one member to see. */
const finding = (path: string[], message: string, input: unknown) =>
  ({ code: 'custom', path, message, input }) as const

const createSettings = z
  .object({
    language,
    expiration,
    image_embed: flag,
    instant_delete: flag,
    encrypted: flag,
    client_encrypted: flag,
    password,
    claim_hash: claimHash,
    public: flag,
    long_urls: flag,
    short_urls: flag,
    create_gist: flag,
    editors,
  })
  .check(({ value, issues }) => {
    const refuse = (name: string, message: string) => issues.push(finding([name], message, undefined))
    if (value.password && !value.encrypted) refuse('password', 'Needs encrypted: true')
    if (value.claim_hash && !value.client_encrypted) refuse('claim_hash', 'Needs client_encrypted: true')
    if (value.client_encrypted) {
      if (!value.encrypted) refuse('client_encrypted', 'Needs encrypted: true')
      if (value.password)
        refuse('client_encrypted', 'Can not come with a password: the content is encrypted already')
      if (value.instant_delete && !value.claim_hash) refuse('claim_hash', 'Needed with instant_delete')
    }
    if (value.create_gist && (value.encrypted || value.instant_delete)) {
      refuse('create_gist', 'A gist can be neither encrypted nor deleted by its first reader')
    }
  })

export const createBody = z.object({ content, settings: z.nullish(createSettings) })

export type CreateSettings = NonNullable<z.infer<typeof createBody>['settings']>

const editSettings = z.object({
  language,
  expiration,
  image_embed: flag,
  instant_delete: flag,
  public: flag,
  editors,
  client_encrypted: flag,
  claim_hash: claimHash,
  // No edit changes these; only the document can tell whether what was sent asks for a change.
  encrypted: z.optional(z.unknown()),
  password: z.optional(z.unknown()),
  long_urls: z.optional(z.unknown()),
  short_urls: z.optional(z.unknown()),
  create_gist: z.optional(z.unknown()),
})

export const editBody = z
  .object({
    id: z.string(),
    content: z.optional(content),
    password,
    settings: z.nullish(editSettings),
  })
  .check(({ value, issues }) => {
    if (value.password && value.settings?.client_encrypted) {
      const path = ['settings', 'client_encrypted']
      issues.push(finding(path, 'Can not come with a password: the content is encrypted already', undefined))
    }
  })

export type EditSettings = NonNullable<z.infer<typeof editBody>['settings']>

/** Documents of a page. */
const MOST_LISTED = 100
const LISTED = 20

export const listQuery = z.object({
  cursor: z.optional(z.string()),
  search: z.optional(z.string().check(z.maxLength(MAX_SEARCH_CHARACTERS))),
  shared: z._default(z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }), false),
  sort: z._default(z.enum(SORTS), 'newest'),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MOST_LISTED)), LISTED),
})

export const claimBody = z.object({
  token: z.string().check(z.refine<string>(isClaimString, { error: 'Expected base64url of 32 bytes' })),
})
