import { type Issue, invalidQuery } from '../errors.ts'
import { listQuery, safeParse } from './schemas.ts'

/** Returns the query of a list. Throws `bad_request`. */
export function parseListQuery(query: Readonly<Record<string, readonly string[]>>) {
  const values = Object.entries(query).map(([name, all]) => [name, all.length === 1 ? all[0] : all])
  const result = safeParse(listQuery, Object.fromEntries(values))
  if (!result.success) throw invalidQuery(...(result.error.issues as readonly Issue[]))
  return result.data
}
