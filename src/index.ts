import { app } from './app.ts'

/** Runs the jobs, which are loaded only here: no request needs them. */
async function scheduled(controller: ScheduledController, env: Env): Promise<void> {
  const { runScheduled } = await import('./scheduled.ts')
  return runScheduled(controller, env)
}

export default { fetch: app.fetch, scheduled } satisfies ExportedHandler<Env>
