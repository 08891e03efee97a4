import { zValidator } from '@hono/zod-validator'
import type { $ZodType } from 'zod/v4/core'
import { type Issue, invalidQuery } from '../errors.ts'

/** Validates the query parameters. Handlers get them from `c.req.valid('query')`. Throws `bad_request`. */
export const validQuery = <Schema extends $ZodType>(schema: Schema) =>
  zValidator('query', schema, (result) => {
    if (!result.success) throw invalidQuery(...(result.error.issues as readonly Issue[]))
  })
