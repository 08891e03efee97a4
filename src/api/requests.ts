import type { NewDocument } from '../documents/create/create.ts'
import type { Edit } from '../documents/edit/edit-plan.ts'
import { toContent } from '../documents/model/content.ts'
import { getDefaultExpiry, parseExpiration } from '../documents/model/parse-expiration.ts'
import type { AnonymousSettings, Config } from '../env.ts'
import {
  ACCOUNT_SETTINGS,
  CHOSEN_FLAGS,
  EDITABLE_FLAGS,
  FIXED_SETTINGS,
  isEditable,
  mapFlags,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from '../shared/settings.ts'
import type { CreateSettings, EditSettings } from './schemas/schemas.ts'

const ifPresent = <Value>(value: Value): NonNullable<Value> | undefined => value ?? undefined

const IGNORED = SETTING_NAMES.filter((name) => SETTINGS[name].anonymous === 'ignore')

/** Returns the settings of an anonymous create without those that `ANONYMOUS_SETTINGS` ignores. */
export function dropIgnoredSettings(settings: CreateSettings, policy: AnonymousSettings): CreateSettings {
  if (policy !== 'ignore-cosmetic') return settings
  const kept = { ...settings }
  for (const name of IGNORED) delete kept[name]
  return kept
}

/** Returns true if a value asks for nothing but the setting's default. */
function isDefault(name: SettingName, value: unknown): boolean {
  if (value === undefined || value === SETTINGS[name].default) return true
  // `expiration: null` means never.
  if (name === 'expiration') return false
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Settings that need a confirmed account in a create, for each value of `ANONYMOUS_SETTINGS`. */
const RESTRICTED: Readonly<Record<AnonymousSettings, readonly SettingName[]>> = {
  refuse: SETTING_NAMES,
  'ignore-cosmetic': SETTING_NAMES.filter((name) => SETTINGS[name].anonymous === 'refuse'),
  allow: ACCOUNT_SETTINGS,
}

/** Returns true if a create asks for anything but the defaults among the settings that need a confirmed account. */
export const usesRestrictedSettings = (settings: CreateSettings, policy: AnonymousSettings): boolean =>
  RESTRICTED[policy].some((name) => !isDefault(name, settings[name]))

/** Describe the new content of a document that is already encrypted, so they don't count as using settings. */
const ABOUT_CONTENT: readonly SettingName[] = ['client_encrypted', 'claim_hash']
const EDITABLE = SETTING_NAMES.filter((name) => isEditable(name) && !ABOUT_CONTENT.includes(name))

/** Returns true if an edit asks for anything but the defaults. Any expiration does: leaving it out changes nothing. */
export const usesEditSettings = (settings: EditSettings): boolean =>
  settings.expiration !== undefined ||
  EDITABLE.some((name) => !isDefault(name, settings[name])) ||
  // Clients send back the `encrypted` that they read.
  FIXED_SETTINGS.some((name) => name !== 'encrypted' && Boolean(settings[name]))

/**
 * Converts the body of a create to what the core creates.
 *
 * @throws AppError `bad_request` and `content_too_large` for errors that the body alone shows.
 */
export function toNewDocument(
  text: string,
  settings: CreateSettings,
  { config, now }: { config: Config; now: number },
): NewDocument {
  const { expiration } = settings
  const clientEncrypted = settings.client_encrypted === true
  return {
    ...mapFlags(CHOSEN_FLAGS, (name) => settings[name] ?? SETTINGS[name].default),
    content: toContent(text, clientEncrypted, config.maxContentBytes),
    language: settings.language ?? null,
    title: settings.title ?? null,
    expiresAt: expiration === undefined ? getDefaultExpiry(now) : parseExpiration(expiration, now),
    idLength: settings.short_urls ? 'short' : settings.long_urls ? 'long' : 'standard',
    encryption: settings.encrypted && !clientEncrypted ? { password: settings.password || null } : null,
    claimHash: settings.claim_hash ?? null,
    editors: settings.editors ?? [],
    gist: settings.create_gist ?? false,
  }
}

interface EditRequest {
  readonly content?: string | null | undefined
  readonly password?: string | null | undefined
  readonly claimToken?: string | null | undefined
  readonly settings: EditSettings
}

/**
 * Converts the body of an edit to what the core changes.
 *
 * @throws AppError `bad_request` and `content_too_large` for errors that the body alone shows.
 */
export function toEdit(
  { content, password, claimToken, settings }: EditRequest,
  { config, now }: { config: Config; now: number },
): Edit {
  const { expiration } = settings
  const clientEncrypted = settings.client_encrypted === true
  return {
    ...mapFlags(EDITABLE_FLAGS, (name) => ifPresent(settings[name])),
    content:
      content === undefined || content === null
        ? undefined
        : toContent(content, clientEncrypted, config.maxContentBytes),
    password: password || undefined,
    claimToken: ifPresent(claimToken),
    language: ifPresent(settings.language),
    title: ifPresent(settings.title),
    expiresAt: expiration === undefined ? undefined : parseExpiration(expiration, now),
    editors: ifPresent(settings.editors),
    clientEncrypted,
    claimHash: ifPresent(settings.claim_hash),
    fixedSettings: Object.fromEntries(FIXED_SETTINGS.map((name) => [name, settings[name]])),
  }
}
