import { describe, expect, it, vi } from 'vitest'
import { account, session } from '../../support/accounts.ts'
import { bindingsWith, withFailing } from '../../support/bindings.ts'
import { create, ORIGIN, read, withVars } from '../../support/client.ts'
import { expectFaults } from '../../support/log.ts'
import { postForm, requestPage, sendForm, visit } from '../../support/site/forms.ts'

/** What browsers send when they open a page. Programs get a redirect instead. */
const BROWSER = { Accept: 'text/html,*/*' }

/** Returns the id of the document that a page without scripts shows after creating it. */
const findCreatedId = (html: string): string =>
  /href="https:\/\/paste\.example\/([A-Za-z0-9]{4,36})"/.exec(html)?.[1] ?? ''

describe('a new document without an account', () => {
  it('is created from the form, with its line breaks restored', async () => {
    const body = new FormData()
    body.set('content', 'one\r\ntwo 😀\r\n')
    const { status, html } = await requestPage('/', { method: 'POST', body, headers: BROWSER })
    expect(status).toBe(200)
    const id = findCreatedId(html)
    expect((await read(id)).body.data).toMatchObject({ content: 'one\ntwo 😀\n', creator: null })
  })

  it('is the first one if the script sends the form again with the same key, and only then', async () => {
    const owner = await session(await account())
    for (const identity of [{}, owner]) {
      const key = crypto.randomUUID()
      const share = async (content: string, headers: Record<string, string> = {}) => {
        const body = new FormData()
        body.set('content', new Blob([content]), 'content')
        // Each check of a person has a token of its own.
        body.set('cf-turnstile-response', crypto.randomUUID())
        const init = {
          method: 'POST',
          body,
          headers: { Origin: ORIGIN, Accept: 'application/json', ...headers, ...identity },
        }
        const { status, html } = await requestPage('/', init)
        return { status, data: JSON.parse(html).data }
      }
      const first = await share('sent again', { 'Idempotency-Key': key })
      expect(first.status).toBe(200)
      expect(await share('sent again', { 'Idempotency-Key': key })).toEqual(first)
      expect((await share('another text', { 'Idempotency-Key': key })).status).toBe(409)
      expect((await share('sent again')).data.id).not.toBe(first.data.id)
    }
  })

  it.each([
    ['multipart/form-data', ''],
    ['multipart/form-data; boundary=abc', 'nonsense'],
  ])('is refused with 400 if the form cannot be read: %s', async (contentType, body) => {
    const { key } = await account()
    const { id } = await create('x', { instant_delete: true }, { key })
    for (const path of ['/', `/${id}`, `/r/${id}`]) {
      const init = { method: 'POST', headers: { 'Content-Type': contentType }, body }
      expect((await requestPage(path, init)).status).toBe(400)
    }
    expect((await read(id)).status).toBe(200)
  })

  it('does not take passwords of a megabyte', async () => {
    const { key } = await account()
    const { id } = await create('x', { encrypted: true }, { key })
    const body = `password=${'x'.repeat(1024 * 1024)}`
    for (const path of [`/${id}`, `/r/${id}`]) {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      expect((await requestPage(path, { method: 'POST', headers, body })).status).toBe(413)
    }
  })

  it('does not take fields that are longer than any can be, and does not send them back', async () => {
    const long = '"'.repeat(5_000)
    const owner = await account()
    const { id } = await create('x', { encrypted: true }, { key: owner.key })
    const headers = { Accept: 'text/html', ...(await session(owner)) }
    for (const [path, name] of [
      ['/', 'title'],
      ['/', 'editors'],
      ['/', 'file_name_0'],
      [`/${id}/edit`, 'password'],
    ] as const) {
      const fields = { content: 'x', file_content_0: 'x', file_content_1: 'y', [name]: long }
      const { status, html } = await requestPage(path, { ...postForm(fields), headers })
      expect({ path, name, status }).toEqual({ path, name, status: 400 })
      expect(html).not.toContain('&quot;&quot;')
    }
  })

  it('comes back as it was typed if it cannot be stored', async () => {
    const empty = await requestPage('/', postForm({ content: '' }))
    expect(empty.status).toBe(400)
    expect(empty.html).toContain('role="alert"')
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const failing = withFailing('CONTENTS.put', 'no')
    const failed = await requestPage('/', postForm({ content: 'my only copy </textarea>' }), failing)
    expect(failed.status).toBe(503)
    expect(failed.html).toContain('>\nmy only copy &lt;/textarea&gt;')
    expect(failed.headers.get('Cache-Control')).toBe('no-store')
    expect(log).toHaveBeenCalledTimes(1)
    const small = withVars({ MAX_CONTENT_BYTES: '4' })
    const large = await requestPage('/', postForm({ content: 'too large' }), small)
    expect(large.status).toBe(413)
    expect(large.html).toContain('The text is too large')
  })

  it('comes back in full if it is long, but not if it is over the limit', async () => {
    expectFaults('request failed')
    const failing = withFailing('CONTENTS.put', 'no')
    const text = '<&>"'.repeat(50_000)
    const failed = await requestPage('/', postForm({ content: text }), failing)
    expect(failed.status).toBe(503)
    expect(failed.html.includes(`>\n${'&lt;&amp;&gt;"'.repeat(50_000)}</textarea>`)).toBe(true)
    const body = new FormData()
    body.set('content', '"'.repeat(11 * 1024 * 1024))
    const refused = await requestPage('/', { method: 'POST', body, headers: { Accept: 'text/html' } })
    expect(refused.status).toBe(413)
    expect(refused.html.length).toBeLessThan(25_000)
  })

  it('can have protections, and sets a cookie that proves who created it', async () => {
    const fields = { content: 'import os', title: 'a.py', language: 'auto', expires: 'hour', link: 'long' }
    const made = await sendForm('/', { ...fields, instant_delete: 'yes' }, { headers: BROWSER })
    expect(made.status).toBe(200)
    const id = findCreatedId(made.html)
    expect(id).toHaveLength(36)
    const cookie = made.headers.get('Set-Cookie') ?? ''
    expect(cookie).toContain(`Path=/${id}`)
    expect(cookie).toContain('HttpOnly')
    const page = await visit(`/${id}`, { headers: { Cookie: cookie.split(';', 1)[0] ?? '' } })
    expect(page.html).toContain('import os')
    const { data } = (await read(id)).body
    expect(data).toMatchObject({ creator: null, settings: { language: 'python', instant_delete: true } })
    expect(Date.parse(data.timestamps.expiration) - Date.now()).toBeLessThan(3_600_001)
  })

  it('comes with a management link, which sets the cookie in another browser', async () => {
    const made = await sendForm('/', { content: 'x' }, { headers: BROWSER })
    expect(made.headers.get('Cache-Control')).toBe('no-store')
    const id = findCreatedId(made.html)
    const token = /manage\?token=(regent_doc_[A-Za-z0-9]{36})"/.exec(made.html)?.[1]
    expect(made.html).toContain('Anyone with it can edit and delete the document.')
    const opened = await visit(`/${id}/manage?token=${token}`)
    expect({ status: opened.status, location: opened.location }).toEqual({ status: 303, location: `/${id}` })
    expect(opened.headers.get('Set-Cookie')).toContain(`${token}; Max-Age=`)
  })

  it('can be encrypted without scripts, and shows a generated password', async () => {
    const made = await sendForm('/', { content: 'secret', encryption: 'generated' })
    expect(made.status).toBe(200)
    const password = /<code id="password">([^<]{24})<\/code>/.exec(made.html)?.[1]
    const id = /href="[^"]*\/([A-Za-z0-9]{8})"/.exec(made.html)?.[1]
    expect(made.headers.get('Set-Cookie')).toContain(`Path=/${id}`)
    expect((await read(`${id}?password=${password}`)).body.data.content).toBe('secret')
  })

  it.each([
    ['month', ''],
    ['never', ''],
    ['date', new Date(Date.now() + 8 * 86_400_000).toISOString()],
  ])('is refused if it would last longer than 7 days: %s', async (expires, date) => {
    const answer = await sendForm('/', { content: 'typed', expires, expires_at: date })
    expect(answer.status).toBe(400)
    expect(answer.html).toContain('choose an expiry of up to 7 days')
  })

  it('may last longer and have a preview image if the operator allows anonymous settings', async () => {
    const bindings = withVars({ ANONYMOUS_SETTINGS: 'allow' })
    const { html } = await visit('/', { bindings })
    expect(html).toContain('1 year')
    const fields = { content: 'x', expires: 'year', image_embed: 'yes' }
    const made = await sendForm('/', fields, { bindings, headers: BROWSER })
    expect((await read(findCreatedId(made.html))).body.data.settings.image_embed).toBe(true)
    expect((await sendForm('/', { ...fields, editors: 'x' }, { bindings })).status).toBe(401)
  })

  it('is not offered, and refused, where only accounts create documents', async () => {
    const bindings = withVars({ ANONYMOUS_DOCUMENTS: 'refuse' })
    const { html } = await visit('/', { bindings })
    expect(html).toContain('Sign in to create documents')
    expect(html).not.toContain('<textarea')
    const refused = await sendForm('/', { content: 'typed' }, { bindings })
    expect(refused.status).toBe(401)
    expect(refused.html).toContain('>\ntyped')
  })

  it('is not stored for a session cookie that nobody signed', async () => {
    const calls: string[] = []
    const vars = { ANONYMOUS_DOCUMENTS: 'refuse' }
    const bindings = bindingsWith((call, run) => {
      calls.push(call)
      return run()
    }, vars)
    const headers = { Cookie: '__Host-regent.session_token=made.up' }
    expect((await sendForm('/', { content: 'typed' }, { bindings, headers })).status).toBe(401)
    expect(calls).toEqual([])
  })
})
