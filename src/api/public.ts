import { Hono } from 'hono'
import type { AppEnv } from '../env.ts'
import { limitListSearches } from '../http/limits/limit-requests.ts'
import { getReads } from '../http/nearest-copy.ts'
import { requireExplore } from '../http/require-explore.ts'
import { jsonResponse, success, toListedBodies } from './responses.ts'

/** Loads Zod, which reading a document doesn't need. */
const validPublicQuery: typeof import('./schemas/query.ts').validatePublicQuery = async (c, next) =>
  (await import('./schemas/query.ts')).validatePublicQuery(c, next)

/** Loads what reading a document doesn't need. */
const loadList = () => import('../documents/list-public.ts')

/** A document that is deleted must be gone from the next answer. */
const headers = { 'Cache-Control': 'no-cache' }

/** The documents that everyone may find. */
export const publicDocuments = new Hono<AppEnv>().get(
  '/',
  requireExplore,
  limitListSearches,
  validPublicQuery,
  async (c) => {
    const { listPublicDocuments } = await loadList()
    const { documents, cursor } = await listPublicDocuments(getReads(c), {
      ...c.req.valid('query'),
      now: c.var.now,
    })
    return jsonResponse(c, success({ documents: toListedBodies(c, documents), cursor }), { headers })
  },
)
