import { Hono } from 'hono'
import type { Document } from '../documents/document.ts'
import type { Revision } from '../documents/revisions.lazy.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { documentNotFound } from '../errors.ts'
import { checkIfMatch } from '../http/conditional-requests.ts'
import { readDocumentPassword } from '../http/cookies.ts'
import { askAlongside, requireViewer } from '../http/identity.ts'
import { limitAttempts } from '../http/limits.ts'
import type { RevisionBody } from './response-schemas.ts'
import { documentResponse, jsonResponse, success } from './responses.ts'

const loadRevisions = () => import('../documents/revisions.lazy.ts')

const headers = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }

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
    const { found } = await askAlongside(c, (viewer) =>
      listRevisions(store, c.req.param('id'), { viewer, now }),
    )
    const { revisions } = await found
    return jsonResponse(c, success({ revisions: revisions.map(toRevisionBody) }), { headers })
  })
  .delete('/:id/revisions', async (c) => {
    const { now, store } = c.var
    const { deleteRevisions } = await loadRevisions()
    const { found } = await requireViewer(c, (viewer) =>
      deleteRevisions(store, c.req.param('id'), { viewer, now }),
    )
    await found
    return jsonResponse(c, null, { status: 204 })
  })
  .get('/:id/revisions/:number', async (c) => {
    const { now, store } = c.var
    const id = c.req.param('id')
    const number = parseNumber(c)
    const { findRevision, readRevision } = await loadRevisions()
    if (c.req.method === 'HEAD') {
      await (await askAlongside(c, (viewer) => findRevision(store, id, number, { viewer, now }))).found
      return jsonResponse(c, {}, { headers })
    }
    const getPassword = async (document: Document) => {
      const password = readDocumentPassword(c, document)
      if (password !== undefined) await limitAttempts(c, document.id)
      return password
    }
    const { found } = await askAlongside(c, (viewer) =>
      readRevision(store, id, number, { viewer, now, getPassword }),
    )
    const { revision, content } = await found
    const { language } = revision
    return jsonResponse(c, success({ ...toRevisionBody(revision), language, content }), { headers })
  })
  .post('/:id/revisions/:number/restore', async (c) => {
    const { now, store } = c.var
    const id = c.req.param('id')
    const checkPrecondition = checkIfMatch(c.req.header('If-Match'))
    const password = c.req.header('X-Document-Password') || undefined
    if (password !== undefined) await limitAttempts(c, id)
    const { restoreRevision } = await loadRevisions()
    const { found } = await requireViewer(c, (viewer) =>
      restoreRevision(store, id, parseNumber(c), { viewer, now, checkPrecondition, password }),
    )
    const restored = await found
    return documentResponse(c, { ...restored, views: store.views.current(id, restored.document.views) })
  })
