import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { contentCache } from '../../../src/documents/content-store.ts'
import { account, session, suspend } from '../../support/accounts.ts'
import { bindingsWith, countCalls } from '../../support/bindings.ts'
import { create, createAnonymous, edit, ORIGIN, read, remove, send } from '../../support/client.ts'
import { requestPage, visit } from '../../support/site/forms.ts'

const CODE = Array.from({ length: 120 }, (_, index) => `line ${index + 1}`).join('\n')

/** Returns what tells answers apart, without what differs between any two. */
const withoutRequestId = ({ status, headers, html }: Awaited<ReturnType<typeof visit>>) => ({
  status,
  html,
  headers: [...headers].filter(([name]) => name !== 'x-request-id'),
})

describe('an embed', () => {
  it('shows a document with its title and language, and links to it', async () => {
    const { id } = await createAnonymous('const x = "<b>"\n', undefined)
    const { status, headers, html } = await visit(`/${id}/embed`)
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toContain('text/html')
    expect(html).toContain('const x = "&lt;b&gt;"')
    expect(html).toContain(`href="${ORIGIN}/${id}"`)
    expect(html).toContain('<base target="_blank"')
    expect(html).not.toMatch(/<(form|button|input)/)
  })

  it('is the only page that other sites may frame', async () => {
    const { id } = await createAnonymous('x')
    const embed = await visit(`/${id}/embed`)
    expect(embed.headers.get('X-Frame-Options')).toBeNull()
    expect(embed.headers.get('Content-Security-Policy')).toContain('frame-ancestors *')
    expect(embed.headers.get('Content-Security-Policy')).toContain("form-action 'none'")
    expect(embed.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin')
    for (const path of [`/${id}`, `/${id}/embed/code`, `/${id}/edit`, `/r/${id}`, '/', `/${id}/embedded`]) {
      const { headers } = await visit(path, { headers: { Accept: 'text/html' } })
      expect({ path, options: headers.get('X-Frame-Options') }).toEqual({ path, options: 'DENY' })
      expect(headers.get('Content-Security-Policy')).not.toContain('frame-ancestors *')
    }
  })

  it('is never indexed, even if the document is', async () => {
    const { key } = await account()
    const { id } = await create('x', { public: true }, { key })
    expect((await visit(`/${id}`)).headers.get('X-Robots-Tag')).toBeNull()
    expect((await visit(`/${id}/embed`)).headers.get('X-Robots-Tag')).toBe('noindex')
  })

  it('counts a view; HEAD and 304 count none and fetch no content', async () => {
    const { id } = await createAnonymous('x')
    const { headers } = await visit(`/${id}/embed`)
    expect(headers.get('Cache-Control')).toBe('private, no-cache')
    const { bindings, calls } = countCalls()
    const tag = headers.get('ETag') ?? ''
    const fresh = await requestPage(`/${id}/embed`, { headers: { 'If-None-Match': tag } }, bindings)
    const head = await requestPage(`/${id}/embed`, { method: 'HEAD' }, bindings)
    expect([fresh.status, head.status, head.html]).toEqual([304, 200, ''])
    expect(fresh.headers.get('X-Frame-Options')).toBeNull()
    // The second answer is from the same query.
    expect(calls).toEqual(['DB.reads'])
    expect((await read(id)).body.data.views).toBe(2)
  })

  it('changes its entity tag with the document', async () => {
    const { id, headers } = await createAnonymous('before')
    const tag = (await visit(`/${id}/embed`)).headers.get('ETag') ?? ''
    await edit({ id, content: 'after' }, { headers })
    const { status, html } = await visit(`/${id}/embed`, { headers: { 'If-None-Match': tag } })
    expect(status).toBe(200)
    expect(html).toContain('after')
  })

  it('asks nobody who they are', async () => {
    const user = await account()
    const { id } = await create('x', {}, { key: user.key })
    const { bindings, calls } = countCalls()
    const signedIn = await visit(`/${id}/embed`, { headers: await session(user), bindings })
    expect(calls.filter((name) => name.startsWith('DB'))).toEqual(['DB.reads'])
    const anonymous = await visit(`/${id}/embed`)
    expect(withoutRequestId(signedIn)).toEqual(withoutRequestId(anonymous))
    expect(anonymous.headers.get('Set-Cookie')).toBeNull()
  })

  it('shows the lines that are asked for, with their numbers', async () => {
    const { id } = await createAnonymous(CODE)
    const { html } = await visit(`/${id}/embed?lines=10-40`)
    expect(html).toContain('Lines 10–40 of 120')
    expect(html).toContain('>10\n11\n')
    expect(html).toContain('line 10\n')
    expect(html).not.toContain('line 9\n')
    expect(html).not.toContain('line 41')
    expect(html).toContain(`href="${ORIGIN}/${id}#L10-L40"`)
    expect((await visit(`/${id}/embed?lines=7`)).html).toContain('Line 7 of 120')
    expect((await visit(`/${id}/embed?lines=L119-L400`)).html).toContain('Lines 119–120 of 120')
    expect((await visit(`/${id}/embed?lines=1-120`)).html).not.toContain('of 120')
  })

  it('says so if the lines are not there or make no sense', async () => {
    const { id } = await createAnonymous(CODE)
    const missing = await visit(`/${id}/embed?lines=121-130`)
    expect(missing.status).toBe(416)
    expect(missing.html).toContain('doesn’t have these lines')
    const invalid = await visit(`/${id}/embed?lines=40-10`)
    expect(invalid.status).toBe(400)
    for (const { headers } of [missing, invalid]) {
      expect(headers.get('X-Frame-Options')).toBeNull()
      expect(headers.get('Cache-Control')).toBe('no-store')
    }
  })

  it('has the theme that is asked for', async () => {
    const { id } = await createAnonymous('x')
    expect((await visit(`/${id}/embed?theme=dark`)).html).toContain('<html lang="en" data-theme="dark">')
    expect((await visit(`/${id}/embed?theme=light`)).html).toContain('data-theme="light"')
    const cookie = { headers: { Cookie: 'theme=dark' } }
    for (const path of [`/${id}/embed`, `/${id}/embed?theme=%22%3E`]) {
      expect((await visit(path, cookie)).html).toContain('<html lang="en">')
    }
  })

  it('warns about hidden characters', async () => {
    const { id } = await createAnonymous('one\ntwo\nif (admin\u202E) {}\n')
    expect((await visit(`/${id}/embed?lines=2-3`)).html).toMatch(
      /Be careful:.*1 bidirectional control character \(line 3\)/s,
    )
  })

  it('shows the beginning of 10 MiB, whether of lines or of one line', async () => {
    const lines = await createAnonymous('0123456789abcde\n'.repeat(655_360))
    const many = await visit(`/${lines.id}/embed`)
    expect(many.html).toContain('Lines 1–2,000 of 655,360')
    expect(many.html).toContain('This is only the beginning')
    expect(many.html.length).toBeLessThan(100_000)
    const line = await createAnonymous(`${'x'.repeat(256 * 1024 - 1)}${'😀'.repeat(2_500_000)}`)
    const one = await visit(`/${line.id}/embed`)
    expect(one.html).toContain('This is only the beginning')
    expect(one.html.length).toBeLessThan(300_000)
    expect(one.html).not.toContain('\uFFFD')
  })
})

describe('the embed of a document that may not be embedded', () => {
  it('is one page for all of them, whatever else the address says', async () => {
    const owner = await account()
    const { key } = owner
    const encrypted = await create('x', { encrypted: true }, { key })
    const burning = await create('x', { instant_delete: true }, { key })
    const both = await create('x', { instant_delete: true, encrypted: true }, { key })
    const deleted = await create('x', {}, { key })
    await remove(deleted.id, { key })
    const expired = await create('x', {}, { key })
    await env.DB.prepare('UPDATE documents SET expires_at = 1 WHERE id = ?').bind(expired.id).run()
    const banned = await account()
    const suspended = await create('x', {}, { key: banned.key })
    await suspend(banned)
    const ids = [encrypted, burning, both, deleted, expired, suspended].map(({ id }) => id)
    for (const query of ['', '?lines=1-2', '?lines=x', '?theme=dark']) {
      const missing = await visit(`/bcdfghjk/embed${query}`)
      expect(missing.status).toBe(404)
      expect(missing.html).toContain('This document isn’t available.')
      expect(missing.headers.get('X-Frame-Options')).toBeNull()
      for (const id of ids) {
        const answer = await visit(`/${id}/embed${query}`, { headers: await session(owner) })
        expect(withoutRequestId(answer)).toEqual(withoutRequestId(missing))
      }
    }
    expect((await read(burning.id, { key: banned.key })).status).toBe(200)
  })

  it('never burns a document that somebody changes at the same time', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    let changed = false
    const bindings = bindingsWith(async (name, run) => {
      if (name === 'CONTENTS.get' && !changed) {
        changed = true
        await edit({ id, settings: { instant_delete: true } }, { key })
        return null
      }
      return run()
    })
    contentCache.clear()
    expect((await requestPage(`/${id}/embed`, {}, bindings)).status).toBe(404)
    expect(changed).toBe(true)
    expect((await read(id)).body.data.content).toBe('x')
  })

  it('answers a path that no document can have, and other methods, in the frame', async () => {
    expect((await visit('/not-an-id/embed')).status).toBe(404)
    const { id } = await createAnonymous('x')
    const { status, headers } = await requestPage(`/${id}/embed`, { method: 'POST' })
    expect([status, headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
    expect((await send(`/${id}/embed/`)).status).toBe(200)
  })
})

describe('the page with the code of an embed', () => {
  it('has code that fits the document', async () => {
    const { id } = await createAnonymous('one\ntwo\n', undefined)
    const { html, headers } = await visit(`/${id}/embed/code`)
    expect(html).toContain(
      `&lt;iframe src=&quot;${ORIGIN}/${id}/embed&quot; title=&quot;one&quot; width=&quot;100%&quot; height=&quot;154&quot;`,
    )
    expect(html).toContain(`src="/${id}/embed"`)
    expect(headers.get('Content-Security-Policy')).toContain("frame-src 'self'")
  })

  it('has code for some lines in a theme, and a limit on its height', async () => {
    const { id } = await createAnonymous(CODE)
    const { html } = await visit(`/${id}/embed/code?lines=L10-L14&theme=dark`)
    expect(html).toContain(`/${id}/embed?lines=10-14&amp;amp;theme=dark&quot;`)
    expect(html).toContain('height=&quot;198&quot;')
    expect((await visit(`/${id}/embed/code`)).html).toContain('height=&quot;528&quot;')
  })

  it('has code with room for the rendered text of a Markdown document', async () => {
    const { key } = await account()
    const [text, markdown] = [
      await create('one\ntwo\n', {}, { key }),
      await create('one\ntwo\n', { language: 'markdown' }, { key }),
    ]
    const getHeight = async (id: string) => {
      const { html } = await visit(`/${id}/embed/code`)
      return Number(/height=&quot;(\d+)/.exec(html)?.[1])
    }
    expect(await getHeight(markdown.id)).toBeGreaterThan(await getHeight(text.id))
  })

  it('says what is wrong with the lines, and has the code of the whole document', async () => {
    const { id } = await createAnonymous(CODE)
    for (const lines of ['x', '40-10', '121']) {
      const { status, html } = await visit(`/${id}/embed/code?lines=${lines}`)
      expect(status).toBe(400)
      expect(html).toContain('role="alert"')
      expect(html).toContain(`&lt;iframe src=&quot;${ORIGIN}/${id}/embed&quot;`)
    }
  })

  it('counts no view, and is not there for documents that may not be embedded', async () => {
    const { key } = await account()
    const plain = await create('x', {}, { key })
    await visit(`/${plain.id}/embed/code`)
    expect((await read(plain.id)).body.data.views).toBe(1)
    for (const settings of [{ encrypted: true }, { instant_delete: true }]) {
      const { id } = await create('x', settings, { key })
      expect((await visit(`/${id}/embed/code`)).status).toBe(404)
      expect((await visit(`/${id}`)).html).not.toContain('/embed/code')
    }
    expect((await visit(`/${plain.id}`)).html).toContain(`/${plain.id}/embed/code`)
  })
})
