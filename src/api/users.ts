import { type Context, Hono } from 'hono'
import { replaceKey } from '../accounts/api-keys.ts'
import { findOwnProfile, findProfile } from '../accounts/find-user.ts'
import { isUsername } from '../accounts/user.ts'
import { searchProfiles } from '../accounts/usernames.ts'
import { addEditors, type ListedDocument, listDocuments } from '../documents/lists.ts'
import type { AppEnv, UserEnv } from '../env.ts'
import { unauthorized, userNotFound } from '../errors.ts'
import { toJson } from '../http/answers.ts'
import { askAccount, NOTHING, readApiKey, requireUser } from '../http/identity.ts'
import { limitListSearches, limitSearches } from '../http/limits.ts'
import { MAX_EDITORS } from '../shared/settings.ts'
import { loadSchemas, type Schemas } from './json-bodies.ts'
import { jsonResponse, success, toCreatorBody, toListedBodies } from './responses.ts'

/** Keeps an account's own data out of every cache. */
const headers = { 'Cache-Control': 'no-store' }

const RECENT_DOCUMENTS = 10

const validListQuery: Schemas['validateListQuery'] = async (c, next) =>
  (await loadSchemas()).validateListQuery(c, next)

const FOUND_USERS = 10

/** @throws AppError `unauthorized` if the account was deleted in the meantime. */
async function findOwnBody({ var: { siteUrl, store, user } }: Context<UserEnv>) {
  const profile = await findOwnProfile(store.db, user.id)
  if (!profile) throw unauthorized()
  return { ...toCreatorBody(profile, siteUrl), email: profile.email, confirmed: profile.confirmed }
}

/** An isolate has 128 MiB, and the answer is in memory several times. */
const MAX_RECENT_BYTES = 8 * 1024 * 1024

/**
 * Old clients expect them. Reading in a list counts no view and burns nothing. A content that would make the answer too
 * large is null.
 */
async function readContents(
  { var: { memory, store } }: Context<UserEnv>,
  documents: readonly ListedDocument[],
): Promise<(string | null)[]> {
  let bytes = 0
  const shown = documents.map(({ contentBytes }) => {
    if (bytes + contentBytes > MAX_RECENT_BYTES) return false
    bytes += contentBytes
    return true
  })
  await memory.reserveForAnswer(bytes, { encrypted: false })
  return Promise.all(
    documents.map(({ contentKey, updatedAt }, index) =>
      shown[index] ? store.contents.get(contentKey, { storedAt: updatedAt, cache: false }) : null,
    ),
  )
}

async function answerRecent(c: Context<UserEnv>): Promise<Response> {
  const { now, store, user } = c.var
  const list = await listDocuments(store, user, { limit: RECENT_DOCUMENTS, now })
  // No other page follows this one, so its editors may take as many rows as a search.
  const page = await addEditors(store.db, list, RECENT_DOCUMENTS * MAX_EDITORS)
  const listed = toListedBodies(c, page)
  if (!c.var.config.legacyClients) return jsonResponse(c, success(listed), { headers })
  const contents = await readContents(c, page.documents)
  const json = toJson((write) =>
    success(
      listed.map((body, index) => {
        const content = contents[index] ?? null
        return { ...body, content: content === null ? null : write(content) }
      }),
    ),
  )
  return jsonResponse(c, json, { headers })
}

export const users = new Hono<AppEnv>()
  .get('/@me', requireUser, async (c) => jsonResponse(c, success(await findOwnBody(c)), { headers }))
  .get('/@me/recent', requireUser, limitSearches, answerRecent)
  // Old clients ask for it.
  .get('/@me/recentDocuments', requireUser, limitSearches, answerRecent)
  .get('/@me/documents', requireUser, limitListSearches, validListQuery, async (c) => {
    const { now, store, user } = c.var
    const { shared, ...query } = c.req.valid('query')
    const scope = shared ? 'shared' : 'created'
    const page = await addEditors(store.db, await listDocuments(store, user, { scope, ...query, now }))
    const body = { documents: toListedBodies(c, page), cursor: page.cursor }
    return jsonResponse(c, success(body), { headers })
  })
  .post('/@me/regenerate_api_token', requireUser, async (c) => {
    // Replaces the key that this request was made with. A session has none.
    const key = readApiKey(c)
    if (key === undefined) throw unauthorized()
    await askAccount(c, NOTHING, 'everything')
    const own = await findOwnBody(c)
    const api_token = await replaceKey(c.var.store.db, key, c.var.now)
    if (api_token === null) throw unauthorized()
    return jsonResponse(c, success({ ...own, api_token }), { headers })
  })
  .get('/search/:prefix', requireUser, limitSearches, async (c) => {
    const { siteUrl, store } = c.var
    const profiles = await searchProfiles(store.db, c.req.param('prefix'), FOUND_USERS)
    const found = profiles.map((profile) => toCreatorBody(profile, siteUrl))
    return jsonResponse(c, success(found), { headers })
  })
  .get('/:username', async (c) => {
    const { siteUrl, store } = c.var
    const username = c.req.param('username')
    const profile = isUsername(username) ? await findProfile(store.db, username) : null
    if (!profile) throw userNotFound()
    return jsonResponse(c, success(toCreatorBody(profile, siteUrl)), {
      headers: { 'Cache-Control': 'no-cache' },
    })
  })
