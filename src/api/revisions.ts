import { Hono } from 'hono'
import type { Document } from '../documents/document.ts'
import type { Revision } from '../documents/revisions.ts'
import {
  deleteRevisions,
  documentWithRevisions,
  readRevision,
  requireRevision,
  requireRevisions,
  restoreRevision,
} from '../documents/revisions.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { documentNotFound } from '../errors.ts'
import { checkIfMatch, toJson } from '../http/answers.ts'
import {
  askAccount,
  askViewer,
  CLAIM_TOKEN_HEADER,
  checkBeforeAsking,
  NOTHING,
  readDocumentPassword,
  requireManager,
} from '../http/identity.ts'
import { limitAttempts } from '../http/limits.ts'
import { readTextHeader } from '../platform/requests.ts'
import { formatIsoTime } from '../shared/format.ts'
import type { RevisionBody } from './response-schemas.ts'
import { documentResponse, jsonResponse, success } from './responses.ts'

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
  created_at: formatIsoTime(createdAt),
  current,
})

export const revisions = new Hono<AppEnv>()
  .get('/:id/revisions', async (c) => {
    const { viewer, found } = await askViewer(c, documentWithRevisions(c.req.param('id'), c.var.now))
    const { revisions } = requireRevisions(found, viewer)
    return jsonResponse(c, success({ revisions: revisions.map(toRevisionBody) }), { headers })
  })
  .delete('/:id/revisions', async (c) => {
    const { viewer, found } = await requireManager(c, documentWithRevisions(c.req.param('id'), c.var.now))
    await deleteRevisions(c.var.store, requireRevisions(found, viewer), viewer)
    return jsonResponse(c, null, { status: 204 })
  })
  .get('/:id/revisions/:number', async (c) => {
    const { now, store } = c.var
    const number = parseNumber(c)
    const { viewer, found } = await askViewer(c, documentWithRevisions(c.req.param('id'), now, number))
    const { document, revision } = requireRevision(found, viewer)
    if (c.req.method === 'HEAD') return jsonResponse(c, {}, { headers })
    const getPassword = async (document: Document) => {
      const password = readDocumentPassword(c, document)
      if (password !== undefined) await limitAttempts(c, document.id)
      return password
    }
    const content = await readRevision(store, { document, revision }, { viewer, now, getPassword })
    const { language } = revision
    const json = toJson((write) =>
      success({ ...toRevisionBody(revision), language, content: write(content) }),
    )
    return jsonResponse(c, json, { headers })
  })
  .post('/:id/revisions/:number/restore', async (c) => {
    const { now, store } = c.var
    const checkPrecondition = checkIfMatch(c.req.header('If-Match'))
    const password = readTextHeader(c.req, 'X-Document-Password') || undefined
    const claimToken = c.req.header(CLAIM_TOKEN_HEADER) || undefined
    const number = await checkBeforeAsking(
      () => parseNumber(c),
      () => askAccount(c, NOTHING),
    )
    const asked = documentWithRevisions(c.req.param('id'), now, number)
    const { viewer, found } = await requireManager(c, asked)
    const revision = requireRevision(found, viewer)
    if (password !== undefined || claimToken !== undefined) await limitAttempts(c, revision.document.id)
    const proof = { password, claimToken }
    const restored = await restoreRevision(store, revision, { viewer, now, checkPrecondition, ...proof })
    const { id, views } = restored.document
    return documentResponse(c, { ...restored, views: store.views.current(id, views) })
  })
