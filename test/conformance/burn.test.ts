import { describe, expect } from 'vitest'
import { type ClauseApi, clause, shareDocument } from './support/clause.ts'
import { deriveClaimToken, encrypt, encryptToBurn } from './support/encryption.ts'
import { expectContent, expectDeleted, expectError, expectInvalid } from './support/expect.ts'

const NO_TOKEN = 'A'.repeat(43)
const BURN = { instant_delete: true }

const inHeader = (password: string) => ({ headers: { 'X-Document-Password': password } })

describe('Burn after reading', () => {
  clause('burn.once', 'The first read gets the document, the second a 404', async (api) => {
    const { id } = await api.create(api.needAccount(), 'secret', BURN)
    expectContent(await api.read(id), 'secret')
    expectError(await api.read(id), 404, 'Document not found')
    expect((await api.readRaw(id)).status).toBe(404)
    expect((await api.head(id)).status).toBe(404)
  })

  clause('burn.exactly-one', 'Of many readers at once, exactly one gets it', async (api) => {
    const { id } = await api.create(api.needAccount(), 'secret', BURN)
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.read(id)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array<number>(9).fill(404)])
  })

  clause('burn.creator', 'The creator can read the document without burning it', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key, 'secret', BURN)
    expectContent(await api.read(id, { key }), 'secret')
    expectContent(await api.read(id, { key }), 'secret')
    expectContent(await api.read(id), 'secret')
  })

  clause('burn.other-account', 'A read by another account burns the document', async (api) => {
    const key = api.need('key')
    const { id } = await api.create(key, 'secret', BURN)
    expectContent(await api.read(id, { key: api.need('secondKey') }), 'secret')
    expect((await api.read(id, { key })).status).toBe(404)
  })

  clause('burn.head', 'HEAD never burns', async (api) => {
    const { id } = await api.create(api.needAccount(), 'secret', BURN)
    expect((await api.head(id)).status).toBe(200)
    expectContent(await api.read(id), 'secret')
  })

  clause('burn.if-none-match', 'Reads ignore If-None-Match', async (api) => {
    const { id } = await api.create(api.needAccount(), 'secret', BURN)
    expectContent(await api.read(id, { headers: { 'If-None-Match': '*' } }), 'secret')
    expect((await api.read(id)).status).toBe(404)
  })

  clause(
    'burn.page',
    'The page and GET of the raw text burn nothing and show none of the text',
    async (api) => {
      const { id } = await api.create(api.needAccount(), 'a secret text', BURN)
      for (const path of [`/${id}`, `/r/${id}`]) {
        const answer = await api.send('GET', path, { headers: { Accept: 'text/html' } })
        expect(answer.status).toBe(200)
        expect(answer.text).not.toContain('a secret text')
      }
      expectContent(await api.read(id), 'a secret text')
    },
  )

  clause('burn.raw', 'POST /r/<id> returns the text and burns the document', async (api) => {
    const { id } = await api.create(api.needAccount(), 'secret', BURN)
    const answer = await api.send('POST', `/r/${id}`)
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: 'secret' })
    expect((await api.read(id)).status).toBe(404)
  })

  clause('burn.delete', 'A deletion succeeds only if nobody has read it', async (api) => {
    const key = api.needAccount()
    const unread = await api.create(key, 'secret', BURN)
    expectDeleted(await api.remove(unread.id, { key }))
    const { id } = await api.create(key, 'secret', BURN)
    await api.read(id)
    expectError(await api.remove(id, { key }), 404, 'Document not found')
  })

  clause('burn.edit', 'An edit turns burn after reading on and off', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key, 'secret', BURN)
    await api.edit({ id, settings: { instant_delete: false } }, { key })
    expectContent(await api.read(id), 'secret')
    await api.edit({ id, settings: BURN }, { key })
    expectContent(await api.read(id), 'secret')
    expect((await api.read(id)).status).toBe(404)
  })
})

describe('Burning encrypted documents', () => {
  const SETTINGS = { ...BURN, encrypted: true }

  clause(
    'encrypted-burn.password',
    'A read with the right password returns the text and burns the document',
    async (api) => {
      const { id, password = '' } = await api.create(api.needAccount(), 'secret', SETTINGS)
      expectContent(await api.read(id, inHeader(password)), 'secret')
      expect((await api.read(id, inHeader(password))).status).toBe(404)
    },
  )

  clause('encrypted-burn.wrong', 'A wrong password gets a 400 and burns nothing', async (api) => {
    const { id, password = '' } = await api.create(api.needAccount(), 'secret', SETTINGS)
    expectError(await api.read(id, inHeader('wrong')), 400, 'Invalid password')
    expectContent(await api.read(id, inHeader(password)), 'secret')
  })

  clause('encrypted-burn.no-password', 'A read without the password gets a 400, not the JWE', async (api) => {
    const { id, password = '' } = await api.create(api.needAccount(), 'secret', SETTINGS)
    expectError(await api.read(id), 400, 'This document needs its password')
    expect((await api.head(id)).status).toBe(400)
    expectContent(await api.read(id, inHeader(password)), 'secret')
  })

  clause('encrypted-burn.creator', 'The creator gets the JWE and burns nothing', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key, 'secret', SETTINGS)
    const { content } = (await api.read(id, { key })).document
    expect(content).toMatch(/^[\w-]+(\.[\w-]+){4}$/)
    expectContent(await api.read(id, { key }), content)
  })

  clause(
    'encrypted-burn.turn-on',
    'Turning on burn after reading later needs the password or a claim hash',
    async (api) => {
      const key = api.needAccount()
      const { id, password = '' } = await api.create(key, 'secret', { encrypted: true })
      expectInvalid(await api.edit({ id, settings: BURN }, { key }), ['settings', 'claim_hash'])
      const wrong = await api.edit({ id, password: 'wrong', settings: BURN }, { key })
      expectError(wrong, 400, 'Invalid password')
      expect((await api.edit({ id, password, settings: BURN }, { key })).status).toBe(200)
      expectError(await api.read(id), 400, 'This document needs its password')
    },
  )
})

