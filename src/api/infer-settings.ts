import { findStoredDefaults } from '../accounts/profile/defaults.ts'
import { invalidBody } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { EXPIRY_CHOICES } from '../shared/expiry.ts'
import { CHECKBOXES, SETTINGS } from '../shared/settings.ts'
import { type CreateSettings, findConflicts } from './schemas/schemas.ts'

/**
 * Fills in the settings that a create leaves out from the account's defaults, if it has any. One query.
 *
 * @param userId null without an account. Then this only checks for conflicts, because the schema doesn't check them
 *   when a request infers settings.
 * @throws AppError `bad_request` at a setting that conflicts with another.
 */
export async function inferSettings(
  db: Database,
  userId: string | null,
  sent: CreateSettings,
): Promise<CreateSettings> {
  const settings = userId === null ? sent : await addDefaults(db, userId, sent)
  const conflicts = findConflicts(settings)
  if (conflicts.length > 0) throw invalidBody(...conflicts)
  return settings
}

async function addDefaults(db: Database, userId: string, sent: CreateSettings): Promise<CreateSettings> {
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
