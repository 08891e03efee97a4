import type { Document } from '../documents/model/document.ts'
import { requireDocument } from '../documents/read.ts'
import type { AppContext } from '../env.ts'

/**
 * Returns the document that a request reads, without its content.
 *
 * @throws AppError `not_found` when there is none.
 */
export const findDocumentToRead = (c: AppContext, id: string): Promise<Document> =>
  requireDocument(c.var.store, id, c.var.now)
