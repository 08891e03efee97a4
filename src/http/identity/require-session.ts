import { createMiddleware } from 'hono/factory'
import type { User } from '../../accounts/user.ts'
import type { Viewer } from '../../documents/model/document.ts'
import type { AppContext, UserEnv } from '../../env.ts'
import { signInRequired } from '../../errors.ts'
import { refuseOtherSites } from '../origin-check.ts'
import { askAlongside } from './ask-alongside.ts'
import { readDocumentToken } from './document-token.ts'

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
