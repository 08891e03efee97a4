import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/http/limits-table.ts'
import { deriveClaimToken, parseJwe, parseJweHeader } from '../../src/shared/jwe.ts'
import { account } from '../support/accounts.ts'
import { call, create, edit, read, withVars } from '../support/client.ts'
import { expectError } from '../support/expect.ts'

const path = (id: string, rest = '') => `/v1/document/${id}/revisions${rest}`

async function createEdited(settings: Record<string, unknown> = {}) {
  const creator = await account()
  const editor = await account()
  const { id, password = '' } = await create(
    'one',
    { ...settings, editors: [editor.username] },
    { key: creator.key },
  )
  await edit({ id, content: 'two', ...(password !== '' && { password }) }, { key: creator.key })
  return { id, password, creator, editor }
}

describe('the revisions of a document', () => {
  it('can be read, but not restored or deleted, with a key that only reads', async () => {
    const reading = await account({ scope: 'read' })
    const { id } = await createEdited()
    for (const number of ['1', 'none']) {
      const restore = await call('POST', path(id, `/${number}/restore`), undefined, { key: reading.key })
      expect(restore.status).toBe(403)
    }
    expect((await call('DELETE', path(id), undefined, { key: reading.key })).status).toBe(403)
  })

  it('can be switched off by the creator alone', async () => {
    const { id, creator, editor } = await createEdited()
    const off = { id, settings: { revisions: false } }
    expectError(await edit(off, { key: editor.key }), 403, 'Only the creator can do that')
    expect((await edit({ id, settings: { revisions: true } }, { key: editor.key })).status).toBe(200)
    expect((await edit(off, { key: creator.key })).body.data.settings).toMatchObject({ revisions: false })
  })
})

describe('a restore', () => {
  it('says that there is no such revision before it compares the version', async () => {
    const { id, creator } = await createEdited()
    const stale = { key: creator.key, headers: { 'If-Match': '"json-old"' } }
    expect((await call('POST', path(id, '/1/restore'), undefined, stale)).status).toBe(412)
    expect((await call('POST', path(id, '/9/restore'), undefined, stale)).status).toBe(404)
  })

  it('brings back the language of the text, and leaves the next one to be detected', async () => {
    const { key } = await account()
    const { id } = await create('{"a": 1}', { language: 'auto' }, { key })
    const xml = '<?xml version="1.0"?>\n<a />\n'
    const saved = { settings: { language: 'xml' } }
    expect((await edit({ id, content: xml }, { key })).body.data).toMatchObject(saved)
    const restored = await call('POST', path(id, '/1/restore'), undefined, { key })
    expect(restored.body.data.settings.language).toBe('json')
    expect((await edit({ id, content: xml }, { key })).body.data).toMatchObject(saved)
  })

  it('brings back that somebody named the language, so that it stays', async () => {
    const { key } = await account()
    const { id } = await create('a=1\n', { language: 'ini' }, { key })
    await edit({ id, content: '{"a": 1}', settings: { language: 'auto' } }, { key })
    const restored = await call('POST', path(id, '/1/restore'), undefined, { key })
    expect(restored.body.data.settings.language).toBe('ini')
    const { body } = await edit({ id, content: '{"a": 2}' }, { key })
    expect(body.data.settings.language).toBe('ini')
  })

  it('keeps nothing if the account is full, and takes place', async () => {
    const { id, creator } = await createEdited()
    const options = { key: creator.key, bindings: withVars({ ACCOUNT_MAX_BYTES: '3' }) }
    expect((await call('POST', path(id, '/1/restore'), undefined, options)).body.data.content).toBe('one')
    const listed = await call<{ revisions: object[] }>('GET', path(id), undefined, { key: creator.key })
    expect(listed.body.data.revisions).toMatchObject([{ number: 3 }, { number: 1 }])
  })
})

describe('the revisions of an encrypted document', () => {
  const settings = { encrypted: true }
  const withPassword = (key: string, password: string) => ({
    key,
    headers: { 'X-Document-Password': password },
  })

  it('are JWEs, which the password decrypts', async () => {
    const { id, password, creator } = await createEdited(settings)
    const { key } = creator
    const jwe = (await call('GET', path(id, '/1'), undefined, { key })).body.data.content
    expect(parseJweHeader(jwe.split('.')[0] ?? '').iterations).toBeGreaterThan(0)
    const decrypted = await call('GET', path(id, '/1'), undefined, withPassword(key, password))
    expect(decrypted.body.data.content).toBe('one')
    expectError(await call('GET', path(id, '/1'), undefined, withPassword(key, 'x')), 400, 'Invalid password')
  })

  it('are restored by an editor with the present password only, and by the creator without it', async () => {
    const { id, password, creator, editor } = await createEdited(settings)
    const restore = (options: object) => call('POST', path(id, '/1/restore'), undefined, options)
    expectError(await restore({ key: editor.key }), 403, 'Prove the password to replace encrypted content')
    expectError(await restore(withPassword(editor.key, 'old')), 400, 'Invalid password')
    expect((await restore(withPassword(editor.key, password))).status).toBe(200)
    const text = () => read(id, { headers: { 'X-Document-Password': password } })
    expect((await text()).body.data.content).toBe('one')
    await call('POST', path(id, '/2/restore'), undefined, { key: creator.key })
    expect((await text()).body.data.content).toBe('two')
    // The restored JWE has the proof that it had, so editors can still prove its password.
    expect((await restore(withPassword(editor.key, password))).status).toBe(200)
  })

  it('are restored by an editor with a claim token, which tells nobody the password', async () => {
    const { id, password, editor } = await createEdited(settings)
    const restore = (claimToken: string) =>
      call('POST', path(id, '/1/restore'), undefined, {
        key: editor.key,
        headers: { 'X-Claim-Token': claimToken },
      })
    const current = (await call('GET', path(id, '/2'), undefined, { key: editor.key })).body.data.content
    const { header } = parseJwe(current)
    expectError(await restore(await deriveClaimToken('old', header)), 400, 'Invalid password')
    expect((await restore(await deriveClaimToken(password, header))).status).toBe(200)
    const { body } = await read(id, { headers: { 'X-Document-Password': password } })
    expect(body.data.content).toBe('one')
  })

  it('count attempts before any key is derived', async () => {
    const { id, password, creator } = await createEdited(settings)
    const { binding } = LIMITS.passwords
    const bindings = {
      ...withVars({ RATE_LIMITS: 'on' }),
      [binding]: { limit: async () => ({ success: false }) },
    }
    for (const [method, rest] of [
      ['GET', '/1'],
      ['POST', '/1/restore'],
    ] as const) {
      const options = { ...withPassword(creator.key, password), bindings }
      expect((await call(method, path(id, rest), undefined, options)).status).toBe(429)
    }
  })
})
