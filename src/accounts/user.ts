import { customAlphabet } from 'nanoid'

/** A new account id. It stands in addresses of pictures, so it looks like nothing but an id. */
export const generateUserId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 20)

/** An account as far as a request needs it. */
export interface User {
  readonly id: string
  readonly username: string
  /** Whether the e-mail address is proven. */
  readonly confirmed: boolean
  /** Bit field, see `schema.sql`. */
  readonly flags: number
}

/** What everybody may know of an account. */
export interface Profile {
  readonly id: string
  readonly username: string
  /** Bit field, see `schema.sql`. */
  readonly flags: number
  /** Address of the account's own picture, a path where this site serves it; null: the site draws one. */
  readonly icon: string | null
  /** Documents ever created, deleted ones included. */
  readonly documentsMade: number
}

/** What an account may know of itself. */
export interface OwnProfile extends Profile {
  readonly email: string
  /** Whether the e-mail address is proven. */
  readonly confirmed: boolean
}

export const ADMIN = 8

/** Whether the account may remove what others made. */
export const isAdmin = (user: User): boolean => (user.flags & ADMIN) !== 0

/** 3 to 30 letters, digits, `_` and `-`; unique without case. */
export const isUsername = (candidate: string): boolean => /^[A-Za-z0-9_-]{3,30}$/.test(candidate)

/** Names that speak for the service. Only the operator gives them away, from the command line. */
const RESERVED =
  'abuse admin admins administrator help mail mod moderator moderators mods official operator postmaster regent root security staff support system webmaster'.split(
    ' ',
  )

/** What names that look alike have in common, as the index `users_by_look` of `schema.sql` has it. */
const lookOf = (username: string): string =>
  username
    .toLowerCase()
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll('i', 'l')
    .replaceAll('_', '-')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')

const RESERVED_LOOKS = new Set(RESERVED.map(lookOf))

/** Whether a username is, or looks like, one that speaks for the service, with a number behind it or without. */
export const isReserved = (username: string): boolean =>
  [username, username.replace(/[-_]*\d+$/, '')].some((name) =>
    RESERVED_LOOKS.has(lookOf(name).replaceAll('-', '')),
  )
