import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { LIMITED } from '../../limits/support.ts'
import { account, session } from '../../support/accounts.ts'
import { withFailing } from '../../support/bindings.ts'
import { create, ORIGIN, read, send, submit } from '../../support/client.ts'

let addresses = 0

/** Returns the header of an address that hasn't sent a report yet. */
const address = () => ({ 'CF-Connecting-IP': `2001:db8:${++addresses}::1` })

const findReports = async (id: string) =>
  (await env.DB.prepare('SELECT reason, words FROM reports WHERE document_id = ?1').bind(id).all()).results

describe('the report form', () => {
  it('is shown to everyone for existing documents only', async () => {
    const { id } = await create('x')
    const response = await send(`/${id}/report`)
    expect(response.status).toBe(200)
    expect(response.headers.get('X-Robots-Tag')).toBe('noindex')
    const html = await response.text()
    for (const part of ['<legend>', 'value="malware"', '<textarea', `action="/${id}/report"`]) {
      expect(html).toContain(part)
    }
    for (const path of ['/xxxxxxxx/report', '/no/report', '/no/report/thanks']) {
      expect((await send(path)).status).toBe(404)
    }
    expect((await submit('/xxxxxxxx/report', { reason: 'spam' }, address())).status).toBe(404)
    expect((await submit('/xxxxxxxx/report', {}, address())).status).toBe(404)
    expect((await send(`/${id}/report`, { method: 'PUT' })).status).toBe(405)
  })

  it('is linked from every document page, including those that ask for a password or a confirmation', async () => {
    const { key } = await account()
    for (const settings of [{}, { encrypted: true }, { instant_delete: true }]) {
      const { id } = await create('x', settings, { key })
      expect(await (await send(`/${id}`)).text()).toContain(`href="/${id}/report"`)
    }
  })

  it('stores the report and says thank you', async () => {
    const { id } = await create('x')
    const comment = 'it <b>asks</b> for "passwords" 😀\r\n\r\n\u202e\u0000 evil\r\n'
    const answer = await submit(`/${id}/report`, { reason: 'malware', comment }, address())
    expect(answer.status).toBe(303)
    expect(await findReports(id)).toEqual([
      { reason: 'malware', words: 'it <b>asks</b> for "passwords" 😀\n\n\u202e\u0000 evil' },
    ])
    const thanks = await send(answer.headers.get('Location') ?? '')
    expect(thanks.status).toBe(200)
    expect(await thanks.text()).toContain('<h1>Thank you</h1>')
  })

  it('counts an emoji as one character', async () => {
    const { id } = await create('x')
    const fields = { reason: 'other', comment: '😀'.repeat(1_000) }
    expect((await submit(`/${id}/report`, fields, address())).status).toBe(303)
  })

  it.each([
    ['no reason', { comment: 'mine </textarea><script>' }, 'Choose a reason.'],
    ['an unknown reason', { reason: 'x"><script>', comment: 'mine </textarea><script>' }, 'Choose a reason.'],
    [
      'a comment that is too long',
      { reason: 'illegal', comment: `mine </textarea><script>${'x'.repeat(977)}` },
      '1 character too long',
    ],
  ])('is shown again with the input for %s', async (_, fields, problem) => {
    const { id } = await create('x')
    const answer = await submit(`/${id}/report`, fields as Record<string, string>, address())
    expect(answer.status).toBe(400)
    const html = await answer.text()
    expect(html).toMatch(new RegExp(`role="alert" id="(reason|comment)-problem">[^<]*${problem}`))
    expect(html).toContain('mine &lt;/textarea&gt;&lt;script&gt;')
    expect(html).not.toContain('<script>')
    if ('reason' in fields && fields.reason === 'illegal') {
      expect(html).toMatch(/value="illegal"[^>]* checked/)
    }
    expect(await findReports(id)).toEqual([])
  })

  it('is shown again with the input when storage fails', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { id } = await create('x')
    const bindings = withFailing('DB.batch', 'D1_ERROR: D1 DB is overloaded.')
    const init = {
      method: 'POST',
      body: new URLSearchParams({ reason: 'spam', comment: 'my whole comment' }),
      headers: { Origin: ORIGIN, ...address() },
    }
    const answer = await send(`/${id}/report`, init, { bindings })
    expect(answer.status).toBe(503)
    expect(await answer.text()).toMatch(/value="spam"[^>]* checked[\s\S]*my whole comment/)
    expect(log).toHaveBeenCalledTimes(1)
    expect(JSON.stringify(log.mock.calls)).not.toContain('my whole comment')
  })

  it('refuses forms from other sites or without an origin', async () => {
    const { id } = await create('x')
    const init = { method: 'POST', body: new URLSearchParams({ reason: 'spam' }) }
    for (const headers of [
      { Origin: 'https://elsewhere.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      {},
    ]) {
      const answer = await send(`/${id}/report`, { ...init, headers: { ...address(), ...headers } })
      expect(answer.status).toBe(403)
    }
    expect(await findReports(id)).toEqual([])
  })

  it('neither counts a view nor burns a document', async () => {
    const { key } = await account()
    const once = await create('burn', { instant_delete: true }, { key })
    const plain = await create('x')
    for (const { id } of [once, plain]) {
      await send(`/${id}/report`)
      expect((await submit(`/${id}/report`, { reason: 'spam' }, address())).status).toBe(303)
    }
    expect((await read(plain.id)).body.data.views).toBe(1)
    expect((await read(once.id)).body.data.content).toBe('burn')
  })

  it('accepts reports from signed-in users', async () => {
    const { id } = await create('x')
    const headers = { ...(await session(await account())), ...address() }
    expect((await submit(`/${id}/report`, { reason: 'privacy' }, headers)).status).toBe(303)
  })

  it('returns 413 for a huge form', async () => {
    const { id } = await create('x')
    const fields = { reason: 'spam', comment: 'x'.repeat(100_000) }
    expect((await submit(`/${id}/report`, fields, address())).status).toBe(413)
  })
})

describe('the rate limit on reports', () => {
  it('returns 429 with the input', async () => {
    const { id } = await create('x')
    const headers = address()
    const report = (comment: string) => submit(`/${id}/report`, { reason: 'spam', comment }, headers, LIMITED)
    for (let sent = 0; sent < 5; sent++) expect((await report('')).status).toBe(303)
    const refused = await report('kept')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Retry-After')).toBe('60')
    expect(refused.headers.get('RateLimit')).toBe('"reports";r=0;t=60')
    expect(refused.headers.get('RateLimit-Policy')).toBe('"reports";q=5;w=60')
    const html = await refused.text()
    expect(html).toMatch(/role="alert"[^>]*>You’ve sent too many reports\. Try again in a minute\./)
    expect(html).toContain('kept')
    expect((await submit(`/${id}/report`, { reason: 'spam' }, address(), LIMITED)).status).toBe(303)
  })

  it("doesn't count invalid forms", async () => {
    const { id } = await create('x')
    const headers = address()
    for (let sent = 0; sent < 6; sent++) await submit(`/${id}/report`, {}, headers, LIMITED)
    expect((await submit(`/${id}/report`, { reason: 'spam' }, headers, LIMITED)).status).toBe(303)
  })
})
