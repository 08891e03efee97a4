import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../env.ts'
import { signInNeeded } from '../errors.ts'
import { requireThisSite } from './origin-check.ts'

/**
 * Lets only those through who are signed in; then `user` is who makes the request. A key does not do: it would
 * make further keys, and delete its account. Whatever changes something must come from a page of this site.
 * Throws what the site answers by leading to the sign-in.
 */
export const requireSession = createMiddleware<AppEnv>((c, next) =>
  requireThisSite(c, async () => {
    const user = await c.var.identity.session()
    if (!user) throw signInNeeded()
    c.set('user', user)
    await next()
  }).then(() => undefined),
)
