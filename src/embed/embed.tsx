import { Hono } from 'hono'
import type { AppEnv } from '../env.ts'
import { allowAnyOrigin, answerErrorText, rejectOtherMethods } from '../http/answers.ts'
import { answerErrorPage } from '../ui/errors.tsx'
import { OEMBED_PATH } from '../ui/oembed-link.tsx'
import { answerEmbed, answerFramedError } from './embed-page.tsx'
import { answerEmbedCode, answerOEmbed } from './oembed.tsx'

const oEmbed = new Hono<AppEnv>().onError(answerErrorText).get(OEMBED_PATH, allowAnyOrigin, answerOEmbed)

const embed = new Hono<AppEnv>()
  .onError(answerFramedError)
  .get('/:id/embed', (c) => answerEmbed(c, c.req.param('id')))

const embedCode = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/embed/code', (c) => answerEmbedCode(c, c.req.param('id')))

export const routes = new Hono<AppEnv>()
  .route('/', rejectOtherMethods(oEmbed))
  .route('/', rejectOtherMethods(embed))
  .route('/', rejectOtherMethods(embedCode))
