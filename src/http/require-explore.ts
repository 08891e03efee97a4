import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../env.ts'
import { routeNotFound } from '../errors.ts'

/** Answers 404 if the operator has switched public lists off. */
export const requireExplore = createMiddleware<AppEnv>((c, next) => {
  if (!c.var.config.explore) throw routeNotFound()
  return next()
})
