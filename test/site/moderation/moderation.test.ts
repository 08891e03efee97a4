import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createReport } from '../../../src/moderation/reports.ts'
import { Database } from '../../../src/platform/database.ts'
import { type Account, account, session, suspend } from '../../support/accounts.ts'
import { countCalls, withFailing } from '../../support/bindings.ts'
import { call, create, ORIGIN, read, send, submit } from '../../support/client.ts'
import { expectFaults } from '../../support/log.ts'
import { parseForm } from '../../support/site/forms.ts'

const ADMIN = 1 | 8

const admin = async () => session(await account({ flags: ADMIN }))

const report = (id: string, comment: string | null = null) =>
  createReport(new Database(env.DB, 5_000), id, { reason: 'spam', comment, now: Date.now() })

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await send(path, { headers })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

const exists = async (id: string) => (await read(id)).status === 200

describe('the moderation pages', () => {
  const paths = (id: string) => [
    '/moderation',
    '/moderation/removals',
    `/moderation/${id}`,
    `/moderation/${id}/remove`,
  ]

  const strangers: Record<string, () => Promise<{ headers: Record<string, string>; status: number }>> = {
    'a signed-out user': async () => ({ headers: { Origin: ORIGIN }, status: 303 }),
    'an account': async () => ({ headers: await session(await account()), status: 404 }),
    'an unconfirmed account': async () => ({
      headers: await session(await account({ confirmed: false })),
      status: 404,
    }),
    'an account with every other flag': async () => ({
      headers: await session(await account({ flags: 63 - 8 })),
      status: 404,
    }),
    'a suspended admin': async () => {
      const suspended = await account({ flags: ADMIN })
      const headers = await session(suspended)
      await suspend(suspended)
      return { headers, status: 303 }
    },
  }

  it.each(Object.entries(strangers))("don't exist for %s", async (_, who) => {
    const { id } = await create('a title of its own')
    await report(id, 'text of a report')
    const { headers, status } = await who()
    for (const path of [...paths(id), '/moderation/xxxxxxxx', '/moderation/no/such/page']) {
      const answer = await get(path, headers)
      expect({ path, status: answer.status }).toEqual({ path, status })
      expect(answer.html).not.toMatch(/title of its own|text of a report/)
      if (status === 303) expect(answer.headers.get('Location')).toMatch(/^\/sign-in\?return=%2Fmoderation/)
      else expect(answer.html).toBe((await get('/no/such/page', headers)).html)
    }
    for (const action of ['remove', 'dismiss']) {
      const fields = { reason: 'why', until: String(Date.now()) }
      expect((await submit(`/moderation/${id}/${action}`, fields, headers)).status).toBe(status)
    }
    expect(await exists(id)).toBe(true)
    expect((await get('/moderation', await admin())).html).toContain('text of a report')
  })

  it("don't exist for the creator of a document who isn't an admin", async () => {
    const creator = await account()
    const { id } = await create('x', {}, { key: creator.key })
    const headers = await session(creator)
    for (const path of paths(id)) expect((await get(path, headers)).status).toBe(404)
    expect((await get(`/${id}`, headers)).html).not.toContain('/moderation')
    expect((await get(`/${id}`, await admin())).html).toContain(`href="/moderation/${id}"`)
  })

  it('are shown to admins and never cached', async () => {
    const { id } = await create('x')
    for (const headers of [await admin(), await session(await account({ flags: ADMIN, confirmed: false }))]) {
      for (const path of paths(id)) {
        const answer = await get(path, headers)
        expect({ path, status: answer.status }).toEqual({ path, status: 200 })
        expect(answer.headers.get('Cache-Control')).toBe('no-store')
      }
      expect((await get('/moderation/xxxxxxxx', headers)).status).toBe(404)
      expect((await get('/moderation?cursor=nonsense', headers)).status).toBe(400)
      expect((await submit('/moderation', {}, headers)).status).toBe(405)
    }
  })

  it('refuse forms from other sites', async () => {
    const { id } = await create('x')
    await report(id)
    const { Cookie } = await admin()
    for (const action of ['remove', 'dismiss']) {
      for (const Origin of ['https://elsewhere.example', 'null']) {
        const fields = { reason: 'why', until: String(Date.now()) }
        expect((await submit(`/moderation/${id}/${action}`, fields, { Cookie, Origin })).status).toBe(403)
      }
    }
    expect(await exists(id)).toBe(true)
    expect((await get(`/moderation/${id}`, { Cookie })).html).toContain('<strong>Spam</strong>')
  })

  it('escape comments and titles', async () => {
    const { id } = await create('a <script>title</script>')
    await report(id, '</blockquote><script>alert("1")</script>\n<img src=x onerror=alert(2)>')
    for (const path of ['/moderation', `/moderation/${id}`]) {
      const { html } = await get(path, await admin())
      expect(html).toContain('&lt;script&gt;title&lt;/script&gt;')
      expect(html).toContain('&lt;/blockquote&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;\n&lt;img')
      expect(html).not.toMatch(/<script>|<img/)
    }
  })
})

