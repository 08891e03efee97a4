import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { account, session } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { create, ORIGIN, read, send, submit } from '../support/client.ts'

let addresses = 0

/** An address that nobody has reported from. */
const address = () => ({ 'CF-Connecting-IP': `2001:db8::${++addresses}` })

const reportsOf = async (id: string) =>
  (await env.DB.prepare('SELECT reason, words FROM reports WHERE document_id = ?1').bind(id).all()).results

describe('the form for a report', () => {
  it('is there for everyone, and for no document that is not', async () => {
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

  it('is a link on every page of a document, those that ask first included', async () => {
    const { key } = await account()
    for (const settings of [{}, { encrypted: true }, { instant_delete: true }]) {
      const { id } = await create('x', settings, { key })
      expect(await (await send(`/${id}`)).text()).toContain(`href="/${id}/report"`)
    }
  })

  it('keeps what was told, and says thanks', async () => {
    const { id } = await create('x')
    const words = 'it <b>asks</b> for "passwords" 😀\r\n\r\n\u202e\u0000 evil\r\n'
    const answer = await submit(`/${id}/report`, { reason: 'malware', words }, address())
    expect(answer.status).toBe(303)
    expect(await reportsOf(id)).toEqual([
      { reason: 'malware', words: 'it <b>asks</b> for "passwords" 😀\n\n\u202e\u0000 evil' },
    ])
    const thanks = await send(answer.headers.get('Location') ?? '')
    expect(thanks.status).toBe(200)
    expect(await thanks.text()).toContain('<h1>Thank you</h1>')
  })

  it('takes a thousand emojis for a thousand characters', async () => {
    const { id } = await create('x')
    const fields = { reason: 'other', words: '😀'.repeat(1_000) }
    expect((await submit(`/${id}/report`, fields, address())).status).toBe(303)
  })

  it.each([
    ['no reason', { words: 'mine </textarea><script>' }, 'Choose what is wrong'],
    ['a reason that is none', { reason: 'x"><script>', words: 'mine </textarea><script>' }, 'Choose what'],
    [
      'too many words',
      { reason: 'illegal', words: `mine </textarea><script>${'x'.repeat(977)}` },
      '1 character too many',
    ],
  ])('comes back with what was typed when it has %s', async (_, fields, problem) => {
    const { id } = await create('x')
    const answer = await submit(`/${id}/report`, fields as Record<string, string>, address())
    expect(answer.status).toBe(400)
    const html = await answer.text()
    expect(html).toMatch(new RegExp(`role="alert" id="problem">[^<]*${problem}`))
    expect(html).toContain('mine &lt;/textarea&gt;&lt;script&gt;')
    expect(html).not.toContain('<script>')
    if ('reason' in fields && fields.reason === 'illegal') {
      expect(html).toMatch(/value="illegal"[^>]* checked/)
    }
    expect(await reportsOf(id)).toEqual([])
  })

  it('comes back with what was typed when it can not be kept', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { id } = await create('x')
    const bindings = bindingsWith(async (call, run) => {
      if (call === 'DB.batch') throw new Error('D1_ERROR: D1 DB is overloaded.')
      return run()
    })
    const init = {
      method: 'POST',
      body: new URLSearchParams({ reason: 'spam', words: 'all my words' }),
      headers: { Origin: ORIGIN, ...address() },
    }
    const answer = await send(`/${id}/report`, init, { bindings })
    expect(answer.status).toBe(503)
    expect(await answer.text()).toMatch(/value="spam"[^>]* checked[\s\S]*all my words/)
    expect(log).toHaveBeenCalledTimes(1)
    expect(JSON.stringify(log.mock.calls)).not.toContain('all my words')
  })

  it('can not be sent by another site, nor by nobody knows which', async () => {
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
    expect(await reportsOf(id)).toEqual([])
  })

  it('neither counts a view nor burns a document that is read once', async () => {
    const { key } = await account()
    const once = await create('once', { instant_delete: true }, { key })
    const plain = await create('x')
    for (const { id } of [once, plain]) {
      await send(`/${id}/report`)
      expect((await submit(`/${id}/report`, { reason: 'spam' }, address())).status).toBe(303)
    }
    expect((await read(plain.id)).body.data.views).toBe(1)
    expect((await read(once.id)).body.data.content).toBe('once')
  })

  it('is sent by those who are signed in, too', async () => {
    const { id } = await create('x')
    const headers = { ...(await session(await account())), ...address() }
    expect((await submit(`/${id}/report`, { reason: 'privacy' }, headers)).status).toBe(303)
  })

  it('refuses a form that nobody wrote by hand', async () => {
    const { id } = await create('x')
    const fields = { reason: 'spam', words: 'x'.repeat(100_000) }
    expect((await submit(`/${id}/report`, fields, address())).status).toBe(413)
  })
})

describe('reports from one address', () => {
  it('are limited, and who sends too many keeps the words', async () => {
    const { id } = await create('x')
    const headers = address()
    const answers: Response[] = []
    // One more than two minutes allow: the minute may turn while they are sent.
    for (let sent = 0; sent < 11; sent++) {
      answers.push(await submit(`/${id}/report`, { reason: 'spam', words: `words ${sent}.` }, headers))
    }
    expect(answers.slice(0, 5).map(({ status }) => status)).toEqual([303, 303, 303, 303, 303])
    const refused = answers.findIndex(({ status }) => status === 429)
    expect(refused).toBeGreaterThanOrEqual(5)
    const answer = answers[refused]
    expect(answer?.headers.get('Retry-After')).toBe('60')
    expect(answer?.headers.get('RateLimit')).toBe('"default";r=0;t=60')
    expect(answer?.headers.get('RateLimit-Policy')).toBe('"default";q=5;w=60')
    const html = (await answer?.text()) ?? ''
    expect(html).toMatch(/role="alert"[^>]*>Rate limit exceeded, retry in 60 seconds\./)
    expect(html).toContain(`words ${refused}.`)
    expect((await submit(`/${id}/report`, { reason: 'spam' }, address())).status).toBe(303)
  })

  it('that make no report are not counted', async () => {
    const { id } = await create('x')
    const headers = address()
    for (let sent = 0; sent < 11; sent++) await submit(`/${id}/report`, {}, headers)
    expect((await submit(`/${id}/report`, { reason: 'spam' }, headers)).status).toBe(303)
  })
})
