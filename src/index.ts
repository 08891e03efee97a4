import { app } from './app.ts'

/** How long to wait for the rest of a request's body, in milliseconds. */
const MAX_REST_MS = 10_000

/**
 * Reads what is left of a request's body. After an answer that comes before its end, wrangler's proxy loses a request, and
 * answers it with 500 (cloudflare/workers-sdk#15203). On Cloudflare, nothing is lost.
 */
async function readRest({ body }: Request): Promise<void> {
  if (body === null || body.locked) return
  await body.pipeTo(new WritableStream(), { signal: AbortSignal.timeout(MAX_REST_MS) }).catch(() => {})
}

export default {
  async fetch(request, env, context) {
    const response = await app.fetch(request, env, context)
    if (env.LOCAL_SERVER) await readRest(request)
    return response
  },
  // The jobs load when they run: no request needs them.
  scheduled: async (controller, env) => (await import('./scheduled.lazy.ts')).runScheduled(controller, env),
} satisfies ExportedHandler<Env>