describe('the menu of a report', () => {
  it('is there only if something is known of the author, the text or the network', async () => {
    const { id } = await create('text')
    await report(id)
    const headers = await admin()
    const offersMenu = async () =>
      (await get(`/moderation/${id}`, headers)).html.includes('popovertarget="more"')
    expect(await offersMenu()).toBe(true)
    // As in a document from before there were hashes.
    await env.DB.prepare('UPDATE documents SET content_hash = NULL WHERE id = ?1').bind(id).run()
    expect(await offersMenu()).toBe(false)
  })
})

describe('removing a document', () => {
  async function removed(creator: Account | null, text = 'the first line\nthe second line') {
    const moderator = await account({ flags: ADMIN })
    const { id } = await create(text, {}, creator ? { key: creator.key } : {})
    const headers = await session(moderator)
    const answer = await submit(`/moderation/${id}/remove`, { reason: 'It is <spam>.' }, headers)
    expect({ status: answer.status, to: answer.headers.get('Location') }).toEqual({
      status: 303,
      to: `/moderation/${id}`,
    })
    return { id, headers, moderator }
  }

  it('returns 404 to everyone, and tells only the creator why', async () => {
    const creator = await account()
    const { id } = await removed(creator)
    const plain = await get('/xxxxxxxx')
    expect(await get(`/${id}`)).toMatchObject({ status: 404, html: plain.html })
    const stranger = await session(await account())
    expect((await get(`/${id}`, stranger)).html).toBe((await get('/xxxxxxxx', stranger)).html)
    const told = await get(`/${id}`, await session(creator))
    expect(told.status).toBe(404)
    expect(told.headers.get('Cache-Control')).toBe('no-store')
    expect(told.html).toContain('<h1>Your document was removed</h1>')
    expect(told.html).toContain('It is &lt;spam&gt;.')
    expect(told.html).toContain('<q>the first line</q>')
    expect(told.html).toMatch(/<time datetime="20/)
    for (const [path, options] of [
      [`/r/${id}`, { headers: await session(creator) }],
      [`/${id}/report`, { headers: stranger }],
    ] as const) {
      expect((await get(path, options.headers)).status).toBe(404)
    }
    const api = await call('GET', `/v1/document/${id}`, undefined, { key: creator.key })
    expect(api.body.error).toEqual({ code: 'not_found', message: 'Document not found' })
  })

  it('returns the same 404 to everyone for an anonymous document', async () => {
    const { id, headers } = await removed(null)
    expect((await get(`/${id}`, headers)).html).toBe((await get('/xxxxxxxx', headers)).html)
  })

  it('is listed with who, when and why', async () => {
    const creator = await account()
    const { id, headers, moderator } = await removed(creator)
    for (const path of ['/moderation/removals', `/moderation/${id}`]) {
      const { html } = await get(path, headers)
      for (const part of [
        id,
        creator.username,
        moderator.username,
        'It is &lt;spam&gt;.',
        'the first line',
      ]) {
        expect(html).toContain(part)
      }
    }
    expect((await get(`/moderation/${id}/remove`, headers)).status).toBe(404)
  })

  it('keeps the first record when a document is removed twice', async () => {
    const { id, moderator } = await removed(null)
    const headers = await admin()
    const answer = await submit(`/moderation/${id}/remove`, { reason: 'mine' }, headers)
    expect(answer.status).toBe(303)
    const { html } = await get(answer.headers.get('Location') ?? '', headers)
    expect(html).toContain(moderator.username)
    expect(html).not.toContain('mine')
  })

  it('returns 404 when the document is gone in the meantime', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    await call('DELETE', `/v1/document/${id}`, undefined, { key })
    const headers = await admin()
    expect((await submit(`/moderation/${id}/remove`, { reason: 'late' }, headers)).status).toBe(404)
    expect((await get('/moderation/removals', headers)).html).not.toContain(id)
  })

  it.each([
    ['', 'Enter a reason'],
    [' \r\n ', 'Enter a reason'],
    ['</textarea>'.padEnd(501, 'x'), '1 character too long'],
  ])('requires a reason of up to 500 characters: %j', async (reason, problem) => {
    const { id } = await create('x')
    const answer = await submit(`/moderation/${id}/remove`, { reason }, await admin())
    expect(answer.status).toBe(400)
    const html = await answer.text()
    expect(html).toMatch(new RegExp(`role="alert" id="reason-${id}-problem">[^<]*${problem}`))
    if (reason.startsWith('<')) expect(html).toContain('&lt;/textarea&gt;xxx')
    expect(await exists(id)).toBe(true)
  })

  it('shows the form again with the reason when storage fails', async () => {
    expectFaults('request failed')
    const { id } = await create('x')
    const headers = await admin()
    const bindings = withFailing('DB.batch', 'D1_ERROR: D1 DB is overloaded.')
    const body = new URLSearchParams({ reason: 'typed with care' })
    const answer = await send(`/moderation/${id}/remove`, { method: 'POST', headers, body }, { bindings })
    expect(answer.status).toBe(503)
    expect(await answer.text()).toContain('typed with care')
    expect(await exists(id)).toBe(true)
  })

  it('looks for a removal only for signed-in viewers', async () => {
    const getCalls = async (headers: Record<string, string>) => {
      const { bindings, calls } = countCalls()
      await send('/xxxxxxxx', { headers }, { bindings })
      return calls
    }
    // The nearest copy and the primary don't have the document.
    expect(await getCalls({})).toEqual(['DB.reads', 'DB.reads'])
    expect(await getCalls(await session(await account()))).toEqual(['DB.reads', 'DB.first'])
  })
})

