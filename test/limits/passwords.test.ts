import { afterEach, describe, expect, it, vi } from 'vitest'
import { contentCache } from '../../src/documents/content-store.ts'
import { deriveClaimToken, encryptText, parseJwe } from '../../src/shared/jwe.ts'
import { account, session } from '../support/accounts.ts'
import { call, create, edit, ORIGIN, read, send, submit } from '../support/client.ts'
import { expectFaults } from '../support/log.ts'
import { countStatuses, from, LIMITED, newAddress, repeat, withLimiter } from './support.ts'

afterEach(() => vi.restoreAllMocks())

/** Creates an encrypted document and counts the keys derived from now on. A generated password takes little time. */
async function createEncrypted(settings: Record<string, unknown> = {}) {
  const { key } = await account()
  const { id, password = '' } = await create('secret', { encrypted: true, ...settings }, { key })
  contentCache.clear()
  const deriveBits = vi.spyOn(crypto.subtle, 'deriveBits')
  const deriveKey = vi.spyOn(crypto.subtle, 'deriveKey')
  return {
    id,
    key,
    password,
    countDerivations: () => deriveBits.mock.calls.length + deriveKey.mock.calls.length,
  }
}

describe('the limit on passwords', () => {
  it('derives at most 10 keys for 60 wrong passwords', async () => {
    const { id, countDerivations } = await createEncrypted()
    const headers = { ...from(newAddress()), 'X-Document-Password': 'wrong' }
    const answers = await repeat(60, () => read(id, { bindings: LIMITED, headers }))
    expect(countStatuses(answers)).toEqual({ 400: 10, 429: 50 })
    expect(countDerivations()).toBe(10)
  })

  it('holds for every front end together', async () => {
    const { id, key, countDerivations } = await createEncrypted()
    const address = newAddress()
    const headers = { ...from(address), 'X-Document-Password': 'wrong' }
    await repeat(10, () => read(id, { bindings: LIMITED, headers }))
    const form = { body: new URLSearchParams({ password: 'wrong' }), method: 'POST' }
    const browser = { ...from(address), Accept: 'text/html', Origin: ORIGIN }
    const attempts: [path: string, init: RequestInit][] = [
      [`/v1/document/${id}?password=wrong`, { headers: from(address) }],
      [`/r/${id}?password=wrong`, { headers: from(address) }],
      [`/${id}`, { headers: { ...headers, 'User-Agent': 'curl/8.0' } }],
      [`/${id}`, { ...form, headers: browser }],
      [`/r/${id}`, { ...form, headers: browser }],
      [`/${id}`, { ...form, headers: { ...from(address), 'User-Agent': 'curl/8.0' } }],
    ]
    for (const [path, init] of attempts)
      expect((await send(path, init, { bindings: LIMITED })).status).toBe(429)
    const changed = await edit(
      { id, content: 'y', password: 'wrong' },
      { key, headers: from(address), bindings: LIMITED },
    )
    expect(changed.status).toBe(429)
    expect(countDerivations()).toBe(10)
  })

  it('holds for the edit page', async () => {
    const owner = await account()
    const { id } = await create('secret', { encrypted: true }, { key: owner.key })
    const headers = { ...from(newAddress()), ...(await session(owner)) }
    const open = () =>
      send(
        `/${id}/edit`,
        { method: 'POST', body: new URLSearchParams({ password: 'wrong' }), headers },
        { bindings: LIMITED },
      )
    expect(countStatuses(await repeat(12, open))).toEqual({ 400: 10, 429: 2 })
  })

  it('leaves other readers and other documents alone', async () => {
    const { id, password } = await createEncrypted()
    const other = await createEncrypted()
    const address = newAddress()
    const wrong = { ...from(address), 'X-Document-Password': 'wrong' }
    await repeat(11, () => read(id, { bindings: LIMITED, headers: wrong }))
    const options = (at: string, right: string) => ({
      bindings: LIMITED,
      headers: { ...from(at), 'X-Document-Password': right },
    })
    expect((await read(id, options(newAddress(), password))).status).toBe(200)
    expect((await read(other.id, options(address, other.password))).status).toBe(200)
  })

  it('lets 10 of 600 wrong claims through', async () => {
    const { id, password } = await createEncrypted({ instant_delete: true })
    const headers = from(newAddress())
    const token = 'x'.repeat(43)
    const answers = await repeat(600, () =>
      call('POST', `/v1/document/${id}/claim`, { token }, { bindings: LIMITED, headers }),
    )
    expect(countStatuses(answers)).toEqual({ 400: 10, 429: 590 })
    expect((await read(id, { headers: { 'X-Document-Password': password } })).status).toBe(200)
  })

  it('holds for the claim token of an edit, together with passwords', async () => {
    const [owner, editor] = [await account(), await account()]
    const password = 'right password'
    const { jwe, claimHash } = await encryptText({ text: 'secret', password, generated: true })
    const settings = { client_encrypted: true, claim_hash: claimHash }
    const shared = { ...settings, encrypted: true, editors: [editor.username] }
    const { id } = await create(jwe, shared, owner)
    const headers = from(newAddress())
    const save = (token: string, at = headers) =>
      edit(
        { id, content: jwe, claim_token: token, settings },
        { key: editor.key, headers: at, bindings: LIMITED },
      )
    expect(countStatuses(await repeat(30, () => save('x'.repeat(43))))).toEqual({ 400: 10, 429: 20 })
    const guess = { id, settings: { claim_hash: 'x'.repeat(43) } }
    expect((await edit(guess, { key: editor.key, headers, bindings: LIMITED })).status).toBe(429)
    const wrong = { ...headers, 'X-Document-Password': 'wrong' }
    expect((await read(id, { headers: wrong, bindings: LIMITED })).status).toBe(429)
    const token = await deriveClaimToken(password, parseJwe(jwe).header)
    expect((await save(token)).status).toBe(429)
    expect((await save(token, from(newAddress()))).status).toBe(200)
  })

  it('holds for the claim token with which an editor restores a version on the site', async () => {
    const [owner, editor] = [await account(), await account()]
    const { jwe, claimHash } = await encryptText({ text: 'secret', password: 'right', generated: true })
    const settings = { client_encrypted: true, claim_hash: claimHash }
    const { id } = await create(jwe, { ...settings, encrypted: true, editors: [editor.username] }, owner)
    const next = await encryptText({ text: 'changed', password: 'right', generated: true })
    const changed = { client_encrypted: true, claim_hash: next.claimHash }
    const { headers: answer } = await edit({ id, content: next.jwe, settings: changed }, owner)
    const headers = { ...from(newAddress()), ...(await session(editor)) }
    const fields = { version: answer.get('ETag') ?? '', claim_token: 'x'.repeat(43) }
    const restore = () => submit(`/${id}/history/1/restore`, fields, headers, LIMITED)
    expect(countStatuses(await repeat(12, restore))).toEqual({ 400: 10, 429: 2 })
  })

  it.each([
    ['fails', async () => Promise.reject(new Error('no limiter'))],
    ['hangs', () => new Promise<never>(() => {})],
  ])('answers 503 and derives no key if the limiter %s', async (_, limit) => {
    const { id, password, countDerivations } = await createEncrypted()
    expectFaults('request failed')
    const headers = { ...from(newAddress()), 'X-Document-Password': password }
    const answer = await read(id, { bindings: withLimiter('PASSWORD_LIMIT', limit), headers })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('Retry-After')).toBe('1')
    expect(countDerivations()).toBe(0)
  })
})
