import { createMiddleware } from 'hono/factory'
import { recordKeyUse } from '../accounts/api-keys.ts'
import { authorizeKey } from '../accounts/authorization.ts'
import { sessionCookieName } from '../accounts/cookie-names.ts'
import { findUserByKeyHash, findUserBySession } from '../accounts/find-user.ts'
import { isApiKey, type KeyScope } from '../accounts/key-format.ts'
import type { User } from '../accounts/user.ts'
import type { Viewer } from '../documents/document.ts'
import type { AppContext, AppEnv, Identity, UserEnv } from '../env.ts'
import { signInRequired, unauthorized } from '../errors.ts'
import { hashSecret } from '../shared/hashing.ts'
import { HOUR_MS } from '../shared/instant.ts'
import { readDocumentToken, readSessionToken, toViewer } from './cookies.ts'
import { isSafe, mayUseSession, refuseOtherSites } from './origin.ts'

/**
 * Returns the API key that a request sends, valid or not, or undefined if it sends none. The key may follow the scheme
 * `Bearer`. Some scripts without a key send `null` or `undefined` instead, which counts as no key.
 */
export function readApiKey(c: AppContext): string | undefined {
  const key = c.req
    .header('Authorization')
    ?.trim()
    .replace(/^bearer(?:\s+|$)/i, '')
  return key === '' || key === 'null' || key === 'undefined' ? undefined : key
}

/** Returns true if a request has an API key or a session cookie, valid or not. */
export const hasCredential = (c: AppContext): boolean => readApiKey(c) !== undefined || c.var.hasSessionCookie

/** Who makes a request, and what their credential allows; `invalid` for an invalid API key. */
type Found = { readonly user: User; readonly scope: KeyScope } | 'invalid' | null

/** A session may do everything. */
const toFound = (user: User | null): Found => user && { user, scope: 'everything' }

const getUser = (found: Found): User | null => (found === 'invalid' || found === null ? null : found.user)

/** The hashes that the credentials of a request are found by; null without one. */
interface Hashes {
  readonly key: string | 'invalid' | null
  readonly session: string | null
}

async function hashCredentials(c: AppContext): Promise<Hashes> {
  const key = readApiKey(c)
  const token = mayUseSession(c) ? await readSessionToken(c) : null
  return {
    key: key === undefined ? null : isApiKey(key) ? await hashSecret(key) : 'invalid',
    session: token && (await hashSecret(token)),
  }
}

/** Looks up who makes a request, each way at most once. */
class Lookup {
  readonly #c: AppContext
  #hashes: Hashes | null = null
  #user: Promise<Found> | null = null
  #session: Promise<User | null> | null = null

  constructor(c: AppContext) {
    this.#c = c
  }

  /** From then on, the others start their queries at once. */
  async prepare(): Promise<Hashes> {
    this.#hashes ??= await hashCredentials(this.#c)
    return this.#hashes
  }

  /** Returns the account of the API key, or else that of the session. */
  find(): Promise<Found> {
    this.#user ??= this.#start(async ({ key }) =>
      key === null ? toFound(await this.findBySession()) : this.#limit(await findKeyUser(this.#c, key)),
    )
    return this.#user
  }

  findBySession(): Promise<User | null> {
    this.#session ??= this.#start(async ({ session }) => {
      const { now, store } = this.#c.var
      const user = session && (await findUserBySession(store.db, session, now))
      return getUser(await this.#limit(toFound(user || null)))
    })
    return this.#session
  }

  #start<Result>(look: (hashes: Hashes) => Promise<Result>): Promise<Result> {
    return this.#hashes ? look(this.#hashes) : this.prepare().then(look)
  }

  async #limit(found: Found): Promise<Found> {
    await this.#c.var.limitAccount?.(getUser(found))
    return found
  }
}

/** Sets `identity` and `hasSessionCookie`. Makes no query before somebody asks. */
export const identify = createMiddleware<AppEnv>(async (c, next) => {
  const lookup = new Lookup(c)
  const cookies = c.req.header('Cookie')
  c.set('hasSessionCookie', cookies?.includes(`${sessionCookieName(c.var.siteUrl)}=`) ?? false)
  c.set('identity', {
    prepare: async () => {
      await lookup.prepare()
    },
    require: async (needed = isSafe(c.req.method) ? 'read' : 'write') => {
      const found = await lookup.find()
      if (found === 'invalid') throw unauthorized()
      if (found) authorizeKey(found.scope, needed)
      return found?.user ?? null
    },
    ask: async () => getUser(await lookup.find()),
    session: () => lookup.findBySession(),
  })
  await next()
})

/** Refuses a request without a valid credential, before its body is read, and sets `user`. */
export const requireUser = createMiddleware<UserEnv>(async (c, next) => {
  const user = await c.var.identity.require()
  if (!user) throw unauthorized()
  c.set('user', user)
  await next()
})

