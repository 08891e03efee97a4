import { forgetExpired } from './accounts/expired.ts'
import { app } from './app.ts'
import { workOffDepartures } from './departures.ts'
import { cleanup } from './documents/cleanup.ts'
import { Contents } from './documents/contents.ts'
import { configOf } from './env.ts'
import { logFault } from './faults.ts'
import { publishDue } from './gists/due.ts'
import { Database } from './storage.ts'

/** A fifth of the time until the next run, for each job. */
const BUDGET_MS = 60_000

export default {
  fetch: app.fetch,

  async scheduled(controller, env): Promise<void> {
    const { storageTimeoutMs, github, authSecret, siteUrl } = configOf(env)
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
      departures: async () => ({ done: await workOffDepartures(store, hasTime) }),
      'forget expired': () => forgetExpired(store.db, started),
    }
    const faults: unknown[] = []
    // One after the other: they share a database. A fault of one does not keep the others from their work.
    for (const [event, run] of Object.entries(jobs)) {
      const begun = Date.now()
      try {
        const report = await run()
        console.log(JSON.stringify({ event, ...report, duration_ms: Date.now() - begun }))
      } catch (error) {
        logFault(`${event} failed`, `cron ${new Date(controller.scheduledTime).toISOString()}`, error)
        faults.push(error)
      }
    }
    if (faults.length > 0) throw faults[0]
  },
} satisfies ExportedHandler<Env>
