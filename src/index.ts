import { app } from './app.ts'
import { runScheduled } from './scheduled.ts'

export default { fetch: app.fetch, scheduled: runScheduled } satisfies ExportedHandler<Env>
