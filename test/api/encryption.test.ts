import { env } from 'cloudflare:workers'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { encodeText } from '../../src/shared/encodings.ts'
import {
  deriveClaimToken,
  encryptJwe,
  hashClaimToken,
  parseJwe,
  parseJweHeader,
} from '../../src/shared/jwe.ts'
import { account } from '../support/accounts.ts'
import { call, create, edit, read, send, withVars } from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'
import { findContentKey } from '../support/storage/contents.ts'

const TEXT = 'attack at dawn 😀\r\n'
const PASSWORD = 'pässwörd with spaces & more'

const makeJwe = (text = TEXT, password = PASSWORD) => encryptJwe(encodeText(text), password, 1_000)
const CLIENT_ENCRYPTED = { encrypted: true, client_encrypted: true }
const withPassword = (id: string, password: string) => read(`${id}?password=${encodeURIComponent(password)}`)

const storedContent = async (id: string): Promise<string> =>
  (await env.CONTENTS.get(await findContentKey(id))) ?? ''

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

  it('is stretched less with a generated password, which needs it less', async () => {
    const { key } = await account()
    const { id, password } = await create(TEXT, { encrypted: true }, { key })
    expect(password).toMatch(/^[2-9b-df-hjkmnp-tv-zB-DF-HJKMNP-TV-Z]{24}$/)
    expect(decodeProtectedHeader(await storedContent(id)).p2c).toBe(1_000)
  })
})

