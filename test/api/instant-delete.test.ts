import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { encodeText } from '../../src/documents/model/content.ts'
import {
  deriveClaimToken,
  encryptJwe,
  hashClaimToken,
  parseJwe,
  parseJweHeader,
} from '../../src/shared/jwe.ts'
import { account } from '../support/accounts.ts'
import { call, create, edit, read, send } from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'

const PASSWORD = 'open sesame'

const claim = (id: string, token: string, key?: string) =>
  call('POST', `/v1/document/${id}/claim`, { token }, { key })

/** What the site's page does: the header without a burn, the token from the password, then the claim. */
async function claimWith(id: string, password: string) {
  const { body } = await call('GET', `/v1/document/${id}/claim`)
  return claim(id, await deriveClaimToken(password, parseJweHeader(body.data.header ?? '')))
}

async function clientEnvelope(text = 'secret') {
  const envelope = await encryptJwe(encodeText(text), PASSWORD, 1_000)
  const token = await deriveClaimToken(PASSWORD, parseJwe(envelope).header)
  return { envelope, token, claimHash: await hashClaimToken(token) }
}

describe('a document with instant_delete', () => {
  it('is delivered once, and is gone with its content', async () => {
    const { key } = await account()
    const { id, settings } = await create('once', { instant_delete: true }, { key })
    expect(settings.instant_delete).toBe(true)
    const contentKey = String(
      await env.DB.prepare('SELECT content_key FROM documents WHERE id = ?1').bind(id).first('content_key'),
    )
    const answer = await read(id, { settle: true })
    expect(answer.body.data).toMatchObject({ content: 'once', views: 1, settings: { instant_delete: true } })
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(answer.headers.get('ETag')).toBeNull()
    expectError(await read(id), 404, 'Document not found')
    expect(await env.CONTENTS.get(contentKey)).toBeNull()
    const left = await env.DB.prepare('SELECT * FROM detached_contents WHERE content_key = ?1')
      .bind(contentKey)
      .all()
    expect(left.results).toEqual([])
  })

  it('is read by its creator and its editors without being deleted', async () => {
    const creator = await account()
    const editor = await account()
    const settings = { instant_delete: true, editors: [editor.username] }
    const { id } = await create('once', settings, { key: creator.key })
    for (const { key } of [creator, editor, creator]) {
      expect((await read(id, { key })).body.data.content).toBe('once')
      expect(await (await send(`/r/${id}`, { headers: { Authorization: key } })).text()).toBe('once')
    }
    const stranger = await account()
    expect((await read(id, { key: stranger.key })).body.data.views).toBe(7)
    expect((await read(id, { key: creator.key })).status).toBe(404)
  })

  it('can be edited into one, and out of it', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    await edit({ id, settings: { instant_delete: true } }, { key })
    await edit({ id, settings: { instant_delete: false } }, { key })
    expect((await read(id)).status).toBe(200)
    await edit({ id, content: 'y', settings: { instant_delete: true } }, { key })
    expect((await read(id)).body.data.content).toBe('y')
    expect((await read(id)).status).toBe(404)
  })

  it('has nothing to claim by token when it is not encrypted', async () => {
    const { key } = await account()
    const { id } = await create('x', { instant_delete: true }, { key })
    expect((await call('GET', `/v1/document/${id}/claim`)).status).toBe(404)
    expect((await claim(id, 'x'.repeat(43))).status).toBe(404)
    expect((await read(id)).status).toBe(200)
  })
})

describe('an encrypted document with instant_delete', () => {
  it('gives nothing out without the password', async () => {
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

  it('gives its envelope to creator and editors, and stays', async () => {
    const { key } = await account()
    const { id, password } = await create('secret', { instant_delete: true, encrypted: true }, { key })
    expect((await read(id, { key })).body.data.content).toMatch(/^ey[\w-]+\.[\w-]+\.[\w-]+\.[\w-]+\.[\w-]+$/)
    expect((await read(`${id}?password=${password}`, { key })).body.data.content).toBe('secret')
    expect((await read(`${id}?password=${password}`)).body.data.content).toBe('secret')
  })

  it('is claimed by a token that proves the password without revealing it', async () => {
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

  it('is claimed in the same way when the client made the envelope', async () => {
    const { key } = await account()
    const { envelope, token, claimHash } = await clientEnvelope()
    const settings = { instant_delete: true, encrypted: true, client_encrypted: true, claim_hash: claimHash }
    const { id } = await create(envelope, settings, { key })
    expect((await claim(id, token)).body.data.content).toBe(envelope)
  })

  it('is not burned by its creator, whichever way it is read', async () => {
    const { key } = await account()
    const { envelope, token, claimHash } = await clientEnvelope()
    const settings = { instant_delete: true, encrypted: true, client_encrypted: true, claim_hash: claimHash }
    const { id } = await create(envelope, settings, { key })
    expect((await claim(id, token, key)).body.data.content).toBe(envelope)
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

  it('follows the password through edits', async () => {
    const { key } = await account()
    const { id } = await create(
      'secret',
      { instant_delete: true, encrypted: true, password: PASSWORD },
      { key },
    )
    await edit({ id, content: 'new secret', password: PASSWORD }, { key })
    expect((await claimWith(id, PASSWORD)).status).toBe(200)
  })

  it('needs a new hash with a new envelope of the client', async () => {
    const { key } = await account()
    const { id } = await create(
      'secret',
      { instant_delete: true, encrypted: true, password: PASSWORD },
      { key },
    )
    const { envelope, token, claimHash } = await clientEnvelope('new')
    const settings = { client_encrypted: true }
    expectInvalid(await edit({ id, content: envelope, settings }, { key }), ['settings', 'claim_hash'])
    const edited = await edit(
      { id, content: envelope, settings: { ...settings, claim_hash: claimHash } },
      { key },
    )
    expect(edited.status).toBe(200)
    expect((await claim(id, token)).body.data.content).toBe(envelope)
  })

  it('is made later with the password or a claim hash beside the setting', async () => {
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

    const { envelope, token, claimHash } = await clientEnvelope()
    const byClient = await create(envelope, { encrypted: true, client_encrypted: true }, { key })
    expect((await call('GET', `/v1/document/${byClient.id}/claim`)).status).toBe(404)
    await edit({ id: byClient.id, settings: { ...settings, claim_hash: claimHash } }, { key })
    expect((await claim(byClient.id, token)).body.data.content).toBe(envelope)
  })

  it('takes a corrected claim hash from its creator', async () => {
    const { key } = await account()
    const { envelope, token, claimHash } = await clientEnvelope()
    const wrong = {
      encrypted: true,
      client_encrypted: true,
      instant_delete: true,
      claim_hash: 'A'.repeat(43),
    }
    const { id } = await create(envelope, wrong, { key })
    expect((await claim(id, token)).status).toBe(400)
    await edit({ id, settings: { claim_hash: claimHash } }, { key })
    expect((await claim(id, token)).body.data.content).toBe(envelope)
  })

  it('has no claim any more once it is an ordinary document again', async () => {
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
