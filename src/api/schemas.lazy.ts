import { zValidator } from '@hono/zod-validator'
import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import { findStoredDefaults } from '../accounts/profile.ts'
import { MAX_SEARCH_CHARACTERS, SORTS } from '../documents/lists.ts'
import { invalidBody, invalidQuery } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { isDocumentId } from '../shared/document-ids.ts'
import type { Issue } from '../shared/error-codes.ts'
import { EXPIRY_CHOICES } from '../shared/expiry.ts'
import { isClaimToken } from '../shared/jwe.ts'
import { AUTO, TXTAR } from '../shared/languages.ts'
import { crossMemberIssue, newFiles, SETTING_SCHEMAS } from '../shared/setting-schemas.ts'
import {
  CHECKBOXES,
  type EditableSetting,
  type FixedSetting,
  isEditable,
  MAX_LANGUAGE_CHARACTERS,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from '../shared/settings.ts'

/** Early clients write settings in camelCase. Ignored, they'd leave out a protection that the client asked for. */
export function renameFormerSettings(body: unknown): void {
  const { settings } = (body ?? {}) as { settings?: unknown }
  if (typeof settings !== 'object' || settings === null) return
  const sent = settings as Record<string, unknown>
  for (const [name, value] of Object.entries(sent)) {
    const presentName = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    if (presentName !== name && Object.hasOwn(SETTINGS, presentName)) sent[presentName] ??= value
  }
}

type SchemaFor<Name extends SettingName> = (typeof SETTING_SCHEMAS)[(typeof SETTINGS)[Name]['kind']]

const schemaFor = (name: SettingName) => SETTING_SCHEMAS[SETTINGS[name].kind]

export const password = SETTING_SCHEMAS.password

const createShape = Object.fromEntries(SETTING_NAMES.map((name) => [name, schemaFor(name)])) as {
  readonly [Name in SettingName]: SchemaFor<Name>
}

/** Only the document can tell whether the value asks for a change. */
const unchecked = z.optional(z.unknown())

const editShape = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, isEditable(name) ? schemaFor(name) : unchecked]),
) as { readonly [Name in EditableSetting]: SchemaFor<Name> } & {
  readonly [Name in FixedSetting]: typeof unchecked
}

// The small build of Zod has no messages of its own.
z.config(en())

export { safeParse } from 'zod/mini'

const content = z.string().check(z.minLength(1))

const files = z.nullish(newFiles)

const ALREADY_ENCRYPTED = "Can't be combined with a password: the content is already encrypted"

const inferFlag = z.nullish(z.boolean())

export const createSettings = z.object({ ...createShape, infer_settings: inferFlag })

export type CreateSettingsBody = Omit<z.infer<typeof createSettings>, 'infer_settings'>

function findConflicts(value: CreateSettingsBody) {
  const issues: ReturnType<typeof crossMemberIssue>[] = []
  const refuse = (name: keyof CreateSettingsBody, message: string) =>
    issues.push(crossMemberIssue(['settings', name], message))
  if (value.password && !value.encrypted) refuse('password', 'Requires encrypted: true')
  if (value.claim_hash && !value.client_encrypted) refuse('claim_hash', 'Requires client_encrypted: true')
  if (value.client_encrypted) {
    if (!value.encrypted) refuse('client_encrypted', 'Requires encrypted: true')
    if (value.password) refuse('client_encrypted', ALREADY_ENCRYPTED)
    if (value.instant_delete && !value.claim_hash) refuse('claim_hash', 'Required with instant_delete')
  }
  if (value.title && value.encrypted)
    refuse('title', "An encrypted document can't have a title: leave it out")
  if (value.create_gist && (value.encrypted || value.instant_delete)) {
    refuse('create_gist', "Encrypted and burn-after-reading documents can't have a gist")
  }
  return issues
}

interface SentText {
  readonly content?: string | null | undefined
  readonly files?: z.infer<typeof files>
  readonly settings?: Pick<EditSettingsBody, 'language' | 'client_encrypted'> | null | undefined
}

/** Returns an issue for each member that `files` can't be combined with. */
function findFileConflicts({ content, files, settings }: SentText) {
  const issues: ReturnType<typeof crossMemberIssue>[] = []
  if (!files) return issues
  if (content !== undefined && content !== null)
    issues.push(crossMemberIssue(['files'], "Can't be combined with content"))
  const language = settings?.language ?? AUTO
  if (files.length > 1 && language !== AUTO && language !== TXTAR)
    issues.push(crossMemberIssue(['settings', 'language'], `Several files are a text in ${TXTAR}`))
  if (settings?.client_encrypted)
    issues.push(
      crossMemberIssue(['settings', 'client_encrypted'], 'Requires content: files are encrypted as one text'),
    )
  return issues
}

