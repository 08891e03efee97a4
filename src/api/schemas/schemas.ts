import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import { MAX_SEARCH_CHARACTERS } from '../../documents/list.ts'
import { SORTS } from '../../documents/sql/lists.ts'
import { isDocumentId } from '../../shared/document-ids.ts'
import { isClaimString } from '../../shared/encryption/claim-token.ts'
import { MAX_LANGUAGE_CHARACTERS } from '../../shared/settings.ts'
import { infersSettings } from '../infers-settings.ts'
import { createShape, editShape, password } from './setting-schemas.ts'

// The small build of Zod has no messages of its own.
z.config(en())

export { safeParse } from 'zod/mini'
export { renameFormerSettings } from '../former-names.ts'

const content = z.string().check(z.minLength(1))

const ALREADY_ENCRYPTED = "Can't be combined with a password: the content is already encrypted"

/** Returns an issue that depends on more than one member. */
const crossMemberIssue = (path: string[], message: string) =>
  ({ code: 'custom', path, message, input: undefined }) as const

/** If true, the account's defaults fill in the settings that the request leaves out. */
const inferSettings = z.nullish(z.boolean())

const createSettings = z.object({ ...createShape, infer_settings: inferSettings })

export type CreateSettings = Omit<z.infer<typeof createSettings>, 'infer_settings'>

/** Returns an issue for each setting that conflicts with another. */
export function findConflicts(value: CreateSettings) {
  const issues: ReturnType<typeof crossMemberIssue>[] = []
  const refuse = (name: keyof CreateSettings, message: string) =>
    issues.push(crossMemberIssue(['settings', name], message))
  if (value.password && !value.encrypted) refuse('password', 'Requires encrypted: true')
  if (value.claim_hash && !value.client_encrypted) refuse('claim_hash', 'Requires client_encrypted: true')
  if (value.client_encrypted) {
    if (!value.encrypted) refuse('client_encrypted', 'Requires encrypted: true')
    if (value.password) refuse('client_encrypted', ALREADY_ENCRYPTED)
    if (value.instant_delete && !value.claim_hash) refuse('claim_hash', 'Required with instant_delete')
  }
  if (value.title && value.encrypted) refuse('title', "An encrypted document can't have a title")
  if (value.create_gist && (value.encrypted || value.instant_delete)) {
    refuse('create_gist', "Encrypted and burn-after-reading documents can't have a gist")
  }
  return issues
}

const documentId = z
  .string()
  .check(z.refine<string>(isDocumentId, { error: 'Expected the id of a document' }))

export const createBody = z
  .object({
    content,
    duplicated_from: z.nullish(documentId),
    infer_settings: inferSettings,
    settings: z.nullish(createSettings),
  })
  .check(({ value, issues }) => {
    // The defaults of the account may resolve a conflict, or cause one: `inferSettings` checks again.
    if (!infersSettings(value)) issues.push(...findConflicts(value.settings ?? {}))
  })

const claimToken = z
  .string()
  .check(z.refine<string>(isClaimString, { error: 'Expected base64url of 32 bytes' }))

const editSettings = z.object(editShape)

export const editBody = z
  .object({
    id: z.string(),
    // `null` keeps the content.
    content: z.nullish(content),
    password,
    claim_token: z.nullish(claimToken),
    settings: z.nullish(editSettings),
  })
  .check(({ value, issues }) => {
    if (value.password && value.settings?.client_encrypted) {
      issues.push(crossMemberIssue(['settings', 'client_encrypted'], ALREADY_ENCRYPTED))
    }
  })

export type EditSettings = z.infer<typeof editSettings>

/** Documents on one page of a list. */
const MAX_PAGE_SIZE = 100
const DEFAULT_PAGE_SIZE = 20

/** What every list takes. */
const pageShape = {
  cursor: z.optional(z.string()),
  search: z.optional(z.string().check(z.maxLength(MAX_SEARCH_CHARACTERS))),
  limit: z._default(
    z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_PAGE_SIZE)),
    DEFAULT_PAGE_SIZE,
  ),
}

export const listQuery = z.object({
  ...pageShape,
  shared: z._default(z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }), false),
  sort: z._default(z.enum(SORTS), 'newest'),
})

export const publicQuery = z.object({
  ...pageShape,
  language: z.optional(z.string().check(z.maxLength(MAX_LANGUAGE_CHARACTERS))),
})

export const claimBody = z.object({ token: claimToken })
