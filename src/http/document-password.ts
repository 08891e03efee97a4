import type { Context } from 'hono'
import type { Document } from '../documents/model/document.ts'
import type { AppEnv } from '../env.ts'

/**
 * The password that a reader offers by query or header; an empty one is none, and one for a document
 * that is not encrypted is not even looked at.
 */
export const offeredPassword = (c: Context<AppEnv>, document: Document): string | undefined =>
  document.encrypted ? c.req.query('password') || c.req.header('X-Document-Password') || undefined : undefined
