import { type ErrorHandler, Hono } from 'hono'
import type { AppEnv } from '../../env.ts'
import { answerErrorPage } from '../layout/errors.tsx'

/** Matches the paths of embeds. */
export const EMBED_PATH = /^\/[^/]+\/embed\/?$/

/** Answers an error in a frame. */
export const answerEmbedError: ErrorHandler<AppEnv> = async (error, c) =>
  (await import('./pages.ts')).answerFramedError(error, c)

/** Shows documents in frames of other sites. */
export const embed = new Hono<AppEnv>()
  .onError(answerEmbedError)
  .get('/:id/embed', async (c) => (await import('./pages.ts')).answerEmbed(c, c.req.param('id')))

/** Shows the code that embeds a document. */
export const embedCode = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/embed/code', async (c) => (await import('./pages.ts')).answerEmbedCode(c, c.req.param('id')))
