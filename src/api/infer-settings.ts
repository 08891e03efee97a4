import { findStoredDefaults } from '../accounts/profile/defaults.ts'
import { invalidBody } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { EXPIRY_CHOICES } from '../shared/expiry.ts'
import { CHECKBOXES, SETTINGS } from '../shared/settings.ts'
import { type CreateSettings, findConflicts } from './schemas.ts'

/**
 * Returns the settings of a create, with those that the request leaves out taken from the account's defaults. An account
 * without defaults changes nothing. One query.
 *
 * @param userId null without an account: then only the conflicts are checked, which the schema left to us.
 * @throws AppError `bad_request` at a setting that doesn't go together with the others.
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
    // `null` is an answer: never.
    expiration: sent.expiration === undefined ? EXPIRY_CHOICES[defaults.expires].days : sent.expiration,
    public: sent.public ?? defaults.visibility === 'public',
    // Short wins over long, so a default must not shorten a link that is to be long.
    short_urls: sent.short_urls ?? (defaults.link === 'short' && !sent.long_urls),
    long_urls: sent.long_urls ?? defaults.link === 'long',
    // With "own" there is nobody to type a password. The service generates one rather than leave the text readable.
    encrypted: sent.encrypted ?? defaults.encryption !== 'none',
  }
}
