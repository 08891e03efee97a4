import { createMiddleware } from 'hono/factory'
import { authorizeKey } from '../../accounts/authorization.ts'
import { sessionCookieName } from '../../accounts/cookie-names.ts'
import { findUserByKeyHash, findUserBySession } from '../../accounts/find-user.ts'
import { hashSecret } from '../../accounts/hashing.ts'
import { recordKeyUse } from '../../accounts/keys/api-keys.ts'
import { isApiKey } from '../../accounts/keys/key-format.ts'
import type { KeyScope } from '../../accounts/keys/key-scope.ts'
import type { User } from '../../accounts/user.ts'
import type { AppContext, AppEnv, UserEnv } from '../../env.ts'
import { unauthorized } from '../../errors.ts'
import { isSafe, mayUseSession } from '../origin-check.ts'
import { hasCredential, readApiKey } from './credential.ts'
import { readDocumentToken } from './document-token.ts'
import { readSessionToken } from './session-cookie.ts'

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
const KEY_USE_INTERVAL_MS = 60 * 60_000

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