describe('the queue', () => {
  const getAudited = async (id: string) =>
    (await env.DB.prepare("SELECT count(*) AS n FROM audit_log WHERE action = 'text.read' AND subject = ?1")
      .bind(id)
      .first('n')) as number

  it('opens the latest report with the first 60 lines of its text, and records that once an hour', async () => {
    const text = Array.from({ length: 70 }, (_, line) => `text ${line + 1} <b>`).join('\n')
    const { id } = await create(text)
    await report(id)
    const headers = await admin()
    for (const path of ['/moderation', `/moderation/${id}`]) {
      const { html } = await get(path, headers)
      expect(html).toContain('text 60 &lt;b&gt;')
      expect(html).not.toContain('text 61')
      expect(html).toContain('The first 60 lines.')
      expect(html).toContain(`href="/moderation/${id}" aria-current="true"`)
    }
    expect(await getAudited(id)).toBe(1)
  })

  it('records the reading again after an hour, and for another moderator', async () => {
    const { id } = await create('x')
    await report(id)
    const moderator = await account({ flags: ADMIN })
    const now = Date.now()
    for (const [entry, at] of [
      ['an hour ago', now - 3_600_001],
      ['by another', now],
    ] as const) {
      const actor = entry === 'by another' ? 'somebody-else' : moderator.username
      await env.DB.prepare(
        "INSERT INTO audit_log (id, at, actor, action, subject) VALUES (?1, ?2, ?3, 'text.read', ?4)",
      )
        .bind(`${id} ${entry}`, at, actor, id)
        .run()
    }
    await get(`/moderation/${id}`, await session(moderator))
    expect(await getAudited(id)).toBe(3)
  })

  it.each([
    ['burns after reading', { instant_delete: true }, true],
    ['is encrypted', { encrypted: true }, true],
    ['nobody reported', {}, false],
  ])('shows no text of a document that %s', async (_, settings, reported) => {
    const { id } = await create('a title\nthe text of it', settings, { key: (await account()).key })
    if (reported) await report(id)
    const { html } = await get(`/moderation/${id}`, await admin())
    expect(html).toContain(`href="/${id}"`)
    expect(html).not.toContain('the text of it')
    expect(await getAudited(id)).toBe(0)
  })

  it('shows the start of a long line', async () => {
    const { id } = await create('x'.repeat(100_000))
    await report(id)
    const { html } = await get(`/moderation/${id}`, await admin())
    expect(html.length).toBeLessThan(30_000)
    expect(html).toContain(`${'x'.repeat(600)}…`)
  })

  it('leads from a decision to the next report, and says what was decided', async () => {
    const [older, newer] = [await create('the older one'), await create('the newer one')]
    for (const { id } of [older, newer]) await report(id)
    const headers = await admin()
    const removing = await parseForm(
      (await get(`/moderation/${newer.id}`, headers)).html,
      `/moderation/${newer.id}/remove`,
    )
    expect(removing).toMatchObject({ next: older.id })
    const removed = await submit(
      `/moderation/${newer.id}/remove`,
      { ...removing, preset: 'malware' },
      headers,
    )
    expect(removed.headers.get('Location')).toBe(`/moderation/${older.id}?removed=${newer.id}`)
    const { html } = await get(removed.headers.get('Location') ?? '', headers)
    expect(html).toContain(`Removed <a href="/moderation/${newer.id}">`)
    expect((await get(`/moderation/${newer.id}`, headers)).html).toContain(
      'Malware or phishing.</blockquote>',
    )
    for (const next of ['//evil.example', '', 'x'])
      expect(
        (await submit(`/moderation/${older.id}/dismiss`, { until: '1', next }, headers)).headers.get(
          'Location',
        ),
      ).toBe(`/moderation?dismissed=${older.id}`)
    expect((await get('/moderation?removed=<script>', headers)).html).not.toContain('Removed <a')
  })

  it('leads from a decision to the next report of the same page of the queue', async () => {
    const [oldest, older, newer] = [await create('oldest'), await create('older'), await create('newer')]
    for (const { id } of [oldest, older, newer]) await report(id)
    const cursor = await env.DB.prepare(
      "SELECT created_at || '-' || id AS position FROM reports WHERE document_id = ?1",
    )
      .bind(newer.id)
      .first<string>('position')
    const page = new URLSearchParams({ cursor: cursor ?? '' })
    const headers = await admin()
    const { html } = await get(`/moderation/${older.id}?${page}`, headers)
    for (const [decision, done] of [
      ['dismiss', 'dismissed'],
      ['remove', 'removed'],
    ]) {
      const path = `/moderation/${older.id}/${decision}`
      const decided = await submit(path, { ...(await parseForm(html, path)), preset: 'spam' }, headers)
      const to = decided.headers.get('Location')
      expect(to).toBe(`/moderation/${oldest.id}?${done}=${older.id}&${page}`)
      expect((await get(to ?? '', headers)).html).not.toContain(`href="/moderation/${newer.id}`)
    }
  })

  it('leads to the queue if the next report is gone, and says what was decided', async () => {
    const [deleted, taken, decided] = [await create('a'), await create('b'), await create('c')]
    const headers = await admin()
    await env.DB.prepare('DELETE FROM documents WHERE id = ?1').bind(deleted.id).run()
    await submit(`/moderation/${taken.id}/remove`, { preset: 'spam' }, headers)
    for (const next of [deleted.id, taken.id]) {
      const { headers: answer } = await submit(
        `/moderation/${decided.id}/dismiss`,
        { until: '1', next },
        headers,
      )
      const gone = await get(answer.get('Location') ?? '', headers)
      expect(gone.headers.get('Location')).toBe(`/moderation?dismissed=${decided.id}`)
    }
    expect((await get(`/moderation/${deleted.id}`, headers)).status).toBe(404)
    expect((await get(`/moderation/${taken.id}`, headers)).status).toBe(200)
  })

  it.each([
    [{ preset: 'spam' }, 'Spam.'],
    [{ preset: 'spam', reason: 'the third time' }, 'Spam: the third time'],
    [{ preset: 'other', reason: 'off topic' }, 'off topic'],
    [{ reason: 'off topic' }, 'off topic'],
    [{ preset: 'unknown', reason: 'off topic' }, 'off topic'],
  ])('the author reads %j as %s', async (fields: Record<string, string>, reason) => {
    const { id } = await create('x')
    const headers = await admin()
    await submit(`/moderation/${id}/remove`, fields, headers)
    expect((await get(`/moderation/${id}`, headers)).html).toContain(`>${reason}</blockquote>`)
  })

  it('asks for words if the reason is something else', async () => {
    const { id } = await create('x')
    expect((await submit(`/moderation/${id}/remove`, { preset: 'other' }, await admin())).status).toBe(400)
    expect(await exists(id)).toBe(true)
  })
})

