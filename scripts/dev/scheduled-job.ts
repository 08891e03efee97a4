import { setInterval } from 'node:timers/promises'
import { requestService } from './ready.ts'

/** How often the scheduled jobs run in production: see [triggers] in wrangler.toml. */
export const SCHEDULED_JOB_MINUTES = 5

const JOBS_CRON = '*/5 * * * *'
export const HEARTBEAT_CRON = '* * * * *'

const TIMEOUT_MS = 60_000

/** Runs the scheduled jobs of a local service once, as Cloudflare's cron trigger does. Throws an Error if they fail. */
export async function triggerScheduledJob(base: string, cron = JOBS_CRON): Promise<void> {
  const query = new URLSearchParams({ cron })
  const { status, text } = await requestService(`${base}/cdn-cgi/handler/scheduled?${query}`, {
    // Wrangler refuses this path to pages from elsewhere, and takes every address but these for one.
    headers: { Host: 'localhost' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (status !== 200) throw new Error(`${status} ${text}`)
}

interface Schedule {
  readonly everyMs: number
  /** Ends the schedule. */
  readonly signal: AbortSignal
  /** Called when a run fails. The next run happens anyway. */
  readonly onError: (error: unknown) => void
}

/** Calls `run` again and again, never twice at the same time, until the signal aborts. */
export async function repeat(
  run: () => Promise<void>,
  { everyMs, signal, onError }: Schedule,
): Promise<void> {
  try {
    for await (const _ of setInterval(everyMs, undefined, { signal, ref: false })) {
      await run().catch(onError)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
