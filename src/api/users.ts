import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { listDocuments } from '../documents/list.ts'
import type { AppEnv } from '../env.ts'
import { type Issue, invalidQuery, methodNotAllowed } from '../errors.ts'
import { requireUser } from '../middleware/identify.ts'
import { answer, documentBody, success } from './respond.ts'
import { listQuery } from './schemas.ts'

export const users = new Hono<AppEnv>()
  .get(
    '/@me/documents',
    requireUser,
    zValidator('query', listQuery, (result) => {
      if (!result.success) throw invalidQuery(...(result.error.issues as readonly Issue[]))
    }),
    async (c) => {
      const { now, siteUrl, store, user } = c.var
      const { cursor, limit } = c.req.valid('query')
      const page = await listDocuments(store, user, { cursor, limit, now })
      const documents = page.documents.map((document) =>
        documentBody(document, { views: store.views.current(document.id, document.views), siteUrl }),
      )
      return answer(c, success({ documents, cursor: page.cursor }), {
        headers: { 'Cache-Control': 'no-store' },
      })
    },
  )
  .all('/@me/documents', () => {
    throw methodNotAllowed('GET, HEAD')
  })
