import type { Env, Hono, Schema } from 'hono'
import { methodNotAllowed } from '../../errors.ts'

/** What Hono calls the method of middleware, and of routes that take every method. */
const ANY_METHOD = 'ALL'

/** Returns the value of `Allow` for these methods. Hono answers HEAD wherever it answers GET. */
const formatAllow = (methods: readonly string[]): string =>
  [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].join(', ')

/**
 * Answers 405 with `Allow` at every path of these routes, for the methods that the path has no route for. Call it
 * once all routes are registered. A path that another group of routes matches too, such as `/:id`, must be mounted
 * after this group, or it would answer first.
 *
 * @example
 * export const home = rejectOtherMethods(new Hono<AppEnv>().get('/', showForm).post('/', createDocument))
 */
export function rejectOtherMethods<E extends Env, S extends Schema, BasePath extends string>(
  routes: Hono<E, S, BasePath>,
): Hono<E, S, BasePath> {
  const methodsByPath = Map.groupBy(
    routes.routes.filter(({ method }) => method !== ANY_METHOD),
    ({ path }) => path,
  )
  for (const [path, registered] of methodsByPath) {
    const allow = formatAllow(registered.map(({ method }) => method))
    routes.all(path, () => {
      throw methodNotAllowed(allow)
    })
  }
  return routes
}
