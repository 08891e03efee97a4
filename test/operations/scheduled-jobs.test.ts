import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { startAccountDeletion } from '../../src/accounts/account-deletion.ts'
import worker from '../../src/index.ts'
import { createReport, sendDueNotices } from '../../src/moderation/reports.ts'
import { Database } from '../../src/platform/database.ts'
import { runScheduledJobs } from '../../src/scheduled.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { create, withVars } from '../support/client.ts'
import { signInBrowser } from '../support/site/sign-in.ts'

const MINUTE_MS = 60_000
const HOOK = {
  REPORT_WEBHOOK_URL: 'https://hooks.example/regent',
  REPORT_WEBHOOK_SECRET: `whsec_${btoa('a key of more than 24 bytes for the tests')}`,
}

const db = new Database(env.DB, 5_000)
const controller = { scheduledTime: 0, cron: '', noRetry: () => {} }

const isLeft = async ({ id }: { id: string }) =>
  (await env.DB.prepare('SELECT 1 FROM users WHERE id = ?1').bind(id).first()) !== null

/** Starts to delete an account that has documents. */
async function deleteAccount() {
  const owner = await account()
  for (const content of ['one', 'two']) await create(content, {}, owner)
  await startAccountDeletion(db, owner.id, 'delete')
  return owner
}

let log: MockInstance

beforeEach(() => {
  log = vi.spyOn(console, 'log').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the scheduled jobs', () => {
  it('each have time of their own, even if every job before uses up all of its own', async () => {
    const owner = await deleteAccount()
    const { id } = await create('reported')
    await createReport(db, id, { reason: 'spam', comment: null, now: Date.now(), notify: true })
    let now = Date.now()
    // A job's line is the last that it does. By this clock, each has then taken ten minutes.
    log.mockImplementation(() => {
      now += 10 * MINUTE_MS
    })
    const sent = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null))
    vi.spyOn(Date, 'now').mockImplementation(() => now)
    await runScheduledJobs(controller, withVars(HOOK))
    expect(await isLeft(owner)).toBe(false)
    expect(sent).toHaveBeenCalledTimes(1)
  })

  it('go on with other accounts if the deletion of one fails', async () => {
    const owners = [await deleteAccount(), await deleteAccount()]
    let failed = false
    const bindings = bindingsWith(async (call, run) => {
      if (call === 'CONTENTS.delete' && !failed) {
        failed = true
        throw new Error('KV DELETE failed')
      }
      return run()
    })
    await expect(runScheduledJobs(controller, bindings)).rejects.toMatchObject({ code: 'unavailable' })
    expect((await Promise.all(owners.map(isLeft))).filter(Boolean)).toHaveLength(1)
    await runScheduledJobs(controller, env)
    expect((await Promise.all(owners.map(isLeft))).filter(Boolean)).toEqual([])
  })

  it('leave notices for the next run once a slow webhook has used up their time', async () => {
    const ids = [(await create('a')).id, (await create('b')).id]
    const now = Date.now()
    for (const id of ids) {
      await createReport(db, id, { reason: 'spam', comment: null, now, notify: true })
    }
    let late = false
    const notified: string[] = []
    const notify = async ({ documentId }: { documentId: string }) => {
      notified.push(documentId)
      late = true
      return true
    }
    const sendWhileThereIsTime = () =>
      sendDueNotices({ db, siteUrl: null, now, notify, hasTime: () => !late })
    expect(await sendWhileThereIsTime()).toBe(1)
    late = false
    expect(await sendWhileThereIsTime()).toBe(1)
    expect(notified.toSorted()).toEqual(ids.toSorted())
  })
})

describe('the scheduled trigger', () => {
  it('deletes expired sessions, links and records of emails', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const { browser } = await signInBrowser()
    await env.DB.batch([
      env.DB.prepare("INSERT INTO sessions VALUES ('over', 'over', (SELECT id FROM users LIMIT 1), 0, 1)"),
      env.DB.prepare("INSERT INTO verifications VALUES ('over', 'over', '{}', 0, 1)"),
      env.DB.prepare("INSERT INTO mails_sent VALUES ('over@example.org', 'over', 1)"),
    ])
    await worker.scheduled({ scheduledTime: Date.now() } as ScheduledController, env)
    for (const sql of [
      "SELECT 1 FROM sessions WHERE id = 'over'",
      "SELECT 1 FROM verifications WHERE id = 'over'",
      "SELECT 1 FROM mails_sent WHERE id = 'over'",
    ]) {
      expect(await env.DB.prepare(sql).first()).toBeNull()
    }
    expect((await browser.open('/account')).status).toBe(200)
  })
})
