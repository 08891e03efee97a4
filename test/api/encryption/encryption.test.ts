import { env } from 'cloudflare:workers'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { encodeText } from '../../../src/documents/content.ts'
import { decodeText } from '../../../src/documents/content-store.ts'
import { decryptJwe, encryptJwe } from '../../../src/shared/jwe.ts'
import { account } from '../../support/accounts.ts'
import { call, create, edit, read, send, withVars } from '../../support/client.ts'
import { expectError, expectInvalid } from '../../support/expect.ts'

const TEXT = 'attack at dawn 😀\r\n'
const PASSWORD = 'pässwörd with spaces & more'

const makeJwe = (text = TEXT, password = PASSWORD) => encryptJwe(encodeText(text), password, 1_000)
const CLIENT_ENCRYPTED = { encrypted: true, client_encrypted: true }
const withPassword = (id: string, password: string) => read(`${id}?password=${encodeURIComponent(password)}`)

async function storedContent(id: string): Promise<string> {
  const key = await env.DB.prepare('SELECT content_key FROM documents WHERE id = ?1')
    .bind(id)
    .first('content_key')
  return (await env.CONTENTS.get(String(key))) ?? ''
}

describe('a document encrypted by the service', () => {
  it('is stored as a JWE and returned as text only by the create', async () => {
    const { key } = await account()
    const created = await create(TEXT, { encrypted: true, password: PASSWORD }, { key })
    expect(created.content).toBe(TEXT)
    expect(created).not.toHaveProperty('password')
    expect(created.settings.encrypted).toBe(true)
    const jwe = await storedContent(created.id)
    expect(decodeProtectedHeader(jwe)).toEqual({
      alg: 'PBES2-HS512+A256KW',
      enc: 'A256GCM',
      p2c: 100_000,
      p2s: expect.stringMatching(/^[\w-]{22}$/),
    })
    const anyone = await read(created.id)
    expect(anyone.body.data).toMatchObject({ content: jwe, settings: { encrypted: true } })
    expect(anyone.headers.get('Cache-Control')).toBe('no-store')
    const row = await env.DB.prepare('SELECT * FROM documents WHERE id = ?1').bind(created.id).first()
    expect(JSON.stringify(row)).not.toContain('attack')
  })

  it('gets a generated password if none is sent, returned once', async () => {
    const { key } = await account()
    for (const password of [undefined, null, '']) {
      const answer = await call(
        'POST',
        '/v1/document',
        { content: TEXT, settings: { encrypted: true, password } },
        { key },
      )
      const { data } = answer.body
      expect(data.password).toMatch(/^[2-9b-df-hjkmnp-tv-zB-DF-HJKMNP-TV-Z]{24}$/)
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
      expect(decodeProtectedHeader(await storedContent(data.id)).p2c).toBe(1_000)
      const again = await withPassword(data.id, data.password ?? '')
      expect(again.body.data.content).toBe(TEXT)
      expect(again.body.data).not.toHaveProperty('password')
    }
  })

  it('is decrypted with the password in the query or a header, on the raw link as well', async () => {
    const { key } = await account()
    const { id } = await create(TEXT, { encrypted: true, password: PASSWORD }, { key })
    expect((await withPassword(id, PASSWORD)).body.data.content).toBe(TEXT)
    const secret = await create(TEXT, { encrypted: true }, { key })
    const headers = { 'X-Document-Password': secret.password ?? '' }
    expect((await read(secret.id, { headers })).body.data.content).toBe(TEXT)
    expect(await (await send(`/r/${secret.id}`, { headers })).text()).toBe(TEXT)
    expect(await (await send(`/r/${id}?password=${encodeURIComponent(PASSWORD)}`)).text()).toBe(TEXT)
    expect(await (await send(`/r/${id}`)).text()).toBe(await storedContent(id))
  })

  it('counts no view for a wrong password', async () => {
    const { key } = await account()
    const { id } = await create(TEXT, { encrypted: true, password: PASSWORD }, { key })
    for (let attempt = 0; attempt < 3; attempt++) {
      expectError(await withPassword(id, 'wrong'), 400, 'Invalid password')
    }
    expect((await withPassword(id, PASSWORD)).body.data.views).toBe(1)
    expect((await read(`${id}?password=`)).body.data.content).toBe(await storedContent(id))
  })
})

