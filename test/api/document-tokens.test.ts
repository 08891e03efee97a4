import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { generateDocumentToken } from '../../src/documents/document.ts'
import { deriveClaimToken, parseJweHeader } from '../../src/shared/jwe.ts'
import { account, session } from '../support/accounts.ts'
import { withFailing } from '../support/bindings.ts'
import { call, create, createAnonymous, edit, read, remove, send, withVars } from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'

const EDIT_403 = 'You are not allowed to edit this document'
const DELETE_403 = 'You do not own this document'

const withToken = (token: string) => ({ headers: { 'X-Document-Token': token } })

const storedHash = (id: string) =>
  env.DB.prepare('SELECT token_hash FROM documents WHERE id = ?1').bind(id).first<string | null>('token_hash')

describe('an anonymous create', () => {
  it('returns a token of its own in a header, and nowhere in the body', async () => {
    const answers = [
      await call('POST', '/v1/document', { content: 'x' }),
      await call('POST', '/v1/documents', { content: 'x'.repeat(600_000) }),
    ]
    const tokens = answers.map(({ headers }) => headers.get('X-Document-Token') ?? '')
    for (const token of tokens) expect(token).toMatch(/^regent_doc_[A-Za-z0-9]{36}$/)
    expect(new Set(tokens).size).toBe(2)
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain('regent_doc_')
  })

  it('stores the SHA-256 of the token, and the token nowhere', async () => {
    const { id, token } = await createAnonymous('x')
    const { results } = await env.DB.prepare('SELECT * FROM documents WHERE id = ?1').bind(id).all()
    expect(JSON.stringify(results)).not.toContain(token.slice(-36))
    expect(await storedHash(id)).toMatch(/^[\w-]{43}$/)
  })

  it('returns no token if it fails', async () => {
    const answer = await call('POST', '/v1/document', { content: '' })
    expect(answer.headers.get('X-Document-Token')).toBeNull()
  })
})

describe('a create with a key or a session', () => {
  it('returns no token and stores no hash', async () => {
    const creator = await account()
    for (const options of [{ key: creator.key }, { headers: { ...(await session(creator)) } }]) {
      const answer = await call('POST', '/v1/document', { content: 'x' }, options)
      expect(answer.headers.get('X-Document-Token')).toBeNull()
      expect(await storedHash(answer.body.data.id)).toBeNull()
    }
  })
})

describe('the token with a stranger’s key', () => {
  async function cast() {
    const { id, token } = await createAnonymous('x')
    return { id, options: { ...withToken(token), key: (await account()).key } }
  }

  it('edits content and settings, and deletes', async () => {
    const { id, options } = await cast()
    const settings = { language: 'json', expiration: 30, image_embed: true }
    expect((await edit({ id, content: 'y', settings }, options)).status).toBe(200)
    expect((await read(id)).body.data).toMatchObject({ content: 'y', settings: { language: 'json' } })
    expect((await remove(id, options)).status).toBe(204)
    expect((await read(id)).status).toBe(404)
  })

  it('reads without burning', async () => {
    const { id, options } = await cast()
    expect((await edit({ id, settings: { instant_delete: true } }, options)).status).toBe(200)
    expect((await read(id, options)).body.data.content).toBe('x')
    expect((await read(id, withToken(generateDocumentToken()))).body.data.content).toBe('x')
    expect((await read(id)).status).toBe(404)
  })

  it('changes nothing about a document of another account, or one that doesn’t exist', async () => {
    const { options } = await cast()
    const { id } = await create('x', {}, { key: (await account()).key })
    expectError(await edit({ id, content: 'y' }, options), 403, EDIT_403)
    expectError(await remove(id, options), 403, DELETE_403)
    expect((await read(id, options)).status).toBe(200)
    expectError(await edit({ id: 'xxxxxxxx', content: 'y' }, options), 404, 'Document not found')
    expectError(await remove('xxxxxxxx', options), 404, 'Document not found')
  })
})

