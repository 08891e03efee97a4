import { Hono } from 'hono'
import type { Revision } from '../documents/revisions/revisions.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { documentNotFound } from '../errors.ts'
import { checkIfMatch } from '../http/answers/conditional-requests.ts'
import { readDocumentPassword } from '../http/identity/document-password.ts'
import { findViewer } from '../http/identity/document-token.ts'
import { requireViewer } from '../http/identity/identify.ts'
import { limitAttempts } from '../http/limits/delivery.ts'
import { documentResponse, jsonResponse, success } from './responses.ts'
import type { RevisionBody } from './schemas/response-schemas.ts'

/** Loads what few requests need. */
const loadRevisions = () => import('../documents/revisions/revisions.ts')

const headers = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }

/** Returns the number of a revision in a path. Throws `not_found` if it can't be one. */
function parseNumber(c: AppContext): number {
  const digits = c.req.param('number') ?? ''
  if (!/^[1-9]\d{0,14}$/.test(digits)) throw documentNotFound()
  return Number(digits)
}

const toRevisionBody = ({ number, author, bytes, createdAt, current }: Revision): RevisionBody => ({
  number,
  author,
  size: bytes,
  created_at: new Date(createdAt).toISOString(),
  current,
})

export const revisions = new Hono<AppEnv>()
  .get('/:id/revisions', async (c) => {
    const { now, store } = c.var
    const { listRevisions } = await loadRevisions()
    const found = await listRevisions(store, c.req.param('id'), { viewer: await findViewer(c), now })
    return jsonResponse(c, success({ revisions: found.revisions.map(toRevisionBody) }), { headers })
  })
  .delete('/:id/revisions', requireViewer, async (c) => {
    const { now, store, viewer } = c.var
    const { deleteRevisions } = await loadRevisions()
    await deleteRevisions(store, c.req.param('id'), { viewer, now })
    return jsonResponse(c, null, { status: 204 })
  })
  .get('/:id/revisions/:number', async (c) => {
    const { now, store } = c.var
    const id = c.req.param('id')
    const number = parseNumber(c)
    const viewer = await findViewer(c)
    const { findRevision, readRevision } = await loadRevisions()
    if (c.req.method === 'HEAD') {
      await findRevision(store, id, number, { viewer, now })
      return jsonResponse(c, {}, { headers })
    }
    const { revision, content } = await readRevision(store, id, number, {
      viewer,
      now,
      getPassword: async (document) => {
        const password = readDocumentPassword(c, document)
        if (password !== undefined) await limitAttempts(c, document.id)
        return password
      },
    })
    const { language } = revision
    return jsonResponse(c, success({ ...toRevisionBody(revision), language, content }), { headers })
  })
  .post('/:id/revisions/:number/restore', requireViewer, async (c) => {
    const { now, store, viewer } = c.var
    const id = c.req.param('id')
    const number = parseNumber(c)
    const checkPrecondition = checkIfMatch(c.req.header('If-Match'))
    const password = c.req.header('X-Document-Password') || undefined
    if (password !== undefined) await limitAttempts(c, id)
    const { restoreRevision } = await loadRevisions()
    const restored = await restoreRevision(store, id, number, { viewer, now, checkPrecondition, password })
    return documentResponse(c, { ...restored, views: store.views.current(id, restored.document.views) })
  })