describe('a document encrypted by the client', () => {
  it('is stored and returned as it was sent', async () => {
    const { key } = await account()
    const jwe = await makeJwe()
    const created = await create(jwe, CLIENT_ENCRYPTED, { key })
    expect(created).toMatchObject({ content: jwe, settings: { encrypted: true } })
    expect(created).not.toHaveProperty('password')
    expect((await read(created.id)).body.data.content).toBe(jwe)
    expect((await withPassword(created.id, PASSWORD)).body.data.content).toBe(TEXT)
  })

  it.each([
    ['a password beside it', { ...CLIENT_ENCRYPTED, password: 'x' }, ['settings', 'client_encrypted']],
    ['no encrypted: true', { client_encrypted: true }, ['settings', 'client_encrypted']],
    [
      'instant_delete without a claim hash',
      { ...CLIENT_ENCRYPTED, instant_delete: true },
      ['settings', 'claim_hash'],
    ],
    ['a malformed claim hash', { ...CLIENT_ENCRYPTED, claim_hash: 'x' }, ['settings', 'claim_hash']],
  ])('is refused with %s', async (_, settings, path) => {
    const { key } = await account()
    expectInvalid(await call('POST', '/v1/document', { content: await makeJwe(), settings }, { key }), path)
  })

  it('is refused if it is not a valid JWE', async () => {
    const { key } = await account()
    const jwe = await makeJwe()
    const dots = '.'.repeat(100_000)
    for (const content of [
      'hello',
      '....',
      dots,
      `${jwe}.`,
      `${jwe.slice(0, 20)} ${jwe.slice(20)}`,
      `${jwe}=`,
    ]) {
      const answer = await call('POST', '/v1/document', { content, settings: CLIENT_ENCRYPTED }, { key })
      expectInvalid(answer, ['content'])
    }
  })

  it('has the size of the text inside it', async () => {
    const { key } = await account()
    const bindings = withVars({ MAX_CONTENT_BYTES: '100' })
    await create(await makeJwe('x'.repeat(100)), CLIENT_ENCRYPTED, { key, bindings })
    const answer = await call(
      'POST',
      '/v1/document',
      { content: await makeJwe('x'.repeat(101)), settings: CLIENT_ENCRYPTED },
      { key, bindings },
    )
    expectError(answer, 413, 'Content is too large')
  })
})

