import { type Context, type Handler, Hono } from 'hono'
import { routePath } from 'hono/route'
import type { AppEnv } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { ROUTING } from './paths.ts'

/** A part of the app that is loaded as a whole, when one of its paths is asked for the first time. */
export interface Topic {
  /** Patterns that match every route of the topic. */
  readonly paths: readonly string[]
  readonly load: () => Promise<{ readonly routes: Hono<AppEnv> }>
}

/** The requests that are on their way to a topic, with what the app's middleware has set. */
const handedOver = new WeakMap<Request, Context<AppEnv>>()

const openTopic = (routes: Hono<AppEnv>): Hono<AppEnv> =>
  new Hono<AppEnv>(ROUTING)
    .use(async (c, next) => {
      const outer = handedOver.get(c.req.raw)
      for (const [name, value] of Object.entries(outer?.var ?? {}))
        c.set(name as keyof AppEnv['Variables'], value)
      await next()
      outer?.set('route', routePath(c))
    })
    .route('/', routes)
    .notFound(() => {
      throw routeNotFound()
    })
    // What a topic doesn't answer itself, the app does.
    .onError((error) => {
      throw error
    })

/** Hono takes no routes once it has answered a request, so a topic is an app of its own. */
export function answerByTopic({ load }: Topic): Handler<AppEnv> {
  // Keeps no promise: that of a request whose client hangs up may never settle.
  let topic: Hono<AppEnv> | null = null
  return async (c) => {
    topic ??= openTopic((await load()).routes)
    handedOver.set(c.req.raw, c)
    return topic.fetch(c.req.raw, c.env)
  }
}
