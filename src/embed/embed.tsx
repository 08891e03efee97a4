import { type ErrorHandler, Hono } from 'hono'
import type { AppEnv } from '../env.ts'
import { allowAnyOrigin, answerErrorText } from '../http/answers.ts'
import { answerErrorPage } from '../ui/errors.tsx'
import { useFrame } from '../ui/page.tsx'

const OEMBED_PATH = '/oembed'

export const oEmbed = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get(OEMBED_PATH, allowAnyOrigin, async (c) => (await import('./oembed.lazy.tsx')).answerOEmbed(c))

export const OEmbedLink = ({ id }: { readonly id: string }) => {
  const { siteUrl } = useFrame()
  const query = new URLSearchParams({ url: `${siteUrl}/${id}` })
  return <link rel="alternate" type="application/json+oembed" href={`${siteUrl}${OEMBED_PATH}?${query}`} />
}

export const EMBED_PATH = /^\/[^/]+\/embed\/?$/

export const answerEmbedError: ErrorHandler<AppEnv> = async (error, c) =>
  (await import('./embed.lazy.tsx')).answerFramedError(error, c)

export const embed = new Hono<AppEnv>()
  .onError(answerEmbedError)
  .get('/:id/embed', async (c) => (await import('./embed.lazy.tsx')).answerEmbed(c, c.req.param('id')))

export const embedCode = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/embed/code', async (c) =>
    (await import('./oembed.lazy.tsx')).answerEmbedCode(c, c.req.param('id')),
  )
