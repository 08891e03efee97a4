import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { findHiddenCharacters } from '../../src/shared/hidden-characters.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { create, read, send } from '../support/client.ts'

async function get(path: string, init: RequestInit = {}, bindings: Env = env) {
  const response = await send(path, init, { bindings })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

const form = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
})

describe('the page of a document', () => {
  it('shows the text, escaped and numbered, with its facts and links', async () => {
    const { key, username } = await account()
    const settings = { language: 'typescript', expiration: null }
    const { id } = await create('<script>alert("x")</script>\n& so on\n', settings, { key })
    const { status, headers, html } = await get(`/${id}`)
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toMatch(/^text\/html; charset=utf-8/i)
    expect(html).toMatch(/^<!doctype html><html lang="en">/i)
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;\n&amp; so on\n</code>')
    const scripts = html.match(/<script[^>]*>/g) ?? []
    expect(scripts.length).toBeGreaterThan(0)
    for (const script of scripts) {
      expect(script).toMatch(/^<script type="module" src="\/assets\/immutable\/[\w-]+\.js">$/)
    }
    expect(html).toContain('aria-hidden="true"><span id="L1">1</span>\n<span id="L2">2</span></pre>')
    expect(html).toContain(`<h1>${id}</h1>`)
    expect(html).toContain(`href="/r/${id}"`)
    for (const fact of ['TypeScript', '<dd>1</dd>', username, 'never']) expect(html).toContain(fact)
  })

  it('escapes a language that nobody knows', async () => {
    const { key } = await account()
    const { id } = await create('x', { language: '<b>"' }, { key })
    expect((await get(`/${id}`)).html).toContain('&lt;b&gt;&quot;')
  })

  it('counts as a view, and POST leads back to it', async () => {
    const { id } = await create('x')
    await get(`/${id}`)
    const { status, headers } = await get(`/${id}`, { method: 'POST' })
    expect({ status, location: headers.get('Location') }).toEqual({ status: 303, location: `/${id}` })
    expect((await read(id)).body.data.views).toBe(2)
  })

  it('carries the whole set of security headers, as every page does', async () => {
    const { id } = await create('x')
    for (const path of [`/${id}`, '/', '/nothing/here', `/r/xxxxxxxx`]) {
      const { headers } = await get(path)
      const policy = headers.get('Content-Security-Policy')
      for (const part of [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ]) {
        expect(policy).toContain(part)
      }
      expect(policy).not.toContain('unsafe')
      expect(headers.get('Referrer-Policy')).toBe('same-origin')
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('X-Frame-Options')).toBe('DENY')
      expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000')
      expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin')
      expect(headers.get('Permissions-Policy')).toContain('camera=()')
    }
  })
})

describe('what hides in a text', () => {
  it('is warned of, with how much of it there is and where', async () => {
    const { id } = await create('a\nb\u202Ec\u2066d\nword\u200Bword\0', undefined)
    const { html } = await get(`/${id}`)
    expect(html).toContain('role="note"')
    expect(html).toMatch(/2 bidirectional control characters, <a href="#L2">first on line 2<\/a>/)
    expect(html).toMatch(/2 invisible characters, <a href="#L3">first on line 3<\/a>/)
  })

  it('is found in a long text too', async () => {
    const { id } = await create(`${'line\n'.repeat(50_000)}\u202E`)
    expect((await get(`/${id}`)).html).toContain('one bidirectional control character, <a href="#L50001">')
  })

  it('is not what shapes emoji, joined scripts and ideographs', async () => {
    const text = '\uFEFF👨‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم क्‍ष 葛\u{E0100}\t\f\r\n'
    expect(findHiddenCharacters(text)).toEqual({ bidirectional: null, invisible: null })
    const { id } = await create(text)
    expect((await get(`/${id}`)).html).not.toContain('role="note"')
  })

  it('is found wherever it hides words', () => {
    for (const text of [
      'a\uFEFF',
      'a\u200Db',
      'a\u{E0041}',
      'a\u00ADb',
      'x\u3164',
      'y\uFE00',
      '\b',
      '😀\uFE0F\uFE0E',
    ])
      expect({ text, found: findHiddenCharacters(text).invisible?.count }).toEqual({ text, found: 1 })
  })

  it('is not the end of what a log tells a terminal, but any other bell', () => {
    const link = '\x1B]8;;https://example.com\x07a link\x1B]8;;\x07'
    expect(findHiddenCharacters(link).invisible).toBeNull()
    expect(findHiddenCharacters(`${link}\x07\n\x07`).invisible?.count).toBe(2)
  })

  it('is counted as far as it matters', () => {
    expect(findHiddenCharacters('\u202E\u200B'.repeat(2_000))).toEqual({
      bidirectional: { count: 1_000, firstLine: 1 },
      invisible: { count: 1_000, firstLine: 1 },
    })
  })
})

