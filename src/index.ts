import { app } from './app.ts'
import { cleanup } from './documents/cleanup.ts'
import { Contents } from './documents/contents.ts'
import { configOf } from './env.ts'
import { logFault } from './faults.ts'
import { Database } from './storage.ts'

/** A fifth of the time until the next run. */
const CLEANUP_BUDGET_MS = 60_000

export default {
  fetch: app.fetch,

  async scheduled(controller, env): Promise<void> {
    const { storageTimeoutMs } = configOf(env)
    const store = {
      db: new Database(env.DB, storageTimeoutMs),
      contents: new Contents(env.CONTENTS, storageTimeoutMs),
    }
    const started = Date.now()
    try {
      const report = await cleanup(store, { now: started, budgetMs: CLEANUP_BUDGET_MS, clock: Date.now })
      console.log(JSON.stringify({ event: 'cleanup', ...report, duration_ms: Date.now() - started }))
    } catch (error) {
      logFault('cleanup failed', `cron ${new Date(controller.scheduledTime).toISOString()}`, error)
      throw error
    }
  },
} satisfies ExportedHandler<Env>