describe('a token', () => {
  it('works beside a session', async () => {
    const { id, headers } = await createAnonymous('x')
    const signedIn = { headers: { ...headers, ...(await session(await account())) } }
    expect((await edit({ id, content: 'y' }, signedIn)).status).toBe(200)
    expect((await remove(id, signedIn)).status).toBe(204)
  })

  it('doesn’t need a confirmed account beside it, but gives other documents’ editors no settings', async () => {
    const unconfirmed = await account({ confirmed: false })
    const { id, headers } = await createAnonymous('x')
    const settings = { language: 'json' }
    expect((await edit({ id, settings }, { headers, key: unconfirmed.key })).status).toBe(200)
    const { key } = await account()
    const shared = await create('x', { editors: [unconfirmed.username] }, { key })
    const answer = await edit({ id: shared.id, settings }, { headers, key: unconfirmed.key })
    expectError(answer, 403, 'Your account is not confirmed')
  })

  it('stays the document’s after edits', async () => {
    const { id, headers } = await createAnonymous('x')
    for (const content of ['y', 'z']) expect((await edit({ id, content }, { headers })).status).toBe(200)
    expect((await read(id)).body.data).toMatchObject({ content: 'z', creator: null })
    expect((await remove(id, { headers })).status).toBe(204)
  })

  it('edits an encrypted document with its password', async () => {
    const bindings = withVars({ ANONYMOUS_SETTINGS: 'allow' })
    const { id, headers, password } = await createAnonymous('x', { encrypted: true }, { bindings })
    const body = { id, content: 'y' }
    expectError(await edit(body, { headers }), 400, 'You can not edit an encrypted document', [['password']])
    expect((await edit({ ...body, password }, { headers })).status).toBe(200)
  })

  it('is worth nothing once the document has expired', async () => {
    const { id, headers } = await createAnonymous('x')
    await env.DB.prepare('UPDATE documents SET expires_at = 1 WHERE id = ?1').bind(id).run()
    for (const answer of [
      await read(id, { headers }),
      await edit({ id, content: 'y' }, { headers }),
      await remove(id, { headers }),
    ]) {
      expectError(answer, 404, 'Document not found')
    }
  })

  it('never appears in a response or a log, even when storage fails', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { id, headers, token } = await createAnonymous('x')
    const failing = withFailing('all', 'D1_ERROR: something is wrong')
    const hash = (await storedHash(id)) ?? 'none'
    for (const options of [{ headers }, { headers, bindings: failing }]) {
      for (const answer of [
        await read(id, options),
        await call('HEAD', `/v1/document/${id}`, undefined, options),
        await edit({ id, settings: { editors: ['nobody'] } }, options),
        await edit({ id, content: 'y' }, options),
        await remove(id, options),
      ]) {
        const shown = JSON.stringify([answer.body, [...answer.headers]])
        for (const secret of [token.slice(-36), hash]) expect(shown).not.toContain(secret)
      }
    }
    expect(log).toHaveBeenCalled()
    for (const secret of [token.slice(-36), hash])
      expect(JSON.stringify(log.mock.calls)).not.toContain(secret)
  })
})

describe('what needs an account', () => {
  it.each([
    ['public', { public: true }, "An anonymous document can't be public"],
    ['editors', { editors: ['anyone'] }, "An anonymous document can't have editors"],
  ])('is refused by an edit with a token: %s', async (_, settings, message) => {
    const { id, headers } = await createAnonymous('x')
    expectError(await edit({ id, content: 'y', settings }, { headers }), 403, message)
    expect((await read(id)).body.data.content).toBe('x')
  })

  it('is refused like any other fixed setting: create_gist', async () => {
    const { id, headers } = await createAnonymous('x')
    const answer = await edit({ id, settings: { create_gist: true } }, { headers })
    expectInvalid(answer, ['settings', 'create_gist'])
  })

  it('may be sent back as it is', async () => {
    const { id, headers } = await createAnonymous('x')
    const { settings } = (await read(id)).body.data
    expect((await edit({ id, content: 'y', settings }, { headers })).status).toBe(200)
  })
})

describe('If-Match with a token', () => {
  it('is checked after the token', async () => {
    const { id } = await createAnonymous('x')
    const headers = { ...withToken(generateDocumentToken()).headers, 'If-Match': '"outdated"' }
    expectError(await edit({ id, content: 'y' }, { headers }), 403, EDIT_403)
  })
})

describe('a burn-after-reading document with a token', () => {
  const createBurning = async (settings: Record<string, unknown> = {}) =>
    createAnonymous(
      'secret',
      { instant_delete: true, ...settings },
      { bindings: withVars({ ANONYMOUS_SETTINGS: 'allow' }) },
    )

  it('is burned neither by HEAD nor by the raw link nor by a claim, if its token comes with them', async () => {
    const { id, headers, password } = await createBurning({ encrypted: true })
    expect((await call('HEAD', `/v1/document/${id}`, undefined, { headers })).status).toBe(200)
    expect((await call('HEAD', `/v1/document/${id}`)).status).toBe(400)
    expect((await read(id, { headers })).body.data.content).toMatch(/^eyJ/)
    expect(await (await send(`/r/${id}`, { headers })).text()).toMatch(/^eyJ/)
    const { body } = await call('GET', `/v1/document/${id}/claim`)
    const claim = await deriveClaimToken(password ?? '', parseJweHeader(body.data.header ?? ''))
    const claimed = await call('POST', `/v1/document/${id}/claim`, { token: claim }, { headers })
    expect(claimed.body.data.content).toMatch(/^eyJ/)
    expect((await read(`${id}?password=${password}`, { headers })).body.data.content).toBe('secret')
    expect((await read(`${id}?password=${password}`)).body.data.content).toBe('secret')
    expect((await read(id, { headers })).status).toBe(404)
  })
})
