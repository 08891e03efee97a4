import type { NewDocument } from '../documents/create.ts'
import type { Edit } from '../documents/edit-plan.ts'
import { type IncomingContent, plainText, sealedText } from '../documents/model/content.ts'
import { DEFAULT_EXPIRY_DAYS, getDefaultExpiry, parseExpiration } from '../documents/model/expiry.ts'
import type { Config } from '../env.ts'
import { PLAIN_TEXT } from '../shared/languages.ts'
import type { CreateSettings, EditSettings } from './schemas.ts'

/** Content as the settings beside it say what it is. Throws what `plainText` and `sealedText` throw. */
const incoming = (text: string, sealed: boolean, { maxContentBytes }: Config): IncomingContent =>
  sealed ? sealedText(text, maxContentBytes) : plainText(text, maxContentBytes)

const given = <Value>(value: Value): NonNullable<Value> | undefined => value ?? undefined

/** The settings that change only how a document looks or is found, which some servers forgive. */
const COSMETIC = ['expiration', 'long_urls', 'short_urls', 'image_embed', 'public'] as const

/** What a forgiving server takes of the settings of an anonymous create. */
export function withoutCosmetics(settings: CreateSettings): CreateSettings {
  const kept = { ...settings }
  for (const name of COSMETIC) delete kept[name]
  return kept
}

/** Whether a create asks for anything but the defaults. */
export function usesCreateSettings(settings: CreateSettings): boolean {
  const { language, expiration, editors, password, claim_hash, ...flags } = settings
  return (
    (given(language) ?? PLAIN_TEXT) !== PLAIN_TEXT ||
    (expiration !== undefined && expiration !== DEFAULT_EXPIRY_DAYS) ||
    Boolean(password || claim_hash || editors?.length) ||
    Object.values(flags).some(Boolean)
  )
}

/**
 * Whether an edit asks for anything but the defaults. Any expiration does: an omitted one changes nothing. That
 * the new content comes encrypted is none: the document is already.
 */
export const usesEditSettings = ({
  expiration,
  encrypted,
  client_encrypted,
  claim_hash,
  ...settings
}: EditSettings): boolean =>
  expiration !== undefined ||
  usesCreateSettings({
    ...settings,
    password: settings.password ? 'asked for' : null,
    long_urls: Boolean(settings.long_urls),
    short_urls: Boolean(settings.short_urls),
    create_gist: Boolean(settings.create_gist),
  })

/**
 * What the core is to create.
 *
 * @throws AppError `bad_request` and `content_too_large` for what the body alone shows to be wrong.
 */
export function newDocumentFromBody(
  text: string,
  settings: CreateSettings,
  { config, now }: { config: Config; now: number },
): NewDocument {
  const { expiration } = settings
  const sealed = settings.client_encrypted === true
  return {
    content: incoming(text, sealed, config),
    language: settings.language ?? PLAIN_TEXT,
    expiresAt: expiration === undefined ? getDefaultExpiry(now) : parseExpiration(expiration, now),
    idLength: settings.short_urls ? 'short' : settings.long_urls ? 'long' : 'standard',
    imageEmbed: settings.image_embed ?? false,
    burnAfterReading: settings.instant_delete ?? false,
    public: settings.public ?? false,
    encryption: settings.encrypted && !sealed ? { password: settings.password || null } : null,
    claimHash: settings.claim_hash ?? null,
    editors: settings.editors ?? [],
    gist: settings.create_gist ?? false,
  }
}

interface EditRequest {
  readonly content?: string | undefined
  readonly password?: string | null | undefined
  readonly settings: EditSettings
}

/**
 * What the core is to change.
 *
 * @throws AppError `bad_request` and `content_too_large` for what the body alone shows to be wrong.
 */
export function editFromBody(
  { content, password, settings }: EditRequest,
  { config, now }: { config: Config; now: number },
): Edit {
  const { encrypted, password: fixedPassword, long_urls, short_urls, create_gist, expiration } = settings
  const sealed = settings.client_encrypted === true
  return {
    content: content === undefined ? undefined : incoming(content, sealed, config),
    password: password || undefined,
    language: given(settings.language),
    expiresAt: expiration === undefined ? undefined : parseExpiration(expiration, now),
    imageEmbed: given(settings.image_embed),
    burnAfterReading: given(settings.instant_delete),
    public: given(settings.public),
    editors: given(settings.editors),
    clientEncrypted: sealed,
    claimHash: given(settings.claim_hash),
    fixedSettings: { encrypted, password: fixedPassword, long_urls, short_urls, create_gist },
  }
}