describe('dismissing reports', () => {
  it('deletes the reports shown, but not the document or later reports', async () => {
    const { id } = await create('x')
    await report(id, 'seen')
    const headers = await admin()
    const { html } = await get(`/moderation/${id}`, headers)
    const until = /name="until" value="(\d+)"/.exec(html)?.[1] ?? ''
    const db = new Database(env.DB, 5_000)
    await createReport(db, id, { reason: 'other', comment: 'unseen', now: Number(until) + 1 })
    const answer = await submit(`/moderation/${id}/dismiss`, { until }, headers)
    expect(answer.headers.get('Location')).toBe(`/moderation?dismissed=${id}`)
    const after = await get(`/moderation/${id}`, headers)
    expect(after.html).toContain('unseen</blockquote>')
    expect(after.html).not.toContain('>seen</blockquote>')
    await submit(`/moderation/${id}/dismiss`, { until: String(Number(until) + 1) }, headers)
    expect((await get('/moderation', headers)).html).not.toContain(id)
    expect((await get(`/moderation/${id}`, headers)).html).not.toContain('dismiss"')
    expect(await exists(id)).toBe(true)
  })

  it('refuses a form without a valid time', async () => {
    const { id } = await create('x')
    await report(id)
    const headers = await admin()
    for (const fields of [{}, { until: 'x' }, { until: '' }] as Record<string, string>[]) {
      expect((await submit(`/moderation/${id}/dismiss`, fields, headers)).status).toBe(400)
    }
    expect((await get('/moderation', headers)).html).toContain(id)
  })
})