describe('an edit of an encrypted document', () => {
  it('changes settings freely', async () => {
    const { key } = await account()
    const { id } = await create(TEXT, { encrypted: true, password: PASSWORD }, { key })
    const answer = await edit({ id, settings: { language: 'json', expiration: null } }, { key })
    expect(answer.body.data).toMatchObject({
      content: await storedContent(id),
      settings: { language: 'json', encrypted: true },
    })
    expect((await withPassword(id, PASSWORD)).body.data.content).toBe(TEXT)
  })

  it("keeps its language, since the service can't detect it", async () => {
    const { key } = await account()
    const { id } = await create('{"a": 1}', { encrypted: true, language: 'rust' }, { key })
    const answer = await edit({ id, settings: { language: 'auto' } }, { key })
    expect(answer.body.data.settings.language).toBe('rust')
  })

  it('encrypts new content with the password that comes with it', async () => {
    const { key } = await account()
    for (const settings of [{ encrypted: true }, { encrypted: true, password: PASSWORD }]) {
      const created = await create(TEXT, settings, { key })
      const password = created.password ?? PASSWORD
      const before = decodeProtectedHeader(await storedContent(created.id))
      expectError(
        await edit({ id: created.id, content: 'new', password: 'wrong' }, { key }),
        400,
        'Invalid password',
      )
      expect((await withPassword(created.id, password)).body.data.content).toBe(TEXT)
      const answer = await edit({ id: created.id, content: 'new', password }, { key })
      expect(answer.body.data.content).toBe('new')
      expect(answer.body.data).not.toHaveProperty('password')
      const jwe = await storedContent(created.id)
      expect(decodeProtectedHeader(jwe).p2c).toBe(before.p2c)
      expect(decodeProtectedHeader(jwe).p2s).not.toBe(before.p2s)
      expect((await withPassword(created.id, password)).body.data.content).toBe('new')
    }
  })

  it('checks every password and writes nothing for the same text', async () => {
    const { key } = await account()
    const { id } = await create(TEXT, { encrypted: true, password: PASSWORD }, { key })
    const etag = (await read(id)).headers.get('ETag')
    const wrong = await edit({ id, password: 'wrong', settings: { language: 'json' } }, { key })
    expectError(wrong, 400, 'Invalid password')
    const same = await edit({ id, content: TEXT, password: PASSWORD }, { key })
    expect(same.body.data.content).toBe(TEXT)
    expect(same.headers.get('ETag')).toBe(etag)
  })

  it('uses the full iteration count for a password that a client encrypted with fewer iterations', async () => {
    const { key } = await account()
    const { id } = await create(await makeJwe(), CLIENT_ENCRYPTED, { key })
    await edit({ id, content: 'new', password: PASSWORD }, { key })
    expect(decodeProtectedHeader(await storedContent(id)).p2c).toBe(100_000)
  })

  it('accepts a JWE from the client', async () => {
    const { key } = await account()
    const { id } = await create(TEXT, { encrypted: true, password: PASSWORD }, { key })
    const jwe = await makeJwe('new', 'other')
    const answer = await edit({ id, content: jwe, settings: { client_encrypted: true } }, { key })
    expect(answer.body.data.content).toBe(jwe)
    expect((await withPassword(id, 'other')).body.data.content).toBe('new')
  })

  it('is refused without a password or a JWE', async () => {
    const { key } = await account()
    const { id } = await create(TEXT, { encrypted: true, password: PASSWORD }, { key })
    for (const password of [undefined, null, '']) {
      const answer = await edit({ id, content: 'new', password }, { key })
      expectError(answer, 400, 'You can not edit an encrypted document', [['password']])
    }
    expectInvalid(await edit({ id, content: 'new', settings: { client_encrypted: true } }, { key }), [
      'content',
    ])
    expect((await withPassword(id, PASSWORD)).body.data.content).toBe(TEXT)
  })

  it('is refused as client_encrypted if the document is not encrypted', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const answer = await edit({ id, content: await makeJwe(), settings: { client_encrypted: true } }, { key })
    expectInvalid(answer, ['settings', 'client_encrypted'])
  })
})

describe('a JWE of something other than text', () => {
  it('is stored but not decrypted as text', async () => {
    const { key } = await account()
    const jwe = await encryptJwe(new Uint8Array([0xff, 0xfe]), PASSWORD, 1_000)
    const { id } = await create(jwe, CLIENT_ENCRYPTED, { key })
    expect((await read(id)).body.data.content).toBe(jwe)
    expectError(await withPassword(id, PASSWORD), 400, "The decrypted content isn't text (UTF-8)")
    expect((await send(`/r/${id}?password=${encodeURIComponent(PASSWORD)}`)).status).toBe(400)
    const body = new URLSearchParams({ password: PASSWORD })
    expect((await send(`/${id}`, { method: 'POST', body })).status).toBe(400)
  })
})

describe('decryptJwe', () => {
  it('decrypts with the right password only', async () => {
    const jwe = await makeJwe()
    const opened = await decryptJwe(jwe, PASSWORD)
    expect(opened && decodeText(opened)).toBe(TEXT)
    for (const wrong of ['', 'x', PASSWORD.normalize('NFD'), `${PASSWORD} `]) {
      expect(await decryptJwe(jwe, wrong)).toBeNull()
    }
  })
})
