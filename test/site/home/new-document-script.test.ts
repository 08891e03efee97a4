import { describe, expect, it } from 'vitest'
import type { CreateAnswer } from '../../../src/shared/create-answer.ts'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  deriveClaimToken,
  encryptJwe,
  hashClaimToken,
  parseJwe,
} from '../../../src/shared/jwe.ts'
import { account, session } from '../../support/accounts.ts'
import { ORIGIN, read, remove, send } from '../../support/client.ts'

interface Answer {
  readonly data: CreateAnswer
  readonly error: { readonly code: string; readonly message: string; readonly errors?: { path: string[] }[] }
}

/** Sends the form as the page's script does: the content as a file. */
async function sendByScript(
  content: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  body.set('content', new File([content], 'content', { type: 'text/plain' }))
  const response = await send('/', {
    method: 'POST',
    body,
    headers: { Origin: ORIGIN, Accept: 'application/json', ...headers },
  })
  return { response, ...((await response.json()) as Answer) }
}

describe('a new document that the script of the page sends', () => {
  it('is stored byte for byte, and answered with its token', async () => {
    const text = '\uFEFFone\r\ntwo\rthree\n\u0000😀'
    const { response, data } = await sendByScript(text, { title: 'notes.txt', expires: 'day' })
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Set-Cookie')).toContain(`Path=/${data.id}`)
    expect(data).toMatchObject({ url: `${ORIGIN}/${data.id}`, title: 'notes.txt' })
    expect(Math.round((data.expiresAt - data.createdAt) / 3_600_000)).toBe(24)
    expect((await read(data.id)).body.data.content).toBe(text)
    const { status } = await remove(data.id, { headers: { 'X-Document-Token': data.token ?? '' } })
    expect(status).toBe(204)
  })

  it('has no token if an account creates it, and expires on the date that was chosen', async () => {
    const creator = await account()
    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString()
    const fields = { account: creator.id, expires: 'date', expires_at: expiresAt }
    const { response, data } = await sendByScript('mine', fields, await session(creator))
    expect(data.token).toBeUndefined()
    expect(response.headers.get('Set-Cookie')).not.toContain('document_token')
    const { timestamps, creator: author } = (await read(data.id)).body.data
    expect(timestamps.expiration).toBe(expiresAt)
    expect(author).toMatchObject({ username: creator.username })
  })

  it('can be encrypted in the browser and burned after reading, without an account', async () => {
    const jwe = await encryptJwe(new TextEncoder().encode('secret'), 'pass', CHOSEN_PASSWORD_ITERATIONS)
    const claimHash = await hashClaimToken(await deriveClaimToken('pass', parseJwe(jwe).header))
    const fields = { client_encrypted: 'yes', claim_hash: claimHash, instant_delete: 'yes', language: 'go' }
    const { data } = await sendByScript(jwe, fields)
    expect(data.title).toBeNull()
    expect((await read(`${data.id}?password=pass`)).body.data).toMatchObject({
      content: 'secret',
      settings: { encrypted: true, instant_delete: true, language: 'go' },
    })
  })

  it.each([
    ['content that is not text', new Uint8Array([0xff, 0xfe]), {}, 400, 'content'],
    ['a JWE that is none', 'x', { client_encrypted: 'yes' }, 400, 'content'],
    ['a claim hash that is none', 'x', { client_encrypted: 'yes', claim_hash: 'x' }, 400, 'claim_hash'],
    ['a date that is none', 'x', { expires: 'date', expires_at: 'soon' }, 400, 'expiration'],
    ['an expiry that is not offered', 'x', { expires: 'never' }, 400, 'expires'],
  ])('is refused in the shape of the API for %s', async (_, content, fields, status, field) => {
    const { response, error } = await sendByScript(content, fields as Record<string, string>)
    expect(response.status).toBe(status)
    expect(error.code).toBe('bad_request')
    expect(error.errors?.[0]?.path).toContain(field)
  })

  it('is refused if the session has ended', async () => {
    const { id } = await account()
    const { response, error } = await sendByScript('mine alone', { account: id })
    expect(response.status).toBe(401)
    expect(error.code).toBe('unauthorized')
  })
})
