import type { Document } from '../../documents/model/document.ts'
import type { AppContext } from '../../env.ts'

/** Returns the password in the query or the header of a request for an encrypted document; undefined without one. */
export const readDocumentPassword = (c: AppContext, document: Document): string | undefined =>
  document.encrypted ? c.req.query('password') || c.req.header('X-Document-Password') || undefined : undefined
