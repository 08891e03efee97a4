import { processAccountDeletions } from './accounts/account-deletion.ts'
import { deleteExpiredAccountData } from './accounts/delete-expired.ts'
import { getConfig } from './config.ts'
import { type CleanupReport, cleanup } from './documents/cleanup.ts'
import { ContentStore } from './documents/content-store.ts'
import type { DocumentStorage } from './documents/document-store.ts'
import { deleteExpiredKeys } from './documents/idempotent-create.ts'
import { processTombstones } from './documents/tombstones.ts'
import { publishDueGists } from './gists/publish-gist.lazy.ts'
import { deleteExpiredModerationData } from './moderation/delete-expired.ts'
import { createReportNotifier, sendDueNotices } from './moderation/reports.ts'
import { Database } from './platform/database.ts'
import { logError, logFault, logLine, writeDataPoint } from './platform/log.ts'
import { recordHeartbeat } from './platform/nearest-copy.ts'
import type { Instant } from './shared/instant.ts'

/** Each job may take a fifth of the five minutes until the next run. */
const BUDGET_MS = 60_000

/** Document ids are secrets, so it names none. */
const formatMissing = (missing: number): string =>
  `KV has lost content of documents or revisions (${missing} known), so reading them answers 503. ` +
  'Check the binding CONTENTS in regent.toml, and run: npm run admin -- cleanup --dry-run, with --remote if it is deployed'

async function runCleanup(store: DocumentStorage, now: Instant): Promise<CleanupReport> {
  const report = await cleanup(store, { now, budgetMs: BUDGET_MS, clock: Date.now })
  if (report.refused !== null) {
    logFault('cleanup refused', { message: report.refused })
  }
  if (report.missing) {
    logFault('content missing', { message: formatMissing(report.missing) })
  }
  return report
}

/** The time of the heartbeat: see [triggers] in wrangler.toml. All jobs run at any other time. */
const HEARTBEAT_CRON = '* * * * *'

export async function runScheduled(controller: ScheduledController, env: Env): Promise<void> {
  if (getConfig(env).readOnly)
    return logLine('scheduled jobs paused', { reason: 'SERVER_MODE is "read-only"' })
  if (controller.cron !== HEARTBEAT_CRON) return runScheduledJobs(controller, env)
  await recordHeartbeat(new Database(env.DB, getConfig(env).storageTimeoutMs), Date.now())
}

/** Runs the jobs one after the other, because they share a database, and then throws the first error. */
export async function runScheduledJobs(controller: ScheduledController, env: Env): Promise<void> {
  const { storageTimeoutMs, backupDays, github, authSecret, siteUrl } = getConfig(env)
  const store = {
    db: new Database(env.DB, storageTimeoutMs),
    contents: new ContentStore(env.CONTENTS, storageTimeoutMs),
  }
  const startedAt = Date.now()
  const publisher = { ...store, apiUrl: github.apiUrl, secret: authSecret, siteUrl, clock: Date.now }
  const jobs = {
    cleanup: () => runCleanup(store, startedAt),
    // After the cleanup: the documents that it deleted may have gists.
    gists: () => publishDueGists(publisher, BUDGET_MS),
    // After the gists: only with the account's token can they be deleted.
    'account deletions': async (hasTime: () => boolean) => ({
      done: await processAccountDeletions(store, hasTime),
    }),
    // After both: they delete documents and accounts.
    tombstones: (hasTime: () => boolean) =>
      processTombstones(store.db, { now: startedAt, keptDays: backupDays, hasTime }),
    'expired account data': () => deleteExpiredAccountData(store.db, startedAt),
    'report notices': async (hasTime: () => boolean) => ({
      sent: await sendReportNotices(env, store.db, { now: Date.now(), hasTime }),
    }),
    'expired moderation data': () => deleteExpiredModerationData(store.db, startedAt),
    'expired idempotency keys': () => deleteExpiredKeys(store.db, startedAt),
  }
  const errors: unknown[] = []
  for (const [event, run] of Object.entries(jobs)) {
    const jobStartedAt = Date.now()
    let outcome = 'failed'
    let missing = 0
    try {
      const report = await run(() => Date.now() < jobStartedAt + BUDGET_MS)
      if (report && 'missing' in report) missing = Number(report.missing)
      const refused = report && 'refused' in report && typeof report.refused === 'string'
      outcome = refused ? 'refused' : missing > 0 ? 'missing' : 'ok'
      logLine(event, { outcome, ...report, duration_ms: Date.now() - jobStartedAt })
    } catch (error) {
      logError(`${event} failed`, `cron ${new Date(controller.scheduledTime).toISOString()}`, error)
      errors.push(error)
    }
    const durationMs = Date.now() - jobStartedAt
    writeDataPoint(env.ANALYTICS, { kind: 'scheduled', name: event, outcome, durationMs, missing })
  }
  if (errors.length > 0) throw errors[0]
}

async function sendReportNotices(
  env: Env,
  db: Database,
  run: { readonly now: Instant; readonly hasTime: () => boolean },
): Promise<number> {
  const config = getConfig(env)
  const notify = createReportNotifier(config, { db, binding: env.EMAIL, siteUrl: config.siteUrl ?? '' })
  return notify === null ? 0 : sendDueNotices({ db, notify, siteUrl: config.siteUrl, ...run })
}
