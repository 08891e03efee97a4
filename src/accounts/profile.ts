import { type Database, type Query, query, unlessTaken } from '../platform/database.ts'
import { fetchGitHub } from '../platform/github.ts'
import { type FormSettings, parseDefaults, SERVICE_DEFAULTS } from '../shared/form-settings.ts'
import { decodeHex, encodeBase64Url, encodeHex, sha256 } from '../shared/hashing.ts'
import type { Instant } from '../shared/instant.ts'
import { CHECKBOXES, SETTINGS } from '../shared/settings.ts'
import type { LinkClaim } from './sign-in/links.ts'
import { GITHUB } from './user.ts'

/** Lets a token write gists (docs.github.com, "Scopes for OAuth apps"). */
export const GIST_SCOPE = 'gist'

export const hasGistScope = (scope: string | null): boolean =>
  (scope ?? '').split(/[ ,]+/).includes(GIST_SCOPE)

export interface AccountDetails {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly icon: string | null
  readonly documentsMade: number
  readonly createdAt: Instant
  readonly hasProfile: boolean
  readonly sessions: number
  /** Is null if GitHub isn't connected. `gists` is true if the account allowed gists. */
  readonly gitHub: { readonly login: string | null; readonly gists: boolean } | null
  /** The providers of single sign-on that it's connected to: this server's, and those that it had before. */
  readonly singleSignOn: readonly { readonly issuer: string; readonly login: string | null }[]
}

interface DetailsRow extends Omit<AccountDetails, 'hasProfile' | 'gitHub' | 'singleSignOn'> {
  readonly hasProfile: number
  readonly scope: string | null
  readonly login: string | null
  readonly linked: number
  /** The accounts at providers of single sign-on, as JSON. */
  readonly singleSignOn: string
}

export async function findAccountDetails(
  db: Database,
  id: string,
  now: Instant,
): Promise<AccountDetails | null> {
  const row = await db.first<DetailsRow>([
    `SELECT u.id, u.username, u.email, u.icon, u.documents_made AS documentsMade, u.created_at AS createdAt,
        u.has_profile AS hasProfile,
        (SELECT count(*) FROM sessions WHERE user_id = u.id AND expires_at > ?2) AS sessions,
        l.scope, l.login, l.id IS NOT NULL AS linked,
        (SELECT json_group_array(json_object('issuer', provider_id, 'login', login))
          FROM linked_accounts WHERE user_id = u.id AND provider_id <> '${GITHUB}') AS singleSignOn
      FROM users u LEFT JOIN linked_accounts l ON l.user_id = u.id AND l.provider_id = '${GITHUB}'
      WHERE u.id = ?1`,
    id,
    now,
  ])
  if (!row) return null
  const { scope, login, linked, hasProfile, singleSignOn, ...details } = row
  const gitHub = linked === 1 ? { login, gists: hasGistScope(scope) } : null
  return { ...details, hasProfile: hasProfile === 1, gitHub, singleSignOn: JSON.parse(singleSignOn) }
}

/** @returns false if another account has this name or a similar one. */
export async function changeUsername(db: Database, id: string, username: string): Promise<boolean> {
  const saving = db.idempotentBatch([['UPDATE users SET username = ?2 WHERE id = ?1', id, username]])
  return (await unlessTaken(saving, null)) !== null
}

/** @param from the address when the change was requested: of two pending changes only the first takes effect. */
export async function changeEmail(
  db: Database,
  { id, from, to, claim }: { id: string; from: string; to: string; claim: LinkClaim },
): Promise<'taken' | 'outdated' | null> {
  const isClaimed = 'EXISTS (SELECT 1 FROM verifications WHERE identifier = ?3)'
  const saving = db.idempotentBatch([
    ...claim.statements,
    [`UPDATE users SET email = ?4 WHERE id = ?1 AND email = ?2 AND ${isClaimed}`, id, from, claim.mark, to],
    [`SELECT 1 FROM users WHERE id = ?1 AND email = ?2 AND ${isClaimed}`, id, to, claim.mark],
  ])
  const results = await unlessTaken(saving, null)
  if (results === null) return 'taken'
  return results.at(-1)?.length ? null : 'outdated'
}

type PublicProfile = Pick<AccountDetails, 'id' | 'username' | 'icon' | 'createdAt'>

