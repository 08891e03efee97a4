import { describe, expect, it, vi } from 'vitest'
import { account } from '../../support/accounts.ts'
import { create, createAnonymous, ORIGIN, read, send, submit, withVars } from '../../support/client.ts'
import { visit } from '../../support/site/forms.ts'

const NAME = '__Secure-regent.document_token'
const FOREIGN = `regent_doc_${'x'.repeat(36)}`
const allow = withVars({ ANONYMOUS_SETTINGS: 'allow' })

describe('the management link', () => {
  it('sets a cookie for the pages of the document, and leads there without the token', async () => {
    const { id, token } = await createAnonymous('x')
    const { status, location, headers, html } = await visit(`/${id}/manage?token=${token}`)
    expect({ status, location, html }).toEqual({ status: 303, location: `/${id}`, html: '' })
    const cookie = headers.get('Set-Cookie') ?? ''
    for (const part of [`${NAME}=${token}`, `Path=/${id}`, 'HttpOnly', 'Secure', 'SameSite=Lax'])
      expect(cookie).toContain(part)
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('X-Robots-Tag')).toBe('noindex')
    const page = await visit(`/${id}`, { headers: { Cookie: `${NAME}=${token}` } })
    expect(page.html).toContain(`href="/${id}/edit"`)
    expect(page.html).not.toContain(token)
  })

  it('is refused with a clear page for a wrong token, a foreign one, or none', async () => {
    const { id } = await createAnonymous('x')
    const other = await createAnonymous('y')
    const own = await create('z', {}, { key: (await account()).key })
    const paths = ['', 'token=', `token=${FOREIGN}`, `token=${other.token}`, 'token=%00'].map(
      (query) => `/${id}/manage?${query}`,
    )
    for (const path of [...paths, `/${own.id}/manage?token=${FOREIGN}`]) {
      const { status, html, headers } = await visit(path)
      expect(status).toBe(403)
      expect(html).toContain('This management link doesn’t work')
      expect(html).not.toContain('regent_doc_')
      expect(headers.get('Set-Cookie')).toBeNull()
    }
  })

  it('is not found once the document is gone', async () => {
    expect((await visit(`/xxxxxxxx/manage?token=${FOREIGN}`)).status).toBe(404)
    expect((await visit(`/no/manage?token=${FOREIGN}`)).status).toBe(404)
  })

  it('burns nothing', async () => {
    const { id, token } = await createAnonymous('x', { instant_delete: true }, { bindings: allow })
    expect((await visit(`/${id}/manage?token=${token}`)).status).toBe(303)
    expect((await read(id)).body.data.content).toBe('x')
  })

  it('writes no token to the log', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { id, token } = await createAnonymous('x')
    await visit(`/${id}/manage?token=${token}`, { bindings: withVars({ STORAGE_TIMEOUT_MS: '0' }) })
    expect(JSON.stringify(log.mock.calls)).not.toContain(token)
  })
})

describe('a script', () => {
  it('restores the cookie with the token', async () => {
    const { id, token } = await createAnonymous('x')
    const { status, headers } = await submit(`/${id}/manage`, { token })
    expect(status).toBe(204)
    expect(headers.get('Set-Cookie')).toContain(`${NAME}=${token}; Max-Age=`)
    expect((await submit(`/${id}/manage`, { token: FOREIGN })).status).toBe(403)
    expect((await submit(`/${id}/manage`, {})).status).toBe(403)
    expect((await submit('/xxxxxxxx/manage', { token })).status).toBe(404)
  })

  it('deletes the cookie', async () => {
    const { id } = await createAnonymous('x')
    const { status, headers } = await send(`/${id}/manage`, { method: 'DELETE', headers: { Origin: ORIGIN } })
    expect(status).toBe(204)
    expect(headers.get('Set-Cookie')).toContain(`${NAME}=; Max-Age=0; Path=/${id}`)
  })

  it('of another site can do neither', async () => {
    const { id, token } = await createAnonymous('x')
    const headers = { Origin: 'https://evil.example' }
    const answers = [
      await submit(`/${id}/manage`, { token }, headers),
      await send(`/${id}/manage`, { method: 'DELETE', headers }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(403)
      expect(answer.headers.get('Set-Cookie')).toBeNull()
    }
  })
})
