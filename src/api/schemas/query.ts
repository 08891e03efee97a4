import { zValidator } from '@hono/zod-validator'
import { type Issue, invalidQuery } from '../../errors.ts'
import { listQuery, publicQuery } from './schemas.ts'

type Result = { success: true } | { success: false; error: { readonly issues: readonly unknown[] } }

function refuseInvalid(result: Result): void {
  if (!result.success) throw invalidQuery(...(result.error.issues as readonly Issue[]))
}

/** Validates the query of a list. Handlers get it from `c.req.valid('query')`. Throws `bad_request`. */
export const validateListQuery = zValidator('query', listQuery, refuseInvalid)

/** Validates the query of the public list. Throws `bad_request`. */
export const validatePublicQuery = zValidator('query', publicQuery, refuseInvalid)
