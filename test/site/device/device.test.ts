import { describe, expect, it, vi } from 'vitest'
import { MAX_ADDED_DOCUMENTS } from '../../../src/shared/document-ids.ts'
import { account, session } from '../../support/accounts.ts'
import { create, createAnonymous, ORIGIN, read, send, submit, withVars } from '../../support/client.ts'
import { visit } from '../../support/site/forms.ts'

const take = (documents: readonly { id: string; token: string }[], headers: Record<string, string>) => {
  const body = new FormData()
  for (const { id, token } of documents) body.append('document', `${id}.${token}`)
  return send('/device', { method: 'POST', body, headers })
}

const getCreator = async (id: string) => (await read(id)).body.data.creator

describe('the page of the documents on a device', () => {
  it('says without scripts why it shows nothing', async () => {
    const { status, html, headers } = await visit('/device')
    expect(status).toBe(200)
    expect(html).toContain('needs JavaScript')
    expect(html).toContain('data-signed-in="false"')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('X-Robots-Tag')).toBe('noindex')
  })

  it('says that a document was deleted', async () => {
    expect((await visit('/device?deleted=xxxxxxxx')).html).toContain('Document deleted.')
    expect((await visit('/device')).html).not.toContain('Document deleted.')
  })
})

describe('adding documents of this device to an account', () => {
  it('makes the account their creator, and takes their cookies', async () => {
    const owner = await account()
    const documents = [await createAnonymous('a'), await createAnonymous('b')]
    const answer = await take(documents, await session(owner))
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect((JSON.parse(text).ids as string[]).sort()).toEqual(documents.map(({ id }) => id).sort())
    expect(text).not.toContain('regent_doc_')
    const cookies = answer.headers.getSetCookie()
    for (const { id } of documents) {
      expect(await getCreator(id)).toMatchObject({ username: owner.username })
      expect(cookies.some((cookie) => cookie.includes(`Max-Age=0; Path=/${id};`))).toBe(true)
    }
  })

  it('skips documents with a wrong token', async () => {
    const [mine, other] = [await createAnonymous('a'), await createAnonymous('b')]
    const answer = await take([{ id: other.id, token: mine.token }, mine], await session(await account()))
    expect(await answer.json()).toEqual({ ids: [mine.id] })
    expect(await getCreator(other.id)).toBeNull()
  })

  it('takes a confirmed account that is signed in, and a page of this site', async () => {
    const own = await createAnonymous('a')
    const confirmed = await session(await account())
    const unconfirmed = await session(await account({ confirmed: false }))
    const refused = [
      [{ Origin: ORIGIN }, 401],
      [unconfirmed, 403],
      [{ ...confirmed, Origin: 'https://evil.example' }, 403],
      [{ Cookie: confirmed.Cookie }, 403],
    ] as const
    for (const [headers, status] of refused) {
      const answer = await take([own], headers)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toEqual({ message: expect.any(String) })
    }
    expect(await getCreator(own.id)).toBeNull()
  })

  it('is limited to 100 documents at once', async () => {
    const held = Array.from({ length: MAX_ADDED_DOCUMENTS + 1 }, () => ({ id: 'xxxx', token: 'x' }))
    expect((await take(held, await session(await account()))).status).toBe(400)
  })
})

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
      expect(html).toContain('<h1>This management link doesn’t work</h1>')
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
