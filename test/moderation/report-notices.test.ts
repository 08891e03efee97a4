import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { dismissReports, sendDueNotices } from '../../src/moderation/reports.ts'
import { Database } from '../../src/platform/database.ts'
import { create, ORIGIN, withVars } from '../support/client.ts'
import { expectFaults } from '../support/log.ts'
import { captureEmail } from '../support/site/email.ts'

const db = new Database(env.DB, 5_000)
const HOUR_MS = 3_600_000
const URL_OF_HOOK = 'https://hooks.example/regent'
const KEY = 'a key of more than 24 bytes for the tests'
const bindings = withVars({ REPORT_WEBHOOK_URL: URL_OF_HOOK, REPORT_WEBHOOK_SECRET: `whsec_${btoa(KEY)}` })

interface Received {
  readonly headers: Headers
  readonly body: string
}

/** Stands in for the operator's webhook. */
function receiveWebhooks(answer: () => Response = () => new Response(null, { status: 204 })): Received[] {
  const received: Received[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    if (request.url !== URL_OF_HOOK) throw new Error(`unexpected request to ${request.url}`)
    received.push({ headers: request.headers, body: await request.text() })
    return answer()
  })
  return received
}

let addresses = 0

async function report(id: string, environment: Env = bindings): Promise<Response> {
  const ctx = createExecutionContext()
  const request = new Request(`${ORIGIN}/${id}/report`, {
    method: 'POST',
    body: new URLSearchParams({ reason: 'malware', comment: 'a secret comment' }),
    headers: { Origin: ORIGIN, 'CF-Connecting-IP': `198.51.100.${++addresses}` },
  })
  const response = await app.fetch(request, environment, ctx)
  await waitOnExecutionContext(ctx)
  return response
}

/** Sends what is due at a later time, as the scheduled job does. */
const sendDue = (now: number, notified: string[] = []) =>
  sendDueNotices({
    db,
    siteUrl: null,
    now,
    notify: async ({ documentId, reports }) => {
      notified.push(`${documentId} ${reports}`)
      return true
    },
  })

const forget = () => env.DB.prepare('DELETE FROM report_notices').run()

afterEach(forget)

describe('the webhook for reports', () => {
  it('gets a signed request with what matters, and nothing that anyone wrote', async () => {
    const received = receiveWebhooks()
    const { id } = await create('a secret title')
    expect((await report(id)).status).toBe(303)
    expect(received).toHaveLength(1)
    const [{ headers, body } = { headers: new Headers(), body: '{}' }] = received
    expect(JSON.parse(body)).toEqual({
      type: 'document.reported',
      timestamp: expect.stringMatching(/^20/),
      data: { document_id: id, reports: 1, reasons: ['malware'], url: `${ORIGIN}/moderation/${id}` },
    })
    expect(body).not.toContain('secret')
    const signed = `${headers.get('Webhook-Id')}.${headers.get('Webhook-Timestamp')}.${body}`
    const key = await crypto.subtle.importKey(
      'raw',
      new TextEncoder().encode(KEY),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    )
    const signature = Uint8Array.fromBase64((headers.get('Webhook-Signature') ?? '').replace('v1,', ''))
    expect(await crypto.subtle.verify('HMAC', key, signature, new TextEncoder().encode(signed))).toBe(true)
  })

  it('gets one request per document and hour, and then the count', async () => {
    const received = receiveWebhooks()
    const { id } = await create('x')
    for (let made = 0; made < 3; made++) await report(id)
    expect(received).toHaveLength(1)
    const notified: string[] = []
    await sendDue(Date.now() + 1_000, notified)
    expect(notified).toEqual([])
    await sendDue(Date.now() + HOUR_MS, notified)
    await sendDue(Date.now() + 3 * HOUR_MS, notified)
    expect(notified).toEqual([`${id} 3`])
  })

  it.each([
    ['answers with an error', () => new Response('no', { status: 500 })],
    [
      'redirects',
      () => new Response(null, { status: 302, headers: { Location: 'https://elsewhere.example' } }),
    ],
    [
      "can't be reached",
      () => {
        throw new TypeError('network')
      },
    ],
  ])('never breaks a report if it %s, and is tried again later', async (_, answer) => {
    expectFaults('deferred work failed')
    const received = receiveWebhooks(answer)
    const { id } = await create('x')
    expect((await report(id)).status).toBe(303)
    expect(received).toHaveLength(1)
    const notified: string[] = []
    await sendDue(Date.now() + 61_000, notified)
    expect(notified).toEqual([`${id} 1`])
  })

  it('keeps the id of a notice that is sent again', async () => {
    expectFaults('deferred work failed')
    const received = receiveWebhooks(() => new Response(null, { status: 500 }))
    const { id } = await create('x')
    await report(id)
    const sent: string[] = []
    const sendAt = (minutes: number, notify: () => boolean) =>
      sendDueNotices({
        db,
        siteUrl: null,
        now: Date.now() + minutes * 60_000,
        notify: async (notice) => {
          sent.push(notice.id)
          return notify()
        },
      })
    const fail = () => {
      throw new Error('still down')
    }
    await expect(sendAt(2, fail)).rejects.toThrow('still down')
    await sendAt(10, () => true)
    const first = received[0]?.headers.get('Webhook-Id')
    expect(sent).toEqual([first, first])
    await report(id)
    await sendAt(90, () => true)
    expect(sent).toHaveLength(3)
    expect(sent[2]).not.toBe(first)
  })

  it('is given up after eight attempts, until the next report', async () => {
    expectFaults('deferred work failed')
    receiveWebhooks(() => new Response(null, { status: 500 }))
    const { id } = await create('x')
    await report(id)
    let failures = 0
    const notify = async () => {
      failures += 1
      throw new Error('still down')
    }
    for (let hours = 1; hours < 20; hours++) {
      await sendDueNotices({ db, siteUrl: null, now: Date.now() + hours * HOUR_MS, notify }).catch(() => {})
    }
    expect(failures).toBe(7)
    const received = receiveWebhooks()
    await report(id)
    expect(received).toHaveLength(1)
  })

  it('is sent no more about a document that nobody may read', async () => {
    const received = receiveWebhooks()
    const { id } = await create('x')
    await report(id)
    expect(received).toHaveLength(1)
    await env.DB.prepare('UPDATE documents SET expires_at = 1 WHERE id = ?1').bind(id).run()
    expect((await report(id)).status).toBe(404)
    const notified: string[] = []
    await sendDue(Date.now() + 2 * HOUR_MS, notified)
    expect(notified).toEqual([])
  })

  it('says nothing about reports that were dismissed', async () => {
    expectFaults('deferred work failed')
    receiveWebhooks(() => new Response(null, { status: 500 }))
    const { id } = await create('x')
    await report(id)
    await dismissReports(db, id, { until: Date.now(), by: 'ada', now: Date.now() })
    const notified: string[] = []
    await sendDue(Date.now() + HOUR_MS, notified)
    expect(notified).toEqual([])
  })

  it("isn't called, and nothing is stored, if the operator wants no notices", async () => {
    const received = receiveWebhooks()
    const { id } = await create('x')
    await report(id, env)
    expect(received).toEqual([])
    expect(await env.DB.prepare('SELECT count(*) AS n FROM report_notices').first('n')).toBe(0)
  })
})

