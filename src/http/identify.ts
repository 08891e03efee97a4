import type { Context } from 'hono'
import { getSignedCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { findUserByKeyHash, findUserBySession } from '../accounts/find-user.ts'
import { hashSecret } from '../accounts/hashing.ts'
import { recordKeyUse } from '../accounts/keys/api-keys.ts'
import { isApiKey } from '../accounts/keys/key-format.ts'
import { sessionCookieName } from '../accounts/sessions.ts'
import type { User } from '../accounts/user.ts'
import type { AppEnv } from '../env.ts'
import { unauthorized } from '../errors.ts'
import { mayUseSession } from './origin-check.ts'

/** Who makes a request, found out when first asked: most reads never ask, and save the query. */
export interface Identity {
  /** The account of the key or the session; null without one. Throws `unauthorized` for a key that is not valid. */
  readonly require: () => Promise<User | null>
  /** The same, where a key that is not valid is as good as none. */
  readonly ask: () => Promise<User | null>
  /** The account of the session alone: a key that comes along counts for nothing. */
  readonly session: () => Promise<User | null>
}

export const identify = createMiddleware<AppEnv>(async (c, next) => {
  let answer: Promise<User | 'invalid' | null> | undefined
  let signedIn: Promise<User | null> | undefined
  const session = () => {
    signedIn ??= findSessionUser(c)
    return signedIn
  }
  const find = () => {
    const key = c.req.header('Authorization')?.trim()
    answer ??= key ? findKeyUser(c, key) : session()
    return answer
  }
  const cookies = c.req.header('Cookie')
  c.set('hasSessionCookie', cookies?.includes(`${sessionCookieName(c.get('siteUrl'))}=`) ?? false)
  c.set('identity', {
    require: async () => {
      const user = await find()
      if (user === 'invalid') throw unauthorized()
      return user
    },
    ask: async () => {
      const user = await find()
      return user === 'invalid' ? null : user
    },
    session,
  })
  await next()
})

/** Refuses whoever has no valid credential, before the body is looked at; then `user` is who makes the request. */
export const requireUser = createMiddleware<AppEnv>(async (c, next) => {
  const user = await c.var.identity.require()
  if (!user) throw unauthorized()
  c.set('user', user)
  await next()
})

/** How often the use of a key is written down. */
const KEY_USE_MS = 60 * 60_000

async function findKeyUser(c: Context<AppEnv>, key: string): Promise<User | 'invalid'> {
  if (!isApiKey(key)) return 'invalid'
  const { now, store } = c.var
  const keyHash = await hashSecret(key)
  const found = await findUserByKeyHash(store.db, keyHash)
  if (!found) return 'invalid'
  if (found.lastUsedAt === null || found.lastUsedAt < now - KEY_USE_MS) {
    store.defer(() => recordKeyUse(store.db, keyHash, now))
  }
  return found.user
}

/** The session's token, if its cookie is there and signed by this service. */
export async function sessionToken(c: Context<AppEnv>): Promise<string | null> {
  const { authSecret } = c.get('config')
  if (!c.get('hasSessionCookie') || authSecret === null) return null
  return (await getSignedCookie(c, authSecret, sessionCookieName(c.get('siteUrl')))) || null
}

async function findSessionUser(c: Context<AppEnv>): Promise<User | null> {
  if (!mayUseSession(c)) return null
  const token = await sessionToken(c)
  if (token === null) return null
  return findUserBySession(c.get('store').db, await hashSecret(token), c.get('now'))
}
