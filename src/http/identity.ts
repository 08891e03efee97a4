import { getCookie, getSignedCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { recordKeyUse } from '../accounts/api-keys.ts'
import { selectUserByKey, selectUserBySession } from '../accounts/find-user.ts'
import { includesScope, isApiKey, type KeyScope } from '../accounts/key-format.ts'
import type { User } from '../accounts/user.ts'
import { type Document, holdsToken, isDocumentToken, type Viewer } from '../documents/document.ts'
import {
  type AppContext,
  type AppEnv,
  type FoundAccount,
  getVariable,
  type Identity,
  type UserEnv,
} from '../env.ts'
import { crossSiteForm, keyScopeTooSmall, signInRequired, unauthorized } from '../errors.ts'
import { answered, mapQuery, type Query, type Reads } from '../platform/database.ts'
import { readTextHeader } from '../platform/requests.ts'
import { hashSecret } from '../shared/hashing.ts'
import { HOUR_MS } from '../shared/instant.ts'
import {
  documentTokenCookie,
  documentTokenCookieName,
  expiredDocumentTokenCookie,
  sessionCookieName,
} from './cookies.ts'
import { isHastePath, isSharePath } from './paths.ts'

/** Parsing the address as a URL would take longer than the rest of the middleware. */
export const getOrigin = (url: string): string => url.slice(0, url.indexOf('/', url.indexOf('//') + 2))

/**
 * Tells by `Origin` or `Sec-Fetch-Site` whether this site made the browser send the request. Returns null without both,
 * as with programs other than browsers. What a person shares from another app comes from no site: browsers send the
 * origin `null` with it, and say that it's `none`.
 */
export function isFromThisSite(c: AppContext): boolean | null {
  const origin = c.req.header('Origin')
  const site = c.req.header('Sec-Fetch-Site')
  if (origin === 'null' && site === 'none') return isSharePath(c.req)
  if (origin !== undefined) return origin === c.var.siteUrl || origin === getOrigin(c.req.url)
  return site === undefined ? null : site === 'same-origin' || site === 'none'
}

export const isSafe = (method: string): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/** A request that changes something must come from this site. */
const mayUseSession = (c: AppContext): boolean => isSafe(c.req.method) || isFromThisSite(c) === true

/** @throws AppError `bad_auth` for a request that another site made. */
function refuseOtherSites(c: AppContext): void {
  if (!mayUseSession(c)) throw crossSiteForm()
}

export const requireThisSite = createMiddleware<AppEnv>(async (c, next) => {
  refuseOtherSites(c)
  await next()
})

/**
 * Returns the API key that was sent, valid or not, with or without the scheme `Bearer`. Some scripts without a key send
 * `null` or `undefined`, and haste clients a name and password for a proxy.
 */
export function readApiKey(c: AppContext): string | undefined {
  const key = c.req
    .header('Authorization')
    ?.trim()
    .replace(/^bearer(?:\s+|$)/i, '')
  if (key === undefined || ['', 'null', 'undefined'].includes(key)) return undefined
  return isHastePath(c.req) && /^basic\s/i.test(key) ? undefined : key
}

/** Tells whether the request has an API key or a session cookie, valid or not. */
export const hasCredential = (c: AppContext): boolean =>
  readApiKey(c) !== undefined || getVariable(c, 'hasSessionCookie')

/** Returns null without a cookie that this service signed. */
export async function readSessionToken(c: AppContext): Promise<string | null> {
  const { config, hasSessionCookie, siteUrl } = c.var
  if (!hasSessionCookie || config.authSecret === null) return null
  return (await getSignedCookie(c, config.authSecret, sessionCookieName(siteUrl))) || null
}

export const DOCUMENT_TOKEN_HEADER = 'X-Document-Token'

/** Proves the password of an encrypted document to a request without a body. */
export const CLAIM_TOKEN_HEADER = 'X-Claim-Token'

/**
 * Returns the document token that was sent, right or wrong. Browsers send it in a cookie, which for changes counts from
 * this site only, as a session does.
 */
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
    ? c.req.query('password') || readTextHeader(c.req, 'X-Document-Password') || undefined
    : undefined

async function toViewer(c: AppContext, account: User | null): Promise<Viewer> {
  const token = readDocumentToken(c)
  return {
    id: account?.id ?? null,
    tokenHash: token !== undefined && isDocumentToken(token) ? await hashSecret(token) : null,
  }
}

const getUser = (found: FoundAccount): User | null =>
  found === 'invalid' || found === null ? null : found.user

const KEY_USE_INTERVAL_MS = HOUR_MS

function findByKey(c: AppContext, keyHash: string): Query<FoundAccount> {
  const { now, store } = c.var
  return mapQuery(selectUserByKey(keyHash, now), (found) => {
    if (!found) return 'invalid'
    if (found.lastUsedAt === null || found.lastUsedAt < now - KEY_USE_INTERVAL_MS) {
      store.defer(() => recordKeyUse(store.db, keyHash, now))
    }
    return found
  })
}

/** A query that asks for nothing else, if only the account matters. */
export const NOTHING = answered(null)

type Way = Parameters<Identity['find']>[0]

async function prepareLookups(c: AppContext): Promise<Readonly<Record<Way, Query<FoundAccount>>>> {
  const key = readApiKey(c)
  const token = mayUseSession(c) ? await readSessionToken(c) : null
  const session = token === null ? NOTHING : selectUserBySession(await hashSecret(token), c.var.now)
  if (key === undefined) return { credential: session, session }
  return { credential: isApiKey(key) ? findByKey(c, await hashSecret(key)) : answered('invalid'), session }
}

/** Looks up who makes a request, each way at most once. */
class Lookup implements Identity {
  readonly #c: AppContext
  #lookups: ReturnType<typeof prepareLookups> | null = null
  readonly #answers = new Map<Query<FoundAccount>, Promise<FoundAccount>>()

  constructor(c: AppContext) {
    this.#c = c
  }

  async find<Result>(by: Way, also: Query<Result>): Promise<readonly [found: FoundAccount, result: Result]> {
    this.#lookups ??= prepareLookups(this.#c)
    const lookup = (await this.#lookups)[by]
    const known = this.#answers.get(lookup)
    const asking = this.#c.var.store.db.ask(known ? NOTHING : lookup, also)
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

/** Makes no query before somebody asks. */
export const identify = createMiddleware<AppEnv>(async (c, next) => {
  const cookies = c.req.header('Cookie')
  c.set('hasSessionCookie', cookies?.includes(`${sessionCookieName(c.var.siteUrl)}=`) ?? false)
  c.set('identity', new Lookup(c))
  await next()
})

/** The account that asks, and the answer to another query in the same round trip: the database may be far away. */
interface Answer<Result> {
  /** Is null without an account. */
  readonly user: User | null
  readonly viewer: Viewer
  readonly found: Result
}

async function ask<Result>(c: AppContext, by: Way, also: Query<Result>, from?: Reads) {
  const [account, found] = hasCredential(c)
    ? await getVariable(c, 'identity').find(by, also)
    : ([null, ...(await (from ?? getVariable(c, 'store').db).ask(also))] as const)
  const user = getUser(account)
  return { account, user, viewer: await toViewer(c, user), found }
}

// There are four ways to ask who asks, each together with `also`, which is asked in the same round trip:
// - the viewer reads. An invalid key counts as none.
// - the account acts, by its key or its session. An invalid key is an error.
// - the session is that of the site, where a key doesn't count.
// - the manager changes a document, by an account or by the token of the document.

export const askViewer = <Result>(c: AppContext, also: Query<Result>): Promise<Answer<Result>> =>
  ask(c, 'credential', also)

/**
 * @param scope what the key must allow: by default `write` for a request that changes something, and otherwise `read`.
 * @throws AppError `unauthorized` for an invalid key, `bad_auth` for a key with less.
 */
export async function askAccount<Result>(
  c: AppContext,
  also: Query<Result>,
  scope: KeyScope = isSafe(c.req.method) ? 'read' : 'write',
): Promise<Answer<Result>> {
  const { account, ...answer } = await ask(c, 'credential', also)
  if (account === 'invalid') throw unauthorized()
  if (account && !includesScope(account.scope, scope)) throw keyScopeTooSmall(account.scope, scope)
  return answer
}

/**
 * A change that another site asks for has no session.
 *
 * @param from where to read if nobody has to be looked up: by default, the primary.
 */
export const askSession = <Result>(
  c: AppContext,
  also: Query<Result>,
  from?: Reads,
): Promise<Answer<Result>> => ask(c, 'session', also, from)

/** The user is null if only a document token was sent, which the caller checks against the document. */
export type Manager = Pick<Answer<unknown>, 'user' | 'viewer'>

/**
 * @throws AppError what `askAccount` throws, and `unauthorized` without either. With `session`, SignInRequired instead, and
 * `bad_auth` for a change that another site asks for.
 */
export async function requireManager<Result>(
  c: AppContext,
  also: Query<Result>,
  by: 'account' | 'session' = 'account',
): Promise<Answer<Result>> {
  if (by === 'session') refuseOtherSites(c)
  const answer = await (by === 'session' ? askSession : askAccount)(c, also)
  if (!answer.user && readDocumentToken(c) === undefined)
    throw by === 'session' ? signInRequired() : unauthorized()
  return answer
}

/** Refuses a request without a valid credential, before its body is read. */
export const requireUser = createMiddleware<UserEnv>(async (c, next) => {
  const { user } = await askAccount(c, NOTHING)
  if (!user) throw unauthorized()
  c.set('user', user)
  await next()
})

/**
 * Checks a request before it's known who makes it, which the caller asks together with something else. An invalid credential is
 * reported before what `check` throws.
 */
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
export async function requireSessionUser<Result>(
  c: AppContext,
  also: Query<Result>,
): Promise<{ readonly user: User; readonly found: Result }> {
  refuseOtherSites(c)
  const { user, found } = await askSession(c, also)
  if (!user) throw signInRequired()
  return { user, found }
}

export const requireSession = createMiddleware<UserEnv>(async (c, next) => {
  c.set('user', (await requireSessionUser(c, NOTHING)).user)
  await next()
})