/**
 * Refuses a request that sends neither a credential nor a document token, valid or not, before its body is read. The
 * handler looks them up.
 */
export const requireCredential = createMiddleware<AppEnv>(async (c, next) => {
  if (!hasCredential(c) && readDocumentToken(c) === undefined) throw unauthorized()
  await next()
})

/** How precisely the last use of a key is recorded. */
const KEY_USE_INTERVAL_MS = HOUR_MS

async function findKeyUser(c: AppContext, keyHash: string): Promise<Found> {
  if (keyHash === 'invalid') return 'invalid'
  const { now, store } = c.var
  const found = await findUserByKeyHash(store.db, keyHash, now)
  if (!found) return 'invalid'
  if (found.lastUsedAt === null || found.lastUsedAt < now - KEY_USE_INTERVAL_MS) {
    store.defer(() => recordKeyUse(store.db, keyHash, now))
  }
  return found
}

/** Who makes a request, and what was read together with that. */
interface AskedAlongside<Found> {
  /** The account; null without one. */
  readonly user: User | null
  readonly viewer: Viewer
  /** Fails if the read failed: after the checks that need only the viewer. */
  readonly found: Promise<Found>
}

/**
 * Looks up who makes a request, and reads what it asks for, in one round trip. The database may be far away.
 *
 * @param read starts its read at once, before it waits for the viewer.
 * @param ask how to look up the account. By default it needs no valid credential.
 * @throws what `ask` throws, whatever becomes of the read.
 */
export async function askAlongside<Found>(
  c: AppContext,
  read: (viewer: Promise<Viewer>) => Promise<Found>,
  ask: (identity: Identity) => Promise<User | null> = (identity) => identity.ask(),
): Promise<AskedAlongside<Found>> {
  const { identity, store } = c.var
  const begin = () => {
    const asking = hasCredential(c) ? ask(identity) : Promise.resolve(null)
    const viewer = asking.then((user) => toViewer(c, user))
    const found = (async () => read(viewer))()
    // If several fail, only the first one is reported.
    for (const promise of [asking, viewer, found]) promise.catch(() => {})
    return { asking, viewer, found }
  }
  if (hasCredential(c)) await identity.prepare()
  const { asking, viewer, found } = hasCredential(c) ? store.db.together(begin) : begin()
  return { user: await asking, viewer: await viewer, found }
}

/**
 * Looks up who changes something, with a valid credential or a document token, which the caller checks against the
 * document. Reads what the request asks for in the same round trip.
 *
 * @throws AppError `unauthorized`, and `bad_auth` for a key that may only read.
 */
export async function requireViewer<Found>(
  c: AppContext,
  read: (viewer: Promise<Viewer>) => Promise<Found>,
): Promise<AskedAlongside<Found>> {
  const asked = await askAlongside(c, read, (identity) => identity.require())
  if (!asked.user && readDocumentToken(c) === undefined) throw unauthorized()
  return asked
}

/**
 * Checks a request before it's known who makes it. If the check fails, an invalid credential is reported first.
 *
 * @param authorize throws for an invalid credential.
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

/**
 * Returns the signed-in account. An API key is not enough: it could create more keys or delete the account.
 * A request that changes something must come from a page of this site.
 *
 * @throws SignInRequired, which the site answers with a redirect to the sign-in page.
 */
export async function requireSessionUser(c: AppContext): Promise<User> {
  refuseOtherSites(c)
  const user = await c.var.identity.session()
  if (!user) throw signInRequired()
  return user
}

/** Lets only signed-in users through and sets `user`. See `requireSessionUser`. */
export const requireSession = createMiddleware<UserEnv>(async (c, next) => {
  c.set('user', await requireSessionUser(c))
  await next()
})

/** Like `requireSessionUser`, and reads what the request asks for in the same round trip. */
export async function requireSessionAlongside<Found>(
  c: AppContext,
  read: () => Promise<Found>,
): Promise<{ readonly user: User; readonly found: Promise<Found> }> {
  refuseOtherSites(c)
  const { user, found } = await askAlongside(c, read, (identity) => identity.session())
  if (!user) throw signInRequired()
  return { user, found }
}

/** Who manages a document on its pages. */
export interface Manager {
  /** The signed-in account; null if only a document token was sent. */
  readonly user: User | null
  readonly viewer: Viewer
}

/**
 * Returns the signed-in account, or null for somebody who sent only a document token, and reads what the request asks for
 * in the same round trip. The caller checks the token against the document.
 *
 * @throws SignInRequired, and `bad_auth` for a change that another site asks for.
 */
export async function requireManager<Found>(
  c: AppContext,
  read: () => Promise<Found>,
): Promise<Manager & { readonly found: Promise<Found> }> {
  refuseOtherSites(c)
  const asked = await askAlongside(c, read, (identity) => identity.session())
  if (!asked.user && readDocumentToken(c) === undefined) throw signInRequired()
  return asked
}