/** Ignores case. Accounts that are suspended or being deleted have no page. */
export const publicProfile = (username: string): Query<PublicProfile | null> =>
  query(
    [
      `SELECT id, username, icon, created_at AS createdAt FROM users
        WHERE username = ?1 AND has_profile = 1 AND suspended_at IS NULL AND leaving IS NULL`,
      username,
    ],
    ([row]: PublicProfile[]) => row ?? null,
  )

export async function setProfilePage(db: Database, userId: string, hasProfile: boolean): Promise<void> {
  await db.idempotentBatch([['UPDATE users SET has_profile = ?2 WHERE id = ?1', userId, hasProfile ? 1 : 0]])
}

/** The members are named as the fields of the form. */
export function serializeDefaults(settings: FormSettings): string {
  const { language, expires, visibility, link, encryption } = settings
  const checkboxes = CHECKBOXES.map((name) => [name, settings[SETTINGS[name].property]] as const)
  const choices = { language, expires, visibility, link, encryption }
  return JSON.stringify({ ...choices, ...Object.fromEntries(checkboxes) })
}

/** Returns null if the account has none of its own. */
export async function findStoredDefaults(db: Database, userId: string): Promise<FormSettings | null> {
  const row = await db.first<{ defaults: string | null }>([
    'SELECT defaults FROM users WHERE id = ?1',
    userId,
  ])
  return row && row.defaults !== null ? parseDefaults(row.defaults) : null
}

export const findDefaults = async (db: Database, userId: string): Promise<FormSettings> =>
  (await findStoredDefaults(db, userId)) ?? SERVICE_DEFAULTS

export async function saveDefaults(db: Database, userId: string, defaults: FormSettings): Promise<void> {
  await db.idempotentBatch([
    ['UPDATE users SET defaults = ?2 WHERE id = ?1', userId, serializeDefaults(defaults)],
  ])
}

/** A 128-pixel picture takes about a tenth of this. */
const MAX_PICTURE_BYTES = 64 * 1024

/** Formats that browsers display and that can't contain scripts (unlike SVG). */
const MEDIA_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

const getProfilePicturePath = (userId: string, version: string): string => `/icons/${userId}/${version}`

/** Viewing our pages tells no other site about it. Ignores a picture that is missing or too large. */
export async function savePicture(db: Database, userId: string, url: string): Promise<void> {
  const address = new URL(url)
  address.searchParams.set('s', '128')
  const { status, headers, bytes } = await fetchGitHub(address.href, { accept: 'image/*' })
  const mediaType = headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (status !== 200 || !MEDIA_TYPES.has(mediaType) || bytes.byteLength > MAX_PICTURE_BYTES) return
  const version = (await sha256(`${mediaType}\n${encodeBase64Url(bytes)}`)).slice(0, 16)
  await db.idempotentBatch([
    [
      `INSERT INTO pictures (user_id, media_type, bytes, version)
        SELECT id, ?2, unhex(?3), ?4 FROM users WHERE id = ?1
        ON CONFLICT (user_id) DO UPDATE
          SET media_type = excluded.media_type, bytes = excluded.bytes, version = excluded.version`,
      userId,
      mediaType,
      encodeHex(bytes),
      version,
    ],
    ['UPDATE users SET icon = ?2 WHERE id = ?1', userId, getProfilePicturePath(userId, version)],
  ])
}

export async function findPicture(db: Database, userId: string, version: string) {
  const row = await db.first<{ media_type: string; hex: string }>([
    'SELECT media_type, hex(bytes) AS hex FROM pictures WHERE user_id = ?1 AND version = ?2',
    userId,
    version,
  ])
  return row && { mediaType: row.media_type, bytes: decodeHex(row.hex) }
}

export async function deletePicture(db: Database, userId: string): Promise<void> {
  await db.idempotentBatch([
    ['DELETE FROM pictures WHERE user_id = ?1', userId],
    ['UPDATE users SET icon = NULL WHERE id = ?1', userId],
  ])
}

/** @param provider `github`, or the issuer of OpenID Connect. */
export async function disconnectProvider(db: Database, id: string, provider: string): Promise<void> {
  await db.idempotentBatch([
    ['DELETE FROM linked_accounts WHERE user_id = ?1 AND provider_id = ?2', id, provider],
  ])
}
