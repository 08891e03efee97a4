import type { Operation } from '../operation.ts'
import { CLAIM_OPERATIONS } from './document-claims.ts'
import { CHECK_DOCUMENT, READ_DOCUMENT } from './document-reads.ts'
import { REVISION_OPERATIONS } from './document-revisions.ts'
import { CREATE_DOCUMENT, DELETE_DOCUMENT, EDIT_DOCUMENT } from './document-writes.ts'

/** In the order of the reference. */
export const DOCUMENT_OPERATIONS: readonly Operation[] = [
  CREATE_DOCUMENT,
  EDIT_DOCUMENT,
  READ_DOCUMENT,
  CHECK_DOCUMENT,
  DELETE_DOCUMENT,
  ...CLAIM_OPERATIONS,
  ...REVISION_OPERATIONS,
]
