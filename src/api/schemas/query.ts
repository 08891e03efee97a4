import { zValidator } from '@hono/zod-validator'
import { type Issue, invalidQuery } from '../../errors.ts'
import { listQuery } from './schemas.ts'

/** Validates the query of a list. Handlers get it from `c.req.valid('query')`. Throws `bad_request`. */
export const validateListQuery = zValidator('query', listQuery, (result) => {
  if (!result.success) throw invalidQuery(...(result.error.issues as readonly Issue[]))
})