describe('the text of a page', () => {
  it('keeps carriage returns, and shows what no page can hold', async () => {
    const { id } = await create('a\r\nb\rc\0')
    expect((await get(`/${id}`)).html).toContain('>a&#13;\nb&#13;c\uFFFD</code>')
  })

  it('is saved under a name that every file system takes', async () => {
    const { key } = await account()
    const nameOf = async (text: string, language: string) => {
      const { id } = await create(text, { language }, { key })
      return /download="([^"]*)"/.exec((await get(`/${id}`)).html)?.[1]?.replace(id, 'ID')
    }
    expect(await nameOf('# A "heading"/..\\: what\n', 'markdown')).toBe('A-heading-what.md')
    expect(await nameOf('import x from "y"', 'typescript')).toBe('ID.ts')
    expect(await nameOf('con', 'plaintext')).toBe('ID.txt')
    expect(await nameOf('\n"<>\n', 'plaintext')).toBe('ID.txt')
    expect(await nameOf('x', '../"evil')).toBe('ID.txt')
  })
})

describe('the page of a long document', () => {
  it('has all of its text, escaped, whichever way it is sent', async () => {
    const text = '<b>😀</b> & "so" on\n'.repeat(20_000)
    const { id } = await create(text)
    const { html, headers } = await get(`/${id}`)
    expect(headers.get('Content-Type')).toMatch(/^text\/html; charset=utf-8/i)
    const escaped = '&lt;b&gt;😀&lt;/b&gt; &amp; &quot;so&quot; on\n'.repeat(20_000)
    const [, shown = ''] = /<code id="text">(.*)<\/code>/s.exec(html) ?? []
    expect(shown.match(/<span class="chunk">/g)?.length).toBe(40)
    expect(shown.replaceAll(/<span class="chunk">|<\/span>/g, '') === escaped).toBe(true)
    expect(html).toContain('\n20000</span></pre>')
    expect(html.endsWith('</html>')).toBe(true)
  })

  it('of 10 MiB of line breaks is sent without ten million numbers', async () => {
    const { id } = await create('\n'.repeat(10 * 1024 * 1024))
    const response = await send(`/${id}`)
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += chunk.byteLength
    expect(bytes).toBeGreaterThan(10 * 1024 * 1024)
    expect(bytes).toBeLessThan(11 * 1024 * 1024)
  })
})

