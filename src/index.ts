import { app } from './app.ts'
import { runScheduledJobs } from './scheduled.ts'

export default {
  fetch: app.fetch,
  scheduled: runScheduledJobs,
} satisfies ExportedHandler<Env>
