import type { Document } from '../documents/model/document.ts'
import type { AppContext } from '../env.ts'

/**
 * The password that a reader offers by query or header; an empty one is none, and one for a document
 * that is not encrypted is not even looked at.
 */
export const offeredPassword = (c: AppContext, document: Document): string | undefined =>
  document.encrypted ? c.req.query('password') || c.req.header('X-Document-Password') || undefined : undefined