async function createUnclaimed(api: ClauseApi, key: string) {
  const { jwe, settings } = await encryptToBurn('secret')
  return { ...(await api.create(key, jwe, settings)), jwe }
}

/** No clause burns it. */
const anUnclaimedDocument = shareDocument((api) => createUnclaimed(api, api.needAccount()))

describe('Claims', () => {
  clause('claims.header', 'GET of a claim returns the header of the JWE and burns nothing', async (api) => {
    const { id, jwe } = await anUnclaimedDocument(api)
    for (let times = 0; times < 2; times++) {
      const answer = await api.send('GET', `/v1/document/${id}/claim`)
      expect(answer.status).toBe(200)
      expect(answer.data).toEqual({ header: jwe.slice(0, jwe.indexOf('.')) })
      expect(answer.header('Cache-Control')).toBe('no-store')
    }
  })

  clause(
    'claims.service',
    'A claim token derived from the password claims a document that the server encrypted',
    async (api) => {
      const settings = { ...BURN, encrypted: true }
      const { id, password = '' } = await api.create(api.needAccount(), 'secret', settings)
      const { header } = (await api.send('GET', `/v1/document/${id}/claim`)).data as { header: string }
      const answer = await api.claim(id, deriveClaimToken(password, header))
      expect(answer.document.content.startsWith(`${header}.`)).toBe(true)
      expect((await api.claim(id, NO_TOKEN)).status).toBe(404)
    },
  )

  clause('claims.client', 'A claim returns the document with its JWE, and burns it', async (api) => {
    const { jwe, token, settings } = await encryptToBurn('secret')
    const { id } = await api.create(api.needAccount(), jwe, settings)
    const answer = await api.claim(id, token)
    expectContent(answer, jwe)
    expect(answer.header('Cache-Control')).toBe('no-store')
    expectError(await api.claim(id, token), 404, 'Document not found')
  })

  clause('claims.wrong', 'A wrong token gets a 400 and burns nothing', async (api) => {
    const { jwe, token, settings } = await encryptToBurn('secret')
    const { id } = await api.create(api.needAccount(), jwe, settings)
    expectError(await api.claim(id, NO_TOKEN), 400, 'Invalid password')
    expectContent(await api.claim(id, token), jwe)
  })

  clause('claims.invalid', 'A malformed token gets a 400 at token', async (api) => {
    const { id } = await anUnclaimedDocument(api)
    for (const token of [undefined, 5, '', `${NO_TOKEN}=`]) {
      expectInvalid(await api.claim(id, token), ['token'])
    }
  })

  clause(
    'claims.other-documents',
    'Documents that are not encrypted burn-after-reading documents have no claim: 404',
    async (api) => {
      const key = api.needAccount()
      for (const settings of [{}, BURN, { encrypted: true }]) {
        const { id } = await api.create(key, 'text', settings)
        expectError(await api.send('GET', `/v1/document/${id}/claim`), 404, 'Document not found')
        expectError(await api.claim(id, NO_TOKEN), 404, 'Document not found')
      }
    },
  )

  clause('claims.hash', 'client_encrypted with instant_delete requires a claim_hash', async (api) => {
    const settings = { ...BURN, encrypted: true, client_encrypted: true }
    const answer = await api.post({ content: await encrypt('secret'), settings }, { key: api.needAccount() })
    expectInvalid(answer, ['settings', 'claim_hash'])
  })

  clause('claims.hash-alone', 'A claim_hash without client_encrypted gets a 400', async (api) => {
    const settings = { ...BURN, encrypted: true, claim_hash: NO_TOKEN }
    const answer = await api.post({ content: 'secret', settings }, { key: api.needAccount() })
    expectInvalid(answer, ['settings', 'claim_hash'])
  })

  clause('claims.edit', 'A new JWE needs a new claim hash', async (api) => {
    const key = api.needAccount()
    const { jwe, settings } = await encryptToBurn('secret')
    const { id } = await api.create(key, jwe, settings)
    const next = await encryptToBurn('new secret')
    const change = { id, content: next.jwe, settings: { client_encrypted: true } }
    expectInvalid(await api.edit(change, { key }), ['settings', 'claim_hash'])
    const { claim_hash } = next.settings
    const edited = await api.edit({ ...change, settings: { client_encrypted: true, claim_hash } }, { key })
    expect(edited.status).toBe(200)
    expectContent(await api.claim(id, next.token), next.jwe)
  })
})
