import { describe, expect, it, vi } from 'vitest'
import { account } from '../../support/accounts.ts'
import { bindingsWith } from '../../support/bindings.ts'
import { create, read, withVars } from '../../support/client.ts'
import { postForm, requestPage } from '../../support/site/forms.ts'

describe('a new document without an account', () => {
  it('is created from the form, with its line breaks restored', async () => {
    const body = new FormData()
    body.set('content', 'one\r\ntwo 😀\r\n')
    const { status, headers } = await requestPage('/', { method: 'POST', body })
    expect(status).toBe(303)
    const id = headers.get('Location')?.slice(1) ?? ''
    expect((await read(id)).body.data).toMatchObject({ content: 'one\ntwo 😀\n', creator: null })
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

  it('comes back as it was typed if it cannot be stored', async () => {
    const empty = await requestPage('/', postForm({ content: '' }))
    expect(empty.status).toBe(400)
    expect(empty.html).toContain('role="alert"')
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const failing = bindingsWith(async (call, run) => {
      if (call === 'CONTENTS.put') throw new Error('no')
      return run()
    })
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
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const failing = bindingsWith(async (call, run) => {
      if (call === 'CONTENTS.put') throw new Error('no')
      return run()
    })
    const text = '<&>"'.repeat(50_000)
    const failed = await requestPage('/', postForm({ content: text }), failing)
    expect(failed.status).toBe(503)
    expect(failed.html.includes(`>\n${'&lt;&amp;&gt;&quot;'.repeat(50_000)}</textarea>`)).toBe(true)
    const body = new FormData()
    body.set('content', '"'.repeat(11 * 1024 * 1024))
    const refused = await requestPage('/', { method: 'POST', body })
    expect(refused.status).toBe(413)
    expect(refused.html.length).toBeLessThan(10_000)
  })
})