describe('the page of an encrypted document', () => {
  it('asks for the password, and shows the text for the right one alone', async () => {
    const { key } = await account()
    const { id, password = '' } = await create('the secret', { encrypted: true }, { key })
    const asking = await get(`/${id}`)
    expect(asking.status).toBe(200)
    expect(asking.html).toContain('<label for="password">Password</label>')
    expect(asking.html).toContain(`<form method="post" action="/${id}">`)
    const wrong = await get(`/${id}`, form({ password: 'wrong' }))
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('role="alert"')
    expect(wrong.html).not.toContain('wrong"')
    for (const fields of [{ password: '' }, {}] as Record<string, string>[]) {
      const missing = await get(`/${id}`, form(fields))
      expect(missing.status).toBe(400)
      expect(missing.html).toContain('name="password"')
      expect(missing.html).not.toContain('role="alert"')
    }
    const right = await get(`/${id}`, form({ password }))
    expect(right.status).toBe(200)
    expect(right.html).toContain('the secret')
    expect(right.html).not.toContain(password)
    expect(right.headers.get('Cache-Control')).toBe('no-store')
    expect((await read(`${id}?password=${password}`)).body.data.views).toBe(2)
  })
})

describe('the page of a document with instant_delete', () => {
  it('asks before it deletes: no GET and no HEAD does', async () => {
    const { key } = await account()
    const { id } = await create('only once', { instant_delete: true }, { key })
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, html, headers } = await get(`/${id}`, { method, headers: { Purpose: 'prefetch' } })
      expect(status).toBe(200)
      expect(html).not.toContain('only once')
      expect(headers.get('Cache-Control')).toBe('no-store')
    }
    const claimed = await get(`/${id}`, { method: 'POST' })
    expect(claimed.status).toBe(200)
    expect(claimed.html).toContain('only once')
    // Browsers keep titles, after the document is gone.
    expect(claimed.html).toContain(`<title>${id} · `)
    expect(claimed.html).toMatch(/role="status">[^<]*deleted/)
    expect(claimed.html).not.toContain(`/r/${id}`)
    expect((await get(`/${id}`)).status).toBe(404)
    expect((await get(`/${id}`, { method: 'POST' })).status).toBe(404)
  })

  it('survives the forms of other sites', async () => {
    const { key } = await account()
    const { id } = await create('only once', { instant_delete: true }, { key })
    for (const path of [`/${id}`, `/r/${id}`]) {
      for (const Origin of ['https://evil.example', 'null']) {
        const refused = await get(path, { ...form({}), headers: { Origin } })
        expect(refused.status).toBe(403)
        expect(refused.html).not.toContain('only once')
      }
    }
    expect((await get(`/${id}`)).status).toBe(200)
  })

  it('survives a wrong password', async () => {
    const { key } = await account()
    const { id, password = '' } = await create(
      'only once',
      { instant_delete: true, encrypted: true },
      { key },
    )
    expect((await get(`/${id}`)).html).toContain('Password')
    expect(await get(`/${id}`, form({}))).toMatchObject({ status: 400 })
    const wrong = await get(`/${id}`, form({ password: 'wrong' }))
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('role="alert"')
    expect((await get(`/${id}`, form({ password }))).html).toContain('only once')
    expect((await get(`/${id}`)).status).toBe(404)
  })

  it('shows itself to its creator without being deleted', async () => {
    const { key } = await account()
    const { id } = await create('only once', { instant_delete: true }, { key })
    expect((await get(`/${id}`, { headers: { Authorization: key } })).html).toContain('only once')
    expect((await get(`/${id}`)).status).toBe(200)
  })
})