/** Comes first, as for any other member, and whatever else is wrong. */
const requireText = z.check<SentText>(({ value, issues }) => {
  const hasContent = issues.some(({ path }) => path?.[0] === 'content') || value.content !== undefined
  if (hasContent || (value.files !== undefined && value.files !== null)) return
  const message = 'Invalid input: expected string, received undefined'
  issues.unshift({ code: 'invalid_type', expected: 'string', path: ['content'], message, input: undefined })
})
requireText._zod.def.when = ({ value }) => typeof value === 'object' && value !== null

const documentId = z
  .string()
  .check(z.refine<string>(isDocumentId, { error: 'Expected the id of a document' }))

interface MayInfer {
  readonly infer_settings?: boolean | null | undefined
}

/** `infer_settings` may be next to the settings or inside them. */
export const infersSettings = (
  body: MayInfer & { readonly settings?: MayInfer | null | undefined },
): boolean => body.infer_settings === true || body.settings?.infer_settings === true

export const createBody = z
  .object({
    content: z.optional(content),
    files,
    duplicated_from: z.nullish(documentId),
    infer_settings: inferFlag,
    settings: z.nullish(createSettings),
  })
  .check(requireText)
  .check(({ value, issues }) => {
    issues.push(...findFileConflicts(value))
    // The defaults of the account may resolve a conflict, or cause one: `inferSettings` checks again.
    if (!infersSettings(value)) issues.push(...findConflicts(value.settings ?? {}))
  })

const claimToken = z
  .string()
  .check(z.refine<string>(isClaimToken, { error: 'Expected base64url of 32 bytes' }))

export const editSettings = z.object(editShape)

export const editBody = z
  .object({
    id: z.string(),
    // `null` keeps the content.
    content: z.nullish(content),
    files,
    password,
    claim_token: z.nullish(claimToken),
    settings: z.nullish(editSettings),
  })
  .check(({ value, issues }) => {
    issues.push(...findFileConflicts(value))
    if (value.password && value.settings?.client_encrypted) {
      issues.push(crossMemberIssue(['settings', 'client_encrypted'], ALREADY_ENCRYPTED))
    }
  })

export type EditSettingsBody = z.infer<typeof editSettings>

const MAX_PAGE_SIZE = 100
const DEFAULT_PAGE_SIZE = 20

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

type Result = { success: true } | { success: false; error: { readonly issues: readonly unknown[] } }

function refuseInvalid(result: Result): void {
  if (!result.success) throw invalidQuery(...(result.error.issues as readonly Issue[]))
}

export const validateListQuery = zValidator('query', listQuery, refuseInvalid)

export const validatePublicQuery = zValidator('query', publicQuery, refuseInvalid)

/**
 * Fills in the user's stored defaults, with one query, and refuses settings that conflict. Without an account, it only
 * looks for conflicts: the schema leaves that to this function if a request infers settings.
 */
export async function inferSettings(
  db: Database,
  userId: string | null,
  sent: CreateSettingsBody,
): Promise<CreateSettingsBody> {
  const settings = userId === null ? sent : await addDefaults(db, userId, sent)
  const conflicts = findConflicts(settings)
  if (conflicts.length > 0) throw invalidBody(...conflicts)
  return settings
}

async function addDefaults(
  db: Database,
  userId: string,
  sent: CreateSettingsBody,
): Promise<CreateSettingsBody> {
  const defaults = await findStoredDefaults(db, userId)
  if (!defaults) return sent
  return {
    ...sent,
    ...Object.fromEntries(CHECKBOXES.map((name) => [name, sent[name] ?? defaults[SETTINGS[name].property]])),
    language: sent.language ?? defaults.language,
    // `null` isn't a missing value: it means never.
    expiration: sent.expiration === undefined ? EXPIRY_CHOICES[defaults.expires].days : sent.expiration,
    public: sent.public ?? defaults.visibility === 'public',
    // A short id takes precedence, so a default must not shorten an id that the request wants long.
    short_urls: sent.short_urls ?? (defaults.link === 'short' && !sent.long_urls),
    long_urls: sent.long_urls ?? defaults.link === 'long',
    // With "own", nobody can type a password here, so the server generates one instead of storing readable text.
    encrypted: sent.encrypted ?? defaults.encryption !== 'none',
  }
}
