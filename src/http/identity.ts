import { getCookie, getSignedCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { recordKeyUse } from '../accounts/api-keys.ts'
import { userOfKey, userOfSession } from '../accounts/find-user.ts'
import { includesScope, isApiKey, type KeyScope } from '../accounts/key-format.ts'
import { getMaxExpiryDays, type User } from '../accounts/user.ts'
import { type Document, holdsToken, isDocumentToken, type Viewer } from '../documents/document.ts'
import type { AppContext, AppEnv, UserEnv } from '../env.ts'
import {
  AppError,
  accountNotConfirmed,
  crossSiteForm,
  humanCheckNeeded,
  keyScopeTooSmall,
  signInRequired,
  unauthorized,
} from '../errors.ts'
import { answered, mapQuery, type Query, type Reads } from '../platform/database.ts'
import { looksLikeId } from '../shared/document-ids.ts'
import { hashSecret } from '../shared/hashing.ts'
import { DAY_MS, HOUR_MS, type Instant } from '../shared/instant.ts'
import {
  documentTokenCookie,
  documentTokenCookieName,
  expiredDocumentTokenCookie,
  sessionCookieName,
} from './cookies.ts'
import { readTextHeader } from './text-header.ts'

/** Parsing the address as a URL would take longer than the rest of the middleware. */
export const getOrigin = (url: string): string => url.slice(0, url.indexOf('/', url.indexOf('//') + 2))

/** Takes what a person shares from another app. */
export const SHARE_PATH = '/share'

/**
 * From `Origin` or `Sec-Fetch-Site`. Null without both, as with programs other than browsers. What a person shares from
 * another app comes from no site: browsers send the origin `null` with it, and say that it's `none`.
 */
export function isFromThisSite(c: AppContext): boolean | null {
  const origin = c.req.header('Origin')
  const site = c.req.header('Sec-Fetch-Site')
  if (origin === 'null' && site === 'none') return c.req.path === SHARE_PATH
  if (origin !== undefined) return origin === c.var.siteUrl || origin === getOrigin(c.req.url)
  return site === undefined ? null : site === 'same-origin' || site === 'none'
}

export const isSafe = (method: string): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/** A request that changes something must come from this site. */
export const mayUseSession = (c: AppContext): boolean => isSafe(c.req.method) || isFromThisSite(c) === true

/** @throws AppError `bad_auth` for a request that another site made. */
function refuseOtherSites(c: AppContext): void {
  if (!mayUseSession(c)) throw crossSiteForm()
}

export const requireThisSite = createMiddleware<AppEnv>(async (c, next) => {
  refuseOtherSites(c)
  await next()
})

export const HASTE_PATH = /^\/documents(?:\/|$)/

/**
 * Valid or not, with or without the scheme `Bearer`. Some scripts without a key send `null` or `undefined`, and haste clients
 * a name and password for a proxy.
 */
export function readApiKey(c: AppContext): string | undefined {
  const key = c.req
    .header('Authorization')
    ?.trim()
    .replace(/^bearer(?:\s+|$)/i, '')
  if (key === undefined || ['', 'null', 'undefined'].includes(key)) return undefined
  return HASTE_PATH.test(c.req.path) && /^basic\s/i.test(key) ? undefined : key
}

/** Valid or not. */
export const hasCredential = (c: AppContext): boolean => readApiKey(c) !== undefined || c.var.hasSessionCookie

/** Returns null without a cookie that this service signed. */
export async function readSessionToken(c: AppContext): Promise<string | null> {
  const { config, hasSessionCookie, siteUrl } = c.var
  if (!hasSessionCookie || config.authSecret === null) return null
  return (await getSignedCookie(c, config.authSecret, sessionCookieName(siteUrl))) || null
}

/** Such a request updates a document if there is one. Otherwise, it creates one with the last part of its path as the name. */
export const putsToDocument = ({ req: { method, path } }: AppContext): boolean =>
  method === 'PUT' && looksLikeId(path.slice(1).replace(/\/$/, ''))

/** Such a request creates or updates the document of that name. */
export const putsToName = ({ req: { method, path } }: AppContext): boolean =>
  method === 'PUT' && /^\/(?:@|%40)[^/]+%2F/i.test(path)

export const DOCUMENT_TOKEN_HEADER = 'X-Document-Token'

/** Right or wrong. Browsers send it in a cookie, which for changes counts from this site only, as a session does. */
export function readDocumentToken(c: AppContext): string | undefined {
  const sent = c.req.header(DOCUMENT_TOKEN_HEADER)?.trim()
  if (sent) return sent
  // Parsing the cookies of every read would take time for nothing.
  if (!c.req.header('Cookie')?.includes('regent.document_token=')) return undefined
  return (mayUseSession(c) && getCookie(c, documentTokenCookieName(c.var.siteUrl))) || undefined
}

/** Keeps the token of this request as long as the document now lasts. */
export function renewedDocumentTokenCookies(c: AppContext, document: Document, viewer: Viewer): string[] {
  const token = readDocumentToken(c)
  return token !== undefined && holdsToken(document, viewer) ? [documentTokenCookie(c, document, token)] : []
}

export const deletedDocumentTokenCookies = (c: AppContext, documentId: string): string[] =>
  readDocumentToken(c) === undefined ? [] : [expiredDocumentTokenCookie(c, documentId)]

export const readDocumentPassword = (c: AppContext, document: Document): string | undefined =>
  document.encrypted
    ? c.req.query('password') || readTextHeader(c, 'X-Document-Password') || undefined
    : undefined

export async function toViewer(c: AppContext, account: { readonly id: string } | null): Promise<Viewer> {
  const token = readDocumentToken(c)
  return {
    id: account?.id ?? null,
    tokenHash: token !== undefined && isDocumentToken(token) ? await hashSecret(token) : null,
  }
}

/** May take a query. */
export const findViewer = async (c: AppContext): Promise<Viewer> => toViewer(c, await c.var.identity.ask())

type Found = { readonly user: User; readonly scope: KeyScope } | 'invalid' | null

const getUser = (found: Found): User | null => (found === 'invalid' || found === null ? null : found.user)

const KEY_USE_INTERVAL_MS = HOUR_MS

function findByKey(c: AppContext, keyHash: string): Query<Found> {
  const { now, store } = c.var
  return mapQuery(userOfKey(keyHash, now), (found) => {
    if (!found) return 'invalid'
    if (found.lastUsedAt === null || found.lastUsedAt < now - KEY_USE_INTERVAL_MS) {
      store.defer(() => recordKeyUse(store.db, keyHash, now))
    }
    return found
  })
}

/** Two ways to look somebody up: by the API key or else the session, and by the session alone. */
interface Lookups {
  readonly any: Query<Found>
  readonly session: Query<Found>
}

async function prepareLookups(c: AppContext): Promise<Lookups> {
  const key = readApiKey(c)
  const token = mayUseSession(c) ? await readSessionToken(c) : null
  const session = token === null ? answered(null) : userOfSession(await hashSecret(token), c.var.now)
  if (key === undefined) return { any: session, session }
  return { any: isApiKey(key) ? findByKey(c, await hashSecret(key)) : answered('invalid'), session }
}

/** Looks up who makes a request, each way at most once. */
class Lookup {
  readonly #c: AppContext
  #lookups: Promise<Lookups> | null = null
  readonly #answers = new Map<Query<Found>, Promise<Found>>()

  constructor(c: AppContext) {
    this.#c = c
  }

  async find(way: keyof Lookups): Promise<Found> {
    const [found] = await this.findAlongside(way, answered(null))
    return found
  }

  async findAlongside<Result>(
    way: keyof Lookups,
    asked: Query<Result>,
  ): Promise<readonly [found: Found, result: Result]> {
    this.#lookups ??= prepareLookups(this.#c)
    const lookup = (await this.#lookups)[way]
    const known = this.#answers.get(lookup)
    const asking = this.#c.var.store.db.ask(known ? answered(null) : lookup, asked)
    const finding =
      known ??
      asking.then(async ([found]) => {
        const user = getUser(found)
        const { log, limitAccount } = this.#c.var
        if (user && log) log.accountId = user.id
        await limitAccount?.(user)
        return found
      })
    this.#answers.set(lookup, finding)
    const [found, [, result]] = await Promise.all([finding, asking])
    return [found, result]
  }
}

/** @throws AppError if the credential is invalid, or doesn't allow that much. */
function authorize(found: Found, needed: KeyScope): User | null {
  if (found === 'invalid') throw unauthorized()
  if (found && !includesScope(found.scope, needed)) throw keyScopeTooSmall(found.scope, needed)
  return found?.user ?? null
}

interface AuthorOptions {
  /** The error where only people with an account may create documents. */
  readonly refuse?: () => AppError
  /** The caller itself checks that a person sends the request. Otherwise nobody without an account can show it. */
  readonly checksHuman?: boolean
}

/**
 * Decides who may create a document, for every front end, before anything is stored. Null without an account.
 *
 * @throws AppError for an invalid credential or a key that may only read, what `refuse` returns, and
 * `human_check_needed` if people without an account have to use the site's form.
 */
export async function requireAuthor(
  c: AppContext,
  { refuse = unauthorized, checksHuman = false }: AuthorOptions = {},
): Promise<User | null> {
  const { config, identity } = c.var
  const user = await identity.require()
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

/** Without an account, the options are those that the site offers. */
export function authorizeOptions(
  c: AppContext,
  user: User | null,
  options: { readonly public?: boolean | undefined; readonly name?: string | null | undefined },
  expiresAt: Instant,
): void {
  const { config, now } = c.var
  const maxDays = getMaxExpiryDays(user, config.anonymousSettings)
  const tooLong = maxDays !== null && expiresAt > now + maxDays * DAY_MS
  const needsAccount = (options.public || options.name) && !user?.confirmed
  if (!tooLong && !needsAccount) return
  if (user) throw accountNotConfirmed()
  throw keyNeeded(
    tooLong
      ? `Without an account, documents last up to ${maxDays} days.`
      : `Only documents of accounts can ${options.public ? 'be public' : 'have a name'}.`,
  )
}

/** Makes no query before somebody asks. */
export const identify = createMiddleware<AppEnv>(async (c, next) => {
  const lookup = new Lookup(c)
  const cookies = c.req.header('Cookie')
  const usual: KeyScope = isSafe(c.req.method) ? 'read' : 'write'
  c.set('hasSessionCookie', cookies?.includes(`${sessionCookieName(c.var.siteUrl)}=`) ?? false)
  c.set('identity', {
    require: async (needed = usual) => authorize(await lookup.find('any'), needed),
    ask: async () => getUser(await lookup.find('any')),
    session: async () => getUser(await lookup.find('session')),
    alongside: async (asked, as) => {
      const [found, result] = await lookup.findAlongside(as === 'session' ? 'session' : 'any', asked)
      return [as === 'require' ? authorize(found, usual) : getUser(found), result]
    },
  })
  await next()
})

/** Refuses a request without a valid credential, before its body is read. */
export const requireUser = createMiddleware<UserEnv>(async (c, next) => {
  const user = await c.var.identity.require()
  if (!user) throw unauthorized()
  c.set('user', user)
  await next()
})

/** Refuses a request without a credential or document token, valid or not, before its body is read. */
export const requireCredential = createMiddleware<AppEnv>(async (c, next) => {
  if (!hasCredential(c) && readDocumentToken(c) === undefined) throw unauthorized()
  await next()
})

export interface Asked<Result> {
  readonly user: User | null
  readonly viewer: Viewer
  readonly found: Result
}

interface AskOptions {
  /** See `Identity`. By default, an invalid credential is like none. */
  readonly as?: 'require' | 'ask' | 'session'
  /** Where to read if nobody has to be looked up. By default from the primary. */
  readonly from?: Reads
}

/** Asks both in one round trip: the database may be far away. */
export async function askAlongside<Result>(
  c: AppContext,
  asked: Query<Result>,
  { as = 'ask', from = c.var.store.db }: AskOptions = {},
): Promise<Asked<Result>> {
  if (!hasCredential(c)) {
    const [found] = await from.ask(asked)
    return { user: null, viewer: await toViewer(c, null), found }
  }
  const [user, found] = await c.var.identity.alongside(asked, as)
  return { user, viewer: await toViewer(c, user), found }
}

/**
 * The caller checks a document token against the document.
 *
 * @throws AppError `unauthorized`, and `bad_auth` for a key that may only read.
 */
export async function requireViewer<Result>(c: AppContext, asked: Query<Result>): Promise<Asked<Result>> {
  const answer = await askAlongside(c, asked, { as: 'require' })
  if (!answer.user && readDocumentToken(c) === undefined) throw unauthorized()
  return answer
}

/** Checks a request before it's known who makes it, but reports an invalid credential first. */
export async function checkBeforeAsking<Result>(
  check: () => Result | Promise<Result>,
  authorize: () => Promise<unknown>,
): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    await authorize()
    throw error
  }
}

/** An API key is not enough: it could create more keys or delete the account. @throws SignInRequired. */
export async function requireSessionUser(c: AppContext): Promise<User> {
  refuseOtherSites(c)
  const user = await c.var.identity.session()
  if (!user) throw signInRequired()
  return user
}

export const requireSession = createMiddleware<UserEnv>(async (c, next) => {
  c.set('user', await requireSessionUser(c))
  await next()
})

/** Like `requireSessionUser`, and reads what the request asks for in the same round trip. */
export async function requireSessionAlongside<Result>(
  c: AppContext,
  asked: Query<Result>,
): Promise<{ readonly user: User; readonly found: Result }> {
  refuseOtherSites(c)
  const { user, found } = await askAlongside(c, asked, { as: 'session' })
  if (!user) throw signInRequired()
  return { user, found }
}

/** The user is null if only a document token was sent. */
export type Manager = Pick<Asked<unknown>, 'user' | 'viewer'>

/**
 * Like `requireSessionAlongside`, or with a document token, which the caller checks against the document.
 *
 * @throws SignInRequired, and `bad_auth` for a change that another site asks for.
 */
export async function requireManager<Result>(c: AppContext, asked: Query<Result>): Promise<Asked<Result>> {
  refuseOtherSites(c)
  const answer = await askAlongside(c, asked, { as: 'session' })
  if (!answer.user && readDocumentToken(c) === undefined) throw signInRequired()
  return answer
}
