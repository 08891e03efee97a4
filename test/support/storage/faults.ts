import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, inject, vi } from 'vitest'
import { cleanup } from '../../../src/documents/cleanup.ts'
import { ContentStore } from '../../../src/documents/content-store.ts'
import { Database } from '../../../src/platform/database.ts'
import { forgetSearch } from './cleanup.ts'

/** Long enough for any call that doesn't hang, on a busy machine too. Calls that hang don't wait for it. */
export const TIMEOUT_MS = 10_000
export const HOUR_MS = 3_600_000

/** Fakes the timers of each test for `hang`, and hides the errors that the tests provoke from the log. */
export function setUpFaults(): void {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    // Only timers: the times of documents and statements are real.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

/** Never responds. Its caller's timeout passes at once. */
export async function hang(): Promise<never> {
  // This isn't a fake timer: the caller sets its timeout first.
  await scheduler.wait(1)
  if (vi.isFakeTimers()) vi.advanceTimersByTime(TIMEOUT_MS)
  return new Promise(() => {})
}

/**
 * Runs cleanup as a day after its last search for orphaned content, which it deletes without a grace period if it's older
 * than an hour.
 */
export async function runCleanup(bindings: Env = env, now = Date.now()) {
  await forgetSearch()
  return cleanup(
    {
      db: new Database(bindings.DB, TIMEOUT_MS),
      contents: new ContentStore(bindings.CONTENTS, TIMEOUT_MS),
    },
    { now, budgetMs: 60_000, clock: Date.now, orphanGraceMs: 0 },
  )
}

/** How many of an operation's storage calls the suite interrupts. `npm run torture -- faults` interrupts every one. */
const SAMPLED_CALLS = 5

/** Returns which of an operation's storage calls to interrupt: the first, the last and some between them. */
export function chooseCalls(calls: number): number[] {
  const all = Array.from({ length: calls }, (_, index) => index + 1)
  if (inject('everyFault') || calls <= SAMPLED_CALLS) return all
  const step = (calls - 1) / (SAMPLED_CALLS - 1)
  return Array.from({ length: SAMPLED_CALLS }, (_, index) => 1 + Math.round(index * step))
}
