import { customAlphabet } from 'nanoid'
import { DEFAULT_EXPIRY_DAYS } from '../shared/expiry.ts'

/** The id appears in the URLs of account pictures. */
export const generateUserId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 20)

export interface User {
  readonly id: string
  readonly username: string
  readonly confirmed: boolean
  /** A bit field, see `schema.sql`. */
  readonly flags: number
}

export const ADMIN_FLAG = 8

/** The name of the provider in `linked_accounts`. */
export const GITHUB = 'github'

/**
 * Returns how many days a user's document may last, on the site and for programs such as curl. Null means that only the
 * limit for all documents applies.
 */
export const getMaxExpiryDays = (
  user: Pick<User, 'confirmed'> | null,
  anonymousSettings: string,
): number | null => (user?.confirmed || anonymousSettings === 'allow' ? null : DEFAULT_EXPIRY_DAYS)

export const isAdmin = (user: User): boolean => (user.flags & ADMIN_FLAG) !== 0

/** Tells whether a text has the form of a username. Usernames that differ only in case are the same. */
export const isUsername = (candidate: string): boolean => /^[A-Za-z0-9_-]{3,30}$/.test(candidate)

/** They suggest authority, or are those of pages and routes. The operator can assign them, from the command line. */
const RESERVED_NAMES = [
  'abuse admin admins administrator contact help legal mail mod moderator moderators mods noreply official operator',
  'postmaster regent root security staff support system team webmaster',
  'about account api assets device docs documents explore health icons llms mcp moderation privacy public raw robots',
  'settings oembed share signin signout signup site sitemap sitemappages skill terms theme',
].flatMap((names) => names.split(' '))

/** Characters that look alike, in the order of the index `users_by_look` in `schema.sql`. */
const LOOKALIKES = [
  ['0', 'o'],
  ['1', 'l'],
  ['i', 'l'],
  ['_', '-'],
  ['rn', 'm'],
  ['vv', 'w'],
] as const

export const toLookalikeKey = (username: string): string =>
  LOOKALIKES.reduce((look, [from, to]) => look.replaceAll(from, to), username.toLowerCase())

/** The expression of the index `users_by_look`, or SQLite wouldn't use the index. */
export const toLookalikeSql = (value: string): string =>
  LOOKALIKES.reduce((sql, [from, to]) => `replace(${sql}, '${from}', '${to}')`, `lower(${value})`)

const RESERVED_LOOKALIKES = new Set(RESERVED_NAMES.map(toLookalikeKey))

/** A reserved name may have a number at the end. */
export const isReserved = (username: string): boolean =>
  [username, username.replace(/(?<![-_])[-_]*(?<!\d)\d+$/, '')].some((name) =>
    RESERVED_LOOKALIKES.has(toLookalikeKey(name).replaceAll('-', '')),
  )

/** Failed attempts after which a gist is left on GitHub. With backoff, they take half a day. */
const MAX_GIST_ATTEMPTS = 10

/**
 * Cascades to everything that refers to the account. The row stays while the account has documents, or gists of deleted
 * documents that its token can still delete. The command line runs this too, with an SQL expression for the account.
 */
export const finishDeletionStatement = (account: string): string =>
  `DELETE FROM users WHERE id = ${account} AND leaving IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM documents WHERE creator_id = users.id)
    AND NOT EXISTS (
      SELECT 1 FROM gists
      WHERE user_id = users.id AND refusal IS NULL AND attempts < ${MAX_GIST_ATTEMPTS}
        AND document_id NOT IN (SELECT id FROM documents WHERE id = gists.document_id))`
