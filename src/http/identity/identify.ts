import { createMiddleware } from 'hono/factory'
import { authorizeKey } from '../../accounts/authorization.ts'
import { sessionCookieName } from '../../accounts/cookie-names.ts'
import { findUserByKeyHash, findUserBySession } from '../../accounts/find-user.ts'
import { hashSecret } from '../../accounts/hashing.ts'
import { recordKeyUse } from '../../accounts/keys/api-keys.ts'
import { isApiKey } from '../../accounts/keys/key-format.ts'
import type { KeyScope } from '../../accounts/keys/key-scope.ts'
import type { User } from '../../accounts/user.ts'
import type { AppContext, AppEnv, UserEnv, ViewerEnv } from '../../env.ts'
import { unauthorized } from '../../errors.ts'
import { isSafe, mayUseSession } from '../origin-check.ts'
import { readApiKey } from './credential.ts'
import { readDocumentToken, toViewer } from './document-token.ts'
import { readSessionToken } from './session-cookie.ts'

/** Who makes a request, and what their credential allows; `invalid` for an invalid API key. */
type Found = { readonly user: User; readonly scope: KeyScope } | 'invalid' | null

/** A session may do everything. */
const toFound = (user: User | null): Found => user && { user, scope: 'everything' }

/** Sets `identity` and `hasSessionCookie`. Makes no query before somebody asks. */
export const identify = createMiddleware<AppEnv>(async (c, next) => {
  let answer: Promise<Found> | undefined
  let signedIn: Promise<User | null> | undefined
  const session = () => {
    signedIn ??= findSessionUser(c)
    return signedIn
  }
  const find = () => {
    const key = readApiKey(c)
    answer ??= key === undefined ? session().then(toFound) : findKeyUser(c, key)
    return answer
  }
  const cookies = c.req.header('Cookie')
  c.set('hasSessionCookie', cookies?.includes(`${sessionCookieName(c.var.siteUrl)}=`) ?? false)
  c.set('identity', {
    require: async (needed = isSafe(c.req.method) ? 'read' : 'write') => {
      const found = await find()
      if (found === 'invalid') throw unauthorized()
      if (found) authorizeKey(found.scope, needed)
      return found?.user ?? null
    },
    ask: async () => {
      const found = await find()
      return found === 'invalid' || found === null ? null : found.user
    },
    session,
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
 * Refuses a request with neither a valid credential nor a document token, before its body is read, and sets `viewer` and
 * `user`. The handler checks the token against the document.
 */
export const requireViewer = createMiddleware<ViewerEnv>(async (c, next) => {
  const user = await c.var.identity.require()
  if (!user && readDocumentToken(c) === undefined) throw unauthorized()
  c.set('user', user)
  c.set('viewer', await toViewer(c, user))
  await next()
})

/** How precisely the last use of a key is recorded. */
const KEY_USE_INTERVAL_MS = 60 * 60_000

async function findKeyUser(c: AppContext, key: string): Promise<Found> {
  if (!isApiKey(key)) return 'invalid'
  const { now, store } = c.var
  const keyHash = await hashSecret(key)
  const found = await findUserByKeyHash(store.db, keyHash, now)
  if (!found) return 'invalid'
  if (found.lastUsedAt === null || found.lastUsedAt < now - KEY_USE_INTERVAL_MS) {
    store.defer(() => recordKeyUse(store.db, keyHash, now))
  }
  return found
}

async function findSessionUser(c: AppContext): Promise<User | null> {
  if (!mayUseSession(c)) return null
  const token = await readSessionToken(c)
  if (token === null) return null
  return findUserBySession(c.var.store.db, await hashSecret(token), c.var.now)
}
