import { app } from './app.ts'

/** No request needs the jobs. */
async function scheduled(controller: ScheduledController, env: Env): Promise<void> {
  const { runScheduled } = await import('./scheduled.ts')
  return runScheduled(controller, env)
}

export default { fetch: app.fetch, scheduled } satisfies ExportedHandler<Env>
