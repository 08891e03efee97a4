import { Hono } from 'hono'
import type { AppEnv } from '../../env.ts'
import { answerErrorText } from '../../http/answers/error-text.ts'
import { CORS_HEADERS } from '../../http/cross-origin.ts'

export const OEMBED_PATH = '/oembed'

/** Answers how to embed a document, for any site. */
export const oEmbed = new Hono<AppEnv>()
  .onError((error, c) => {
    const response = answerErrorText(error, c)
    for (const [name, value] of Object.entries(CORS_HEADERS)) response.headers.set(name, value)
    return response
  })
  .get(OEMBED_PATH, async (c) => (await import('./pages.ts')).answerOEmbed(c))
