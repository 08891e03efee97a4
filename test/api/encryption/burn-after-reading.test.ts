import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { encodeText } from '../../../src/documents/content.ts'
import {
  deriveClaimToken,
  encryptJwe,
  hashClaimToken,
  parseJwe,
  parseJweHeader,
} from '../../../src/shared/jwe.ts'
import { account } from '../../support/accounts.ts'
import { call, create, edit, read, remove, send } from '../../support/client.ts'
import { expectError, expectInvalid } from '../../support/expect.ts'

const PASSWORD = 'open sesame'

const claim = (id: string, token: string, key?: string) =>
  call('POST', `/v1/document/${id}/claim`, { token }, { key })

/** Claims a document as the site's page does: gets the header, derives the token from the password, then claims. */
async function claimWith(id: string, password: string) {
  const { body } = await call('GET', `/v1/document/${id}/claim`)
  return claim(id, await deriveClaimToken(password, parseJweHeader(body.data.header ?? '')))
}

async function clientJwe(text = 'secret') {
  const jwe = await encryptJwe(encodeText(text), PASSWORD, 1_000)
  const token = await deriveClaimToken(PASSWORD, parseJwe(jwe).header)
  return { jwe, token, claimHash: await hashClaimToken(token) }
}

describe('a burn-after-reading document', () => {
  it('is returned once, then it is gone with its content', async () => {
    const { key } = await account()
    const { id, settings } = await create('secret', { instant_delete: true }, { key })
    expect(settings.instant_delete).toBe(true)
    const contentKey = String(
      await env.DB.prepare('SELECT content_key FROM documents WHERE id = ?1').bind(id).first('content_key'),
    )
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

  it('is 404 for its creator to delete once a reader has got it, and 204 before', async () => {
    const { key } = await account()
    const [unread, gone] = [
      await create('secret', { instant_delete: true }, { key }),
      await create('secret', { instant_delete: true }, { key }),
    ]
    expect((await remove(unread.id, { key })).status).toBe(204)
    expect((await read(unread.id)).status).toBe(404)
    await read(gone.id)
    expectError(await remove(gone.id, { key }), 404, 'Document not found')
  })

  it('is not burned by its creator and editors', async () => {
    const creator = await account()
    const editor = await account()
    const settings = { instant_delete: true, editors: [editor.username] }
    const { id } = await create('secret', settings, { key: creator.key })
    for (const { key } of [creator, editor, creator]) {
      expect((await read(id, { key })).body.data.content).toBe('secret')
      expect(await (await send(`/r/${id}`, { headers: { Authorization: key } })).text()).toBe('secret')
    }
    const stranger = await account()
    expect((await read(id, { key: stranger.key })).body.data.views).toBe(7)
    expect((await read(id, { key: creator.key })).status).toBe(404)
  })

  it('can be made from an ordinary document and back', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    await edit({ id, settings: { instant_delete: true } }, { key })
    await edit({ id, settings: { instant_delete: false } }, { key })
    expect((await read(id)).status).toBe(200)
    await edit({ id, content: 'y', settings: { instant_delete: true } }, { key })
    expect((await read(id)).body.data.content).toBe('y')
    expect((await read(id)).status).toBe(404)
  })

  it('has no claim if it is not encrypted', async () => {
    const { key } = await account()
    const { id } = await create('x', { instant_delete: true }, { key })
    expect((await call('GET', `/v1/document/${id}/claim`)).status).toBe(404)
    expect((await claim(id, 'x'.repeat(43))).status).toBe(404)
    expect((await read(id)).status).toBe(200)
  })
})

describe('an encrypted document with instant_delete', () => {
  it('returns nothing without the password', async () => {
    const { key } = await account()
    const { id } = await create(
      'secret',
      { instant_delete: true, encrypted: true, password: PASSWORD },
      { key },
    )
    expectError(await read(id), 400, 'This document needs its password')
    expectError(await read(`${id}?password=`), 400, 'This document needs its password')
    expectError(await read(`${id}?password=wrong`), 400, 'Invalid password')
    const answer = await read(`${id}?password=${encodeURIComponent(PASSWORD)}`)
    expect(answer.body.data).toMatchObject({ content: 'secret', views: 1 })
    expect((await read(id)).status).toBe(404)
  })

  it('returns its JWE to the creator and stays', async () => {
    const { key } = await account()
    const { id, password } = await create('secret', { instant_delete: true, encrypted: true }, { key })
    expect((await read(id, { key })).body.data.content).toMatch(/^ey[\w-]+\.[\w-]+\.[\w-]+\.[\w-]+\.[\w-]+$/)
    expect((await read(`${id}?password=${password}`, { key })).body.data.content).toBe('secret')
    expect((await read(`${id}?password=${password}`)).body.data.content).toBe('secret')
  })

  it('is returned for a claim token, which proves the password without revealing it', async () => {
    const { key } = await account()
    const settings = { instant_delete: true, encrypted: true, password: PASSWORD }
    const { id } = await create('secret', settings, { key })
    const header = await call('GET', `/v1/document/${id}/claim`)
    expect(header.body).toEqual({ success: true, data: { header: expect.stringMatching(/^ey[\w-]+$/) } })
    expect(header.headers.get('Cache-Control')).toBe('no-store')
    expectError(await claim(id, 'A'.repeat(43)), 400, 'Invalid password')
    expectError(await claimWith(id, 'wrong'), 400, 'Invalid password')
    const answer = await claimWith(id, PASSWORD)
    expect(answer.status).toBe(200)
    expect(parseJwe(answer.body.data.content).header.encoded).toBe(header.body.data.header)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect((await claim(id, 'A'.repeat(43))).status).toBe(404)
  })

  it('is returned for a claim token if the client made the JWE as well', async () => {
    const { key } = await account()
    const { jwe, token, claimHash } = await clientJwe()
    const settings = { instant_delete: true, encrypted: true, client_encrypted: true, claim_hash: claimHash }
    const { id } = await create(jwe, settings, { key })
    expect((await claim(id, token)).body.data.content).toBe(jwe)
  })

  it('is not burned by a claim of its creator', async () => {
    const { key } = await account()
    const { jwe, token, claimHash } = await clientJwe()
    const settings = { instant_delete: true, encrypted: true, client_encrypted: true, claim_hash: claimHash }
    const { id } = await create(jwe, settings, { key })
    expect((await claim(id, token, key)).body.data.content).toBe(jwe)
    expect((await claim(id, token)).status).toBe(200)
  })

  it.each([
    ['nothing', undefined],
    ['no token', {}],
    ['a number', { token: 5 }],
    ['padding', { token: `${'A'.repeat(43)}=` }],
  ])('refuses a claim with %s', async (_, body) => {
    const { key } = await account()
    const { id } = await create('secret', { instant_delete: true, encrypted: true }, { key })
    const answer = await call('POST', `/v1/document/${id}/claim`, body)
    expect(answer.status).toBe(body === undefined ? 415 : 400)
    expect((await read(id, { key })).status).toBe(200)
  })

  it('can be claimed with the same password after an edit', async () => {
    const { key } = await account()
    const { id } = await create(
      'secret',
      { instant_delete: true, encrypted: true, password: PASSWORD },
      { key },
    )
    await edit({ id, content: 'new secret', password: PASSWORD }, { key })
    expect((await claimWith(id, PASSWORD)).status).toBe(200)
  })

  it('requires a new claim hash with a new JWE', async () => {
    const { key } = await account()
    const { id } = await create(
      'secret',
      { instant_delete: true, encrypted: true, password: PASSWORD },
      { key },
    )
    const { jwe, token, claimHash } = await clientJwe('new')
    const settings = { client_encrypted: true }
    expectInvalid(await edit({ id, content: jwe, settings }, { key }), ['settings', 'claim_hash'])
    const edited = await edit({ id, content: jwe, settings: { ...settings, claim_hash: claimHash } }, { key })
    expect(edited.status).toBe(200)
    expect((await claim(id, token)).body.data.content).toBe(jwe)
  })

  it('can be made from an encrypted document with the password or a claim hash', async () => {
    const { key } = await account()
    const settings = { instant_delete: true }
    const byService = await create('secret', { encrypted: true, password: PASSWORD }, { key })
    expectInvalid(await edit({ id: byService.id, settings }, { key }), ['settings', 'claim_hash'])
    expectError(
      await edit({ id: byService.id, password: 'wrong', settings }, { key }),
      400,
      'Invalid password',
    )
    expect((await read(byService.id)).status).toBe(200)
    expect((await edit({ id: byService.id, password: PASSWORD, settings }, { key })).status).toBe(200)
    expect((await claimWith(byService.id, PASSWORD)).status).toBe(200)

    const { jwe, token, claimHash } = await clientJwe()
    const byClient = await create(jwe, { encrypted: true, client_encrypted: true }, { key })
    expect((await call('GET', `/v1/document/${byClient.id}/claim`)).status).toBe(404)
    await edit({ id: byClient.id, settings: { ...settings, claim_hash: claimHash } }, { key })
    expect((await claim(byClient.id, token)).body.data.content).toBe(jwe)
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
    const { id } = await create(
      'secret',
      { instant_delete: true, encrypted: true, password: PASSWORD },
      { key },
    )
    await edit({ id, settings: { instant_delete: false } }, { key })
    expect((await call('GET', `/v1/document/${id}/claim`)).status).toBe(404)
    expect((await read(id)).status).toBe(200)
    expect((await read(id)).status).toBe(200)
  })
})
