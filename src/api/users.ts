import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import { findOwnProfile, findProfile } from '../accounts/find-user.ts'
import { replaceKey } from '../accounts/keys/api-keys.ts'
import { isUsername } from '../accounts/user.ts'
import { listDocuments } from '../documents/list.ts'
import type { Document } from '../documents/model/document.ts'
import type { AppContext, AppEnv, UserEnv } from '../env.ts'
import { type Issue, invalidQuery, unauthorized, userNotFound } from '../errors.ts'
import { requireUser } from '../http/identify.ts'
import { answer, creatorBody, listedBody, success } from './respond.ts'
import { listQuery } from './schemas.ts'

/** What an account is told about itself is for nobody else's cache. */
const headers = { 'Cache-Control': 'no-store' }

/** Documents that `@me/recent` answers. */
const RECENT = 10

/** The account as it sees itself. Throws `unauthorized` when it is gone meanwhile. */
async function ownBody({ var: { siteUrl, store, user } }: Context<UserEnv>) {
  const profile = await findOwnProfile(store.db, user.id)
  if (!profile) throw unauthorized()
  return { ...creatorBody(profile, siteUrl), email: profile.email, confirmed: profile.confirmed }
}

const listedBodies = ({ var: { siteUrl, store } }: AppContext, documents: readonly Document[]) =>
  documents.map((document) =>
    listedBody(document, { views: store.views.current(document.id, document.views), siteUrl }),
  )

export const users = new Hono<AppEnv>()
  .get('/@me', requireUser, async (c) => answer(c, success(await ownBody(c)), { headers }))
  .get('/@me/recent', requireUser, async (c) => {
    const { now, store, user } = c.var
    const { documents } = await listDocuments(store, user, { limit: RECENT, now })
    return answer(c, success(listedBodies(c, documents)), { headers })
  })
  .get(
    '/@me/documents',
    requireUser,
    zValidator('query', listQuery, (result) => {
      if (!result.success) throw invalidQuery(...(result.error.issues as readonly Issue[]))
    }),
    async (c) => {
      const { now, store, user } = c.var
      const { shared, ...query } = c.req.valid('query')
      const scope = shared ? 'shared' : 'created'
      const { documents, cursor } = await listDocuments(store, user, { scope, ...query, now })
      return answer(c, success({ documents: listedBodies(c, documents), cursor }), { headers })
    },
  )
  .post('/@me/regenerate_api_token', requireUser, async (c) => {
    // It is the key that made the call which is replaced; a session alone has none.
    const key = c.req.header('Authorization')?.trim()
    if (!key) throw unauthorized()
    const own = await ownBody(c)
    const api_token = await replaceKey(c.var.store.db, key)
    if (api_token === null) throw unauthorized()
    return answer(c, success({ ...own, api_token }), { headers })
  })
  .get('/:username', async (c) => {
    const { siteUrl, store } = c.var
    const username = c.req.param('username')
    const profile = isUsername(username) ? await findProfile(store.db, username) : null
    if (!profile) throw userNotFound()
    return answer(c, success(creatorBody(profile, siteUrl)), { headers: { 'Cache-Control': 'no-cache' } })
  })
