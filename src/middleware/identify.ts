import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { hashApiKey, isApiKey } from '../accounts/api-keys.ts'
import { findUserByKeyHash } from '../accounts/rows.ts'
import type { User } from '../accounts/user.ts'
import type { AppEnv } from '../env.ts'
import { unauthorized } from '../errors.ts'

/** Who makes a request, found out when first asked: most reads never ask, and save the query. */
export interface Identity {
  /** The account of the credential; null without one. Throws `unauthorized` for one that is not valid. */
  readonly require: () => Promise<User | null>
  /** The same, where a credential that is not valid is as good as none. */
  readonly ask: () => Promise<User | null>
}

export const identify = createMiddleware<AppEnv>(async (c, next) => {
  let answer: Promise<User | 'invalid' | null> | undefined
  const find = () => {
    answer ??= findCredential(c)
    return answer
  }
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

async function findCredential(c: Context<AppEnv>): Promise<User | 'invalid' | null> {
  const credential = c.req.header('Authorization')?.trim()
  if (!credential) return null
  if (!isApiKey(credential)) return 'invalid'
  return (await findUserByKeyHash(c.var.store.db, await hashApiKey(credential))) ?? 'invalid'
}