describe('a document encrypted by the client', () => {
  it('is refused with a malformed claim hash', async () => {
    const { key } = await account()
    const settings = { ...CLIENT_ENCRYPTED, claim_hash: 'x' }
    const answer = await call('POST', '/v1/document', { content: await makeJwe(), settings }, { key })
    expectInvalid(answer, ['settings', 'claim_hash'])
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
  it("keeps its language, since the service can't detect it", async () => {
    const { key } = await account()
    const { id } = await create('{"a": 1}', { encrypted: true, language: 'rust' }, { key })
    const answer = await edit({ id, settings: { language: 'auto' } }, { key })
    expect(answer.body.data.settings.language).toBe('rust')
  })

  it('encrypts new content as the present content is encrypted, with a salt of its own', async () => {
    const { key } = await account()
    const { id, password } = await create(TEXT, { encrypted: true }, { key })
    const before = decodeProtectedHeader(await storedContent(id))
    const { body } = await edit({ id, content: 'new', password }, { key })
    expect(body.data.content).toBe('new')
    expect(body.data).not.toHaveProperty('password')
    const after = decodeProtectedHeader(await storedContent(id))
    expect(after.p2c).toBe(before.p2c)
    expect(after.p2s).not.toBe(before.p2s)
  })

  it('checks every password and writes nothing for the same text', async () => {
    const { key } = await account()
    const { id, password } = await create(TEXT, { encrypted: true }, { key })
    const etag = (await read(id)).headers.get('ETag')
    const wrong = await edit({ id, password: 'wrong', settings: { language: 'json' } }, { key })
    expectError(wrong, 400, 'Invalid password')
    const same = await edit({ id, content: TEXT, password }, { key })
    expect(same.body.data.content).toBe(TEXT)
    expect(same.headers.get('ETag')).toBe(etag)
  })

  it('uses the full iteration count for a password that a client encrypted with fewer iterations', async () => {
    const { key } = await account()
    const { id } = await create(await makeJwe(), CLIENT_ENCRYPTED, { key })
    await edit({ id, content: 'new', password: PASSWORD }, { key })
    expect(decodeProtectedHeader(await storedContent(id)).p2c).toBe(100_000)
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

const CLAIM_PASSWORD = 'open sesame'

const claim = (id: string, token: string, key?: string) =>
  call('POST', `/v1/document/${id}/claim`, { token }, { key })

/** Claims a document as the site's page does: gets the header, derives the token from the password, then claims. */
async function claimWith(id: string, password: string) {
  const { body } = await call('GET', `/v1/document/${id}/claim`)
  return claim(id, await deriveClaimToken(password, parseJweHeader(body.data.header ?? '')))
}

async function clientJwe(text = 'secret') {
  const jwe = await encryptJwe(encodeText(text), CLAIM_PASSWORD, 1_000)
  const token = await deriveClaimToken(CLAIM_PASSWORD, parseJwe(jwe).header)
  return { jwe, token, claimHash: await hashClaimToken(token) }
}

describe('a burn-after-reading document', () => {
  it('is returned once, then it is gone with its content', async () => {
    const { key } = await account()
    const { id, settings } = await create('secret', { instant_delete: true }, { key })
    expect(settings.instant_delete).toBe(true)
    const contentKey = await findContentKey(id)
    const answer = await read(id, { settle: true })
    expect(answer.body.data).toMatchObject({
      content: 'secret',
      views: 1,
      settings: { instant_delete: true },
    })
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(answer.headers.get('ETag')).toBeNull()
    expectError(await read(id), 404, 'Document not found')
    expect(await env.CONTENTS.get(contentKey)).toBeNull()
    const left = await env.DB.prepare('SELECT * FROM detached_contents WHERE content_key = ?1')
      .bind(contentKey)
      .all()
    expect(left.results).toEqual([])
  })
})

describe('an encrypted document with instant_delete', () => {
  it('is not burned by a claim of its creator', async () => {
    const { key } = await account()
    const { jwe, token, claimHash } = await clientJwe()
    const settings = { instant_delete: true, encrypted: true, client_encrypted: true, claim_hash: claimHash }
    const { id } = await create(jwe, settings, { key })
    expect((await claim(id, token, key)).body.data.content).toBe(jwe)
    expect((await claim(id, token)).status).toBe(200)
  })

  it('can be claimed with the same password after an edit', async () => {
    const { key } = await account()
    const { id, password } = await create('secret', { instant_delete: true, encrypted: true }, { key })
    await edit({ id, content: 'new secret', password }, { key })
    expect((await claimWith(id, password ?? '')).status).toBe(200)
  })

  it('can be made from a document that the client encrypted, with a claim hash', async () => {
    const { key } = await account()
    const { jwe, token, claimHash } = await clientJwe()
    const { id } = await create(jwe, { encrypted: true, client_encrypted: true }, { key })
    expect((await call('GET', `/v1/document/${id}/claim`)).status).toBe(404)
    await edit({ id, settings: { instant_delete: true, claim_hash: claimHash } }, { key })
    expect((await claim(id, token)).body.data.content).toBe(jwe)
  })

  it('accepts a corrected claim hash from its creator', async () => {
    const { key } = await account()
    const { jwe, token, claimHash } = await clientJwe()
    const wrong = {
      encrypted: true,
      client_encrypted: true,
      instant_delete: true,
      claim_hash: 'A'.repeat(43),
    }
    const { id } = await create(jwe, wrong, { key })
    expect((await claim(id, token)).status).toBe(400)
    await edit({ id, settings: { claim_hash: claimHash } }, { key })
    expect((await claim(id, token)).body.data.content).toBe(jwe)
  })

  it('has no claim once it is an ordinary document again', async () => {
    const { key } = await account()
    const { id } = await create('secret', { instant_delete: true, encrypted: true }, { key })
    await edit({ id, settings: { instant_delete: false } }, { key })
    expect((await call('GET', `/v1/document/${id}/claim`)).status).toBe(404)
    expect((await read(id)).status).toBe(200)
    expect((await read(id)).status).toBe(200)
  })
})

describe('a password whose letters are composed in another way', () => {
  const DECOMPOSED = PASSWORD.normalize('NFD')

  it('opens a document', async () => {
    const { key } = await account()
    for (const [chosen, sent] of [
      [PASSWORD, DECOMPOSED],
      [DECOMPOSED, PASSWORD],
    ] as const) {
      const { id } = await create(TEXT, { encrypted: true, password: chosen }, { key })
      expect((await withPassword(id, sent)).body.data.content).toBe(TEXT)
      expect((await send(`/r/${id}?password=${encodeURIComponent(sent)}`)).status).toBe(200)
    }
  })

  it('claims a document that burns after reading', async () => {
    const { key } = await account()
    const settings = { encrypted: true, instant_delete: true, password: DECOMPOSED }
    const { id } = await create(TEXT, settings, { key })
    const { header = '' } = (await call('GET', `/v1/document/${id}/claim`)).body.data
    const claim = (token: string) => call('POST', `/v1/document/${id}/claim`, { token })
    const wrong = await deriveClaimToken('wröng', parseJweHeader(header))
    expectError(await claim(wrong), 400, 'Invalid password')
    expectInvalid(await claim(`${wrong} ${wrong}`), ['token'])
    const claimed = await claim(await deriveClaimToken(PASSWORD, parseJweHeader(header)))
    expect(claimed.status).toBe(200)
  })

  it('edits a document', async () => {
    const { key } = await account()
    const { id } = await create(TEXT, { encrypted: true, password: PASSWORD }, { key })
    const edited = await edit({ id, content: 'changed', password: DECOMPOSED }, { key })
    expect(edited.status).toBe(200)
    expect((await withPassword(id, PASSWORD)).body.data.content).toBe('changed')
  })
})
