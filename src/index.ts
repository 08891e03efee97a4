import { app } from './app.ts'

export default {
  fetch: app.fetch,
  // The jobs load when they run: no request needs them.
  scheduled: async (controller, env) => (await import('./scheduled.lazy.ts')).runScheduled(controller, env),
} satisfies ExportedHandler<Env>
