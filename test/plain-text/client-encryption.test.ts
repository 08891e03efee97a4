import { describe, expect, it } from 'vitest'
import { decryptText, deriveClaimToken, encryptText, hashClaimToken, parseJwe } from '../../src/shared/jwe.ts'
import { call, read, withVars } from '../support/client.ts'
import { countDocuments, created, curl, FORM, getId, multipart } from './support.ts'

const PASSWORD = 'hunter2'
const CLAIM_HASH = 'a'.repeat(43)

const encrypt = (text: string) => encryptText({ text, password: PASSWORD, generated: true })

const claim = (id: string, token: string) => call('POST', `/v1/document/${id}/claim`, { token })

const { jwe: JWE } = await encrypt('secret')

describe('text that the client has encrypted', () => {
  it.each([
    ['a header', '/', { body: JWE, headers: { 'X-Client-Encrypted': 'true' } }],
    ['the query', '/?client_encrypted', { body: `${JWE}\n`, headers: { 'Content-Type': FORM } }],
    [
      'a form',
      '/',
      multipart([
        ['name="client_encrypted"', '1'],
        ['name="f"', JWE],
      ]),
    ],
  ] as const)('is stored as it is, if %s says so', async (_, path, request) => {
    const answer = await curl(path, { method: 'POST', ...request })
    const { content, settings } = await created(answer)
    expect(settings).toMatchObject({ encrypted: true, language: 'plaintext' })
    expect(content).toBe(JWE)
    expect(await decryptText(content, PASSWORD)).toBe('secret')
  })

  it('gets no title from its file name', async () => {
    const headers = { 'X-Client-Encrypted': 'true', 'X-Language': 'py' }
    const answer = await curl('/secret-name.txt', { method: 'PUT', body: JWE, headers })
    const { settings } = await created(answer)
    expect(settings).not.toHaveProperty('title')
    expect(settings.language).toBe('python')
  })

  it('burns for the claim token', async () => {
    const { jwe, claimHash } = await encrypt('secret')
    const token = await deriveClaimToken(PASSWORD, parseJwe(jwe).header)
    expect(await hashClaimToken(token)).toBe(claimHash)
    const headers = { 'X-Client-Encrypted': 'true', 'X-Claim-Hash': claimHash ?? '' }
    const id = getId(await curl('/?burn', { body: jwe, headers }))
    expect((await claim(id, CLAIM_HASH)).status).toBe(400)
    expect((await claim(id, token)).body.data.content).toBe(jwe)
    expect((await read(id)).status).toBe(404)
  })

  it('may be as long as the text inside it is allowed to be', async () => {
    const bindings = withVars({ MAX_CONTENT_BYTES: '30000' })
    const headers = { 'X-Client-Encrypted': 'true', 'Content-Type': 'text/plain' }
    const share = async (text: string) => curl('/', { body: (await encrypt(text)).jwe, headers, bindings })
    getId(await share('x'.repeat(30_000)))
    expect(await share('x'.repeat(30_001))).toMatchObject({ status: 413, text: 'Content is too large\n' })
    expect((await curl('/', { body: 'x'.repeat(30_001), bindings })).status).toBe(413)
  })

  it.each([
    ['', { 'X-Document-Password': PASSWORD }, 'client_encrypted: '],
    ['?encrypt', {}, 'client_encrypted: '],
    ['?burn', {}, 'claim_hash: Required with burn'],
    ['?burn', { 'X-Claim-Hash': 'x' }, 'claim_hash: Expected the base64url SHA-256 of the claim token'],
    ['?title=x', {}, "title: An encrypted document can't have a title"],
    ['', { 'X-Client-Encrypted': 'no', 'X-Claim-Hash': CLAIM_HASH }, 'claim_hash: Requires client_encrypted'],
    ['', { 'X-Client-Encrypted': 'perhaps' }, 'Write client_encrypted=true or client_encrypted=false'],
  ])('is refused with options that don’t go together: %s %j', async (query, headers, line) => {
    const before = await countDocuments()
    const request = { body: JWE, headers: { 'X-Client-Encrypted': 'true', ...headers } }
    const { status, text } = await curl(`/${query}`, { method: 'PUT', ...request })
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(line) })
    expect(text.trimEnd()).not.toContain('\n')
    expect(await countDocuments()).toBe(before)
  })

  it('is refused if it isn’t encrypted', async () => {
    const before = await countDocuments()
    const { status, text } = await curl('/?client_encrypted', { method: 'PUT', body: 'secret' })
    expect({ status, text }).toEqual({
      status: 400,
      text: 'content: Expected a JWE in compact form: five parts separated by dots\n',
    })
    expect(await countDocuments()).toBe(before)
  })
})