describe('the home page', () => {
  it('makes a document of a form, byte for byte but for the line breaks that forms add', async () => {
    const body = new FormData()
    body.set('content', 'one\r\ntwo 😀\r\n')
    const { status, headers } = await get('/', { method: 'POST', body })
    expect(status).toBe(303)
    const id = headers.get('Location')?.slice(1) ?? ''
    expect((await read(id)).body.data).toMatchObject({ content: 'one\ntwo 😀\n', creator: null })
  })

  it.each([
    ['multipart/form-data', ''],
    ['multipart/form-data; boundary=abc', 'nonsense'],
  ])('answers 400 to a form that can not be read: %s', async (contentType, body) => {
    const { key } = await account()
    const { id } = await create('x', { instant_delete: true }, { key })
    for (const path of ['/', `/${id}`, `/r/${id}`]) {
      const init = { method: 'POST', headers: { 'Content-Type': contentType }, body }
      expect((await get(path, init)).status).toBe(400)
    }
    expect((await read(id)).status).toBe(200)
  })

  it('does not read passwords of a megabyte', async () => {
    const { key } = await account()
    const { id } = await create('x', { encrypted: true }, { key })
    const body = `password=${'x'.repeat(1024 * 1024)}`
    for (const path of [`/${id}`, `/r/${id}`]) {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      expect((await get(path, { method: 'POST', headers, body })).status).toBe(413)
    }
  })

  it('gives back what was typed when it can not be stored', async () => {
    const empty = await get('/', form({ content: '' }))
    expect(empty.status).toBe(400)
    expect(empty.html).toContain('role="alert"')
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const failing = bindingsWith(async (call, run) => {
      if (call === 'CONTENTS.put') throw new Error('no')
      return run()
    })
    const failed = await get('/', form({ content: 'my only copy </textarea>' }), failing)
    expect(failed.status).toBe(503)
    expect(failed.html).toContain('>\nmy only copy &lt;/textarea&gt;')
    expect(failed.headers.get('Cache-Control')).toBe('no-store')
    expect(log).toHaveBeenCalledTimes(1)
    const small = { ...env, MAX_CONTENT_BYTES: '4' } as unknown as Env
    const large = await get('/', form({ content: 'too large' }), small)
    expect(large.status).toBe(413)
    expect(large.html).toContain('Content is too large')
  })

  it('gives back a long text whole, and not one that no one typed', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const failing = bindingsWith(async (call, run) => {
      if (call === 'CONTENTS.put') throw new Error('no')
      return run()
    })
    const text = '<&>"'.repeat(50_000)
    const failed = await get('/', form({ content: text }), failing)
    expect(failed.status).toBe(503)
    expect(failed.html.includes(`>\n${'&lt;&amp;&gt;&quot;'.repeat(50_000)}</textarea>`)).toBe(true)
    const body = new FormData()
    body.set('content', '"'.repeat(11 * 1024 * 1024))
    const refused = await get('/', { method: 'POST', body })
    expect(refused.status).toBe(413)
    expect(refused.html.length).toBeLessThan(10_000)
  })
})

describe('pages of errors', () => {
  it.each([
    ['/xxxxxxxx', 'GET', 404],
    ['/no/such/page', 'GET', 404],
    ['/v1abc', 'GET', 404],
    ['/', 'DELETE', 405],
    ['/xxxxxxxx', 'PUT', 405],
    ['/sign-in', 'PUT', 405],
    ['/sign-up', 'DELETE', 405],
    ['/sign-out', 'PATCH', 405],
  ])('%s by %s', async (path, method, status) => {
    const answer = await get(path, { method })
    expect(answer.status).toBe(status)
    expect(answer.html).toMatch(/<h1>[^<]+<\/h1>/)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
  })

  it('say nothing of a fault but that it is ours', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const bindings = bindingsWith(async () => {
      throw new Error('secret cause')
    })
    const { status, html } = await get('/xxxxxxxx', {}, bindings)
    expect(status).toBe(500)
    expect(html).not.toContain('secret cause')
    expect(log).toHaveBeenCalledTimes(1)
  })
})

describe('the picture of an account', () => {
  it('is drawn from the id alone, for anyone to embed and keep', async () => {
    const first = await get('/icons/account1.svg')
    expect(first.status).toBe(200)
    expect(first.headers.get('Content-Type')).toBe('image/svg+xml')
    expect(first.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin')
    expect(first.html).toMatch(/^<svg /)
    expect((await get('/icons/account1.svg')).html).toBe(first.html)
    expect((await get('/icons/account2.svg')).html).not.toBe(first.html)
    expect((await get('/icons/a.png')).status).toBe(404)
  })
})
