import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import worker from '../../src/index.ts'
import { signInBrowser } from '../support/site/signed-in.ts'

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
