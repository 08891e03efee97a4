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
import { call, create, edit, read } from '../../support/client.ts'
import { expectError } from '../../support/expect.ts'

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
