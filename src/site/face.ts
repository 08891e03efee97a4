import { Hono } from 'hono'
import type { AppContext, AppEnv } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { answer, answerErrorText, rejectOtherMethods } from '../http/answers.ts'
import type { AccentColours } from '../shared/accent.ts'

/** The files of this topic give pages the operator's name and colour. */

/** Changes only with the configuration, and then the pages name another address of the stylesheet. */
const CACHED_FOR_A_DAY = { 'Cache-Control': 'public, max-age=86400' }

function answerStyle(c: AppContext): Response {
  const { accent } = c.var.config.site
  if (accent === null) throw routeNotFound()
  const names = Object.keys(accent.light) as (keyof AccentColours)[]
  const colours = names.map((name) => `--${name}:light-dark(${accent.light[name]},${accent.dark[name]})`)
  const headers = {
    ...CACHED_FOR_A_DAY,
    'Content-Type': 'text/css; charset=utf-8',
    // An embed in a sandbox has an origin of its own.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  return answer(c, `:root{${colours.join(';')}}`, { headers })
}

interface Manifest {
  readonly name: string
  readonly icons: readonly { readonly src: string }[]
}

/** The manifest that Regent comes with, with the site's name and icon. */
async function answerManifest(c: AppContext): Promise<Response> {
  const { name, icon } = c.var.config.site
  const file = await c.env.ASSETS.fetch(new URL('/assets/manifest.webmanifest', c.req.url))
  const { icons, ...manifest } = (await file.json()) as Manifest
  const described = {
    ...manifest,
    name,
    // Addresses in it are relative to its own.
    icons:
      icon === null
        ? icons.map((each) => ({ ...each, src: `/assets/${each.src}` }))
        : [{ src: icon, sizes: 'any' }],
  }
  return answer(c, JSON.stringify(described), {
    headers: { ...CACHED_FOR_A_DAY, 'Content-Type': 'application/manifest+json' },
  })
}

export const routes = rejectOtherMethods(
  new Hono<AppEnv>()
    .onError(answerErrorText)
    .get('/site/style.css', answerStyle)
    .get('/site/manifest.webmanifest', answerManifest),
)
