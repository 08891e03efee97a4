import { deleteExpiredAccountData } from './accounts/delete-expired.ts'
import { processDeletions } from './accounts/deletion/process-deletions.ts'
import { app } from './app.ts'
import { cleanup } from './documents/content/cleanup.ts'
import { Contents } from './documents/content/content-store.ts'
import { getConfig } from './env.ts'
import { publishDue } from './gists/publish-due.ts'
import { Database } from './platform/database.ts'
import { logError } from './platform/logging.ts'

/** A fifth of the time until the next run, for each job. */
const BUDGET_MS = 60_000

export default {
  fetch: app.fetch,

  async scheduled(controller, env): Promise<void> {
    const { storageTimeoutMs, github, authSecret, siteUrl } = getConfig(env)
    const store = {
      db: new Database(env.DB, storageTimeoutMs),
      contents: new Contents(env.CONTENTS, storageTimeoutMs),
    }
    const started = Date.now()
    const hasTime = () => Date.now() < started + BUDGET_MS
    const publisher = { ...store, apiUrl: github.apiUrl, secret: authSecret, siteUrl, clock: Date.now }
    const jobs = {
      cleanup: () => cleanup(store, { now: started, budgetMs: BUDGET_MS, clock: Date.now }),
      // What has just been cleaned up may have gists.
      gists: () => publishDue(publisher, BUDGET_MS),
      // An account goes after the gists that only it can delete.
      departures: async () => ({ done: await processDeletions(store, hasTime) }),
      'forget expired': () => deleteExpiredAccountData(store.db, started),
    }
    const faults: unknown[] = []
    // One after the other: they share a database. A fault of one does not keep the others from their work.
    for (const [event, run] of Object.entries(jobs)) {
      const begun = Date.now()
      try {
        const report = await run()
        console.log(JSON.stringify({ event, ...report, duration_ms: Date.now() - begun }))
      } catch (error) {
        logError(`${event} failed`, `cron ${new Date(controller.scheduledTime).toISOString()}`, error)
        faults.push(error)
      }
    }
    if (faults.length > 0) throw faults[0]
  },
} satisfies ExportedHandler<Env>
