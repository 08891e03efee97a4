import { createMiddleware } from 'hono/factory'
import type { AppContext, AppEnv } from '../env.ts'
import { routeNotFound, signInRequired, unauthorized } from '../errors.ts'
import { wantsText } from './answers.ts'
import { askAccount, askViewer, NOTHING, readDocumentToken } from './identity.ts'
import { isApi, isForPrograms, isOpenToAnyone, mayCreate, takesToken } from './paths.ts'

const refuse = (c: AppContext) => (isForPrograms(c.req) || wantsText(c) ? unauthorized() : signInRequired())

/** A cache that many people share may not keep what only accounts may read. */
function keepFromSharedCaches({ headers }: Response): void {
  const directives = headers.get('Cache-Control') ?? 'no-cache'
  if (/\b(?:private|no-store)\b/.test(directives)) return
  headers.set('Cache-Control', `private, ${directives.replace(/\bpublic,\s*/, '')}`)
}

/**
 * Lets only accounts pass where only accounts may read. It comes before everything that looks for a document: nobody
 * else learns which there are. It makes a query before the one for the document.
 *
 * @throws AppError `unauthorized` without a valid key or session; SignInRequired for a page.
 */
export const requireReader = createMiddleware<AppEnv>(async (c, next) => {
  if (c.get('config').readers === 'anyone') return next()
  if (isOpenToAnyone(c.req)) {
    // The answer to a create has the text, and a repeated one the present text.
    if (isApi(c.req) && mayCreate(c.req)) c.set('hidesContent', (await askViewer(c, NOTHING)).user === null)
    return next()
  }
  if ((await askAccount(c, NOTHING, 'read')).user) {
    await next()
    return keepFromSharedCaches(c.res)
  }
  if (!takesToken(c.req) || readDocumentToken(c) === undefined) throw refuse(c)
  c.set('hidesContent', true)
  await next()
  if (c.res.status !== 403 && c.res.status !== 404) return
  // A wrong token doesn't tell which documents there are. Hono would merge the headers of both answers.
  c.res = undefined
  throw refuse(c)
})

/** Comes before public lists, which an operator can turn off. */
export const requireExplore = createMiddleware<AppEnv>((c, next) => {
  if (!c.var.config.explore) throw routeNotFound()
  return next()
})
