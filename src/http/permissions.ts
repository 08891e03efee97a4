import { getMaxExpiryDays, type User } from '../accounts/user.ts'
import type { Config } from '../config.ts'
import type { NewDocument } from '../documents/create.ts'
import { type AppContext, getVariable } from '../env.ts'
import { AppError, accountNotConfirmed, humanCheckNeeded, unauthorized } from '../errors.ts'
import { DEFAULT_EXPIRY_DAYS } from '../shared/expiry.ts'
import { DAY_MS, type Instant } from '../shared/instant.ts'
import { askAccount, NOTHING } from './identity.ts'

interface AuthorOptions {
  /** The error where only people with an account may create documents. */
  readonly refuse?: () => AppError
  /** The caller itself checks that a person sends the request. Otherwise nobody without an account can show it. */
  readonly checksHuman?: boolean
}

/**
 * Decides who may create a document, for every front end, before anything is stored. Returns null for people without an
 * account.
 *
 * @throws AppError for an invalid credential or a key that may only read, what `refuse` returns, and `human_check_needed`
 * if people without an account have to use the site's form.
 */
export async function requireAuthor(
  c: AppContext,
  { refuse = unauthorized, checksHuman = false }: AuthorOptions = {},
): Promise<User | null> {
  const config = getVariable(c, 'config')
  const { user } = await askAccount(c, NOTHING)
  if (!user && config.anonymousDocuments === 'refuse') throw refuse()
  if (!user && config.abuse.turnstile && !checksHuman) throw humanCheckNeeded()
  return user
}

/** @throws AppError `unauthorized` or `bad_auth`: settings take a confirmed account. */
export function authorizeSettings(user: User | null, used: boolean): void {
  if (!used) return
  if (!user) throw unauthorized()
  if (!user.confirmed) throw accountNotConfirmed()
}

export const keyNeeded = (what: string) =>
  new AppError('unauthorized', `${what} Send an API key in the header Authorization`)

/** Tells programs that only people with an account may create documents. */
export const keyNeededToCreate = () =>
  keyNeeded('On this server, only people with an account can create documents.')

type DocumentOptions = Pick<NewDocument, 'expiresAt'> &
  Partial<Pick<NewDocument, 'public' | 'name' | 'editors' | 'gist'>>

/** Returns the first of the options that take a confirmed account wherever documents are created, or null. */
export function findAccountOption(
  user: User | null,
  { expiresAt, public: isPublic, name, editors = [], gist }: DocumentOptions,
  { config, now }: { readonly config: Pick<Config, 'anonymousSettings'>; readonly now: Instant },
): keyof DocumentOptions | null {
  if (user?.confirmed) return null
  const maxDays = getMaxExpiryDays(user, config.anonymousSettings)
  if (maxDays !== null && expiresAt > now + maxDays * DAY_MS) return 'expiresAt'
  if (isPublic) return 'public'
  if (name) return 'name'
  if (editors.length > 0) return 'editors'
  return gist ? 'gist' : null
}

/** Refuses a program's options that take a confirmed account. */
export function authorizeOptions(c: AppContext, user: User | null, options: DocumentOptions): void {
  const option = findAccountOption(user, options, c.var)
  if (option === null) return
  if (user) throw accountNotConfirmed()
  throw keyNeeded(
    option === 'expiresAt'
      ? `Without an account, documents last up to ${DEFAULT_EXPIRY_DAYS} days.`
      : `Only documents of accounts can ${option === 'public' ? 'be public' : 'have a name'}.`,
  )
}
