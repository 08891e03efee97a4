import type { Database } from '../../platform/database.ts'
import { type FormSettings, toFieldName, toFormSettings } from '../../shared/form-settings.ts'
import { CHECKBOXES, SETTINGS } from '../../shared/settings.ts'

function parseJson(json: string | null): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(json ?? '{}') ?? {}
  } catch {
    return {}
  }
}

/**
 * Reads what `saveDefaults` of this or an earlier release stored. A value that doesn't fit becomes the service's
 * default.
 */
export function parseDefaults(json: string | null): FormSettings {
  const stored = Object.entries(parseJson(json))
  return toFormSettings(Object.fromEntries(stored.map(([name, value]) => [toFieldName(name), value])))
}

/** Returns the JSON that an account's defaults are stored as: members are named as the fields of the form. */
export function serializeDefaults({
  language,
  expires,
  visibility,
  link,
  encryption,
  ...flags
}: FormSettings): string {
  const checkboxes = CHECKBOXES.map((name) => [name, flags[SETTINGS[name].property]] as const)
  return JSON.stringify({
    language,
    expires,
    visibility,
    link,
    encryption,
    ...Object.fromEntries(checkboxes),
  })
}

async function findJson(db: Database, userId: string): Promise<string | null> {
  const row = await db.first<{ defaults: string | null }>([
    'SELECT defaults FROM users WHERE id = ?1',
    userId,
  ])
  return row?.defaults ?? null
}

/** Returns an account's defaults for new documents, or the server's if the account has none. One query. */
export const findDefaults = async (db: Database, userId: string): Promise<FormSettings> =>
  parseDefaults(await findJson(db, userId))

/** Returns the defaults that an account saved, or null if it never saved any. One query. */
export async function findStoredDefaults(db: Database, userId: string): Promise<FormSettings | null> {
  const json = await findJson(db, userId)
  return json === null ? null : parseDefaults(json)
}

/** Stores an account's defaults for new documents. Throws AppError `unavailable`. */
export async function saveDefaults(db: Database, userId: string, defaults: FormSettings): Promise<void> {
  await db.idempotentBatch([
    ['UPDATE users SET defaults = ?2 WHERE id = ?1', userId, serializeDefaults(defaults)],
  ])
}