it('an email tells the operator about a report', async () => {
  const { bindings: withMail, sent } = captureEmail({ REPORT_EMAIL: 'abuse@example.org' })
  const { id } = await create('x')
  await report(id, withMail)
  expect(sent).toEqual([
    expect.objectContaining({
      to: 'abuse@example.org',
      subject: `Reported document ${id}`,
      text: expect.stringContaining(`${ORIGIN}/moderation/${id}`),
    }),
  ])
})

it('waits while the server may send no more emails, however long, instead of being given up', async () => {
  await env.DB.prepare('DELETE FROM mails_sent').run()
  const { bindings: withMail, sent } = captureEmail({
    REPORT_EMAIL: 'abuse@example.org',
    SERVER_MAX_EMAILS_PER_HOUR: '2',
  })
  const [first, second, third] = [await create('x'), await create('y'), await create('z')]
  for (const { id } of [first, second, third]) expect((await report(id, withMail)).status).toBe(303)
  // Half of the emails are for people who have an account.
  expect(sent.map(({ subject }) => subject)).toEqual([`Reported document ${first.id}`])
  const start = Date.now()
  let asked = 0
  const notify = async () => {
    asked += 1
    return false
  }
  for (let minutes = 10; minutes < 240; minutes += 10)
    expect(await sendDueNotices({ db, siteUrl: null, now: start + minutes * 60_000, notify })).toBe(0)
  // The first of those that wait is enough to know.
  expect(asked).toBe(23)
  const notified: string[] = []
  await sendDue(start + 5 * HOUR_MS, notified)
  expect(notified.toSorted()).toEqual([`${second.id} 1`, `${third.id} 1`].toSorted())
})

it('an email is enough if the webhook is down, and so is the webhook if no email may be sent', async () => {
  await env.DB.prepare('DELETE FROM mails_sent').run()
  const { bindings: withMail, sent } = captureEmail({
    REPORT_EMAIL: 'abuse@example.org',
    REPORT_WEBHOOK_URL: URL_OF_HOOK,
    REPORT_WEBHOOK_SECRET: `whsec_${btoa(KEY)}`,
    SERVER_MAX_EMAILS_PER_HOUR: '2',
  })
  const isDue = () =>
    env.DB.prepare('SELECT count(*) AS n FROM report_notices WHERE due_at IS NOT NULL').first('n')
  expectFaults('report notice failed')
  receiveWebhooks(() => new Response(null, { status: 500 }))
  await report((await create('x')).id, withMail)
  expect([sent.length, await isDue()]).toEqual([1, 0])
  const received = receiveWebhooks()
  await report((await create('y')).id, withMail)
  expect([sent.length, received.length, await isDue()]).toEqual([1, 1, 0])
})
