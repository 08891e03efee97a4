import { base64url, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { decodeText } from '../../src/documents/content-store.ts'
import { encodeText } from '../../src/shared/encodings.ts'
import { decryptJwe, encryptJwe, parseJwe } from '../../src/shared/jwe.ts'
import { account } from '../support/accounts.ts'
import { call, create, read } from '../support/client.ts'
import { expectInvalid } from '../support/expect.ts'
import vectors from './vectors.json'

interface Vector {
  readonly madeBy: string
  /** The implementations that decrypted it to exactly `text`. */
  readonly decryptedBy: readonly string[]
  readonly password: string
  readonly text: string
  readonly jwe: string
}

const own: readonly Vector[] = vectors.own
const foreign: readonly Vector[] = vectors.foreign

const decodeHeader = ({ jwe }: Vector) => decodeProtectedHeader(jwe)

/** Names each vector by its maker and its differences from the maker's other vectors. */
const nameAll = (list: readonly Vector[]) =>
  list.map(
    (vector) =>
      [`${vector.madeBy}, p2c ${decodeHeader(vector).p2c}, ${JSON.stringify(vector.text)}`, vector] as const,
  )

const clientEncrypted = { encrypted: true, client_encrypted: true }

describe('a JWE from another implementation', () => {
  it.each(nameAll(foreign))('is decrypted: %s', async (_, { jwe, password, text }) => {
    const { header, contentBytes } = parseJwe(jwe)
    expect(header.iterations).toBe(decodeProtectedHeader(jwe).p2c)
    expect(contentBytes).toBe(encodeText(text).byteLength)
    const decrypted = await decryptJwe(jwe, password)
    expect(decrypted && decodeText(decrypted)).toBe(text)
    expect(await decryptJwe(jwe, `${password}x`)).toBeNull()
  })

  it.each(nameAll(foreign))(
    'is stored and read back with the password: %s',
    async (_, { jwe, password, text }) => {
      const { key } = await account()
      const { id, content } = await create(jwe, clientEncrypted, { key })
      expect(content).toBe(jwe)
      expect((await read(id)).body.data.content).toBe(jwe)
      const answer = await read(`${id}?password=${encodeURIComponent(password)}`)
      expect(answer.body.data).toMatchObject({ content: text, settings: { encrypted: true } })
    },
  )
})

describe('a JWE of ours that other implementations decrypted', () => {
  it.each(nameAll(own))('is still decrypted: %s', async (_, { jwe, password, text }) => {
    expect(parseJwe(jwe).contentBytes).toBe(encodeText(text).byteLength)
    const decrypted = await decryptJwe(jwe, password)
    expect(decrypted && decodeText(decrypted)).toBe(text)
  })

  it.each(nameAll(own))('still has the same format: %s', async (_, vector) => {
    const header = decodeHeader(vector)
    const made = await encryptJwe(encodeText(vector.text), vector.password, Number(header.p2c))
    expect(decodeProtectedHeader(made)).toEqual({ ...header, p2s: expect.stringMatching(/^[\w-]{22}$/) })
    const lengths = (jwe: string) => jwe.split('.').map((part) => part.length)
    expect(lengths(made)).toEqual(lengths(vector.jwe))
  })
})

describe('an altered JWE', () => {
  const jwe = foreign[0]?.jwe ?? ''
  const parts = jwe.split('.')

  const withPart = (index: number, part: string) => parts.with(index, part).join('.')
  const withHeader = (members: Record<string, unknown>) =>
    withPart(0, base64url.encode(JSON.stringify({ ...decodeProtectedHeader(jwe), ...members })))

  const upload = async (content: string) => {
    const { key } = await account()
    return call('POST', '/v1/document', { content, settings: clientEncrypted }, { key })
  }

  it.each([
    ['fewer than 1,000 iterations', withHeader({ p2c: 999 }), 'p2c'],
    ['more than 100,000 iterations', withHeader({ p2c: 100_001 }), 'p2c'],
    ['a salt of 8 bytes', withHeader({ p2s: base64url.encode(new Uint8Array(8)) }), 'p2s'],
    ['a salt that isn’t base64url', withHeader({ p2s: '+'.repeat(22) }), 'p2s'],
    ['alg PBES2-HS256+A128KW', withHeader({ alg: 'PBES2-HS256+A128KW' }), 'alg'],
    ['alg dir', withHeader({ alg: 'dir' }), 'alg'],
    ['enc A128GCM', withHeader({ enc: 'A128GCM' }), 'enc'],
    ['enc A256CBC-HS512', withHeader({ enc: 'A256CBC-HS512' }), 'enc'],
    ['compression', withHeader({ zip: 'DEF' }), 'zip'],
    ['four parts', parts.slice(0, 4).join('.'), 'five parts'],
    ['six parts', `${jwe}.AAAA`, 'five parts'],
    ['a header that isn’t base64url', withPart(0, `+${parts[0]?.slice(1)}`), 'base64url'],
    ['a wrapped key that isn’t base64url', withPart(1, `+${parts[1]?.slice(1)}`), 'key'],
    ['an IV that isn’t base64url', withPart(2, `+${parts[2]?.slice(1)}`), 'IV'],
    ['a ciphertext that isn’t base64url', withPart(3, `+${parts[3]?.slice(1)}`), 'ciphertext'],
    ['a tag that isn’t base64url', withPart(4, `+${parts[4]?.slice(1)}`), 'tag'],
  ])('is refused with %s', async (_, content, reason) => {
    const answer = await upload(content)
    expectInvalid(answer, ['content'])
    expect(answer.body.error.errors?.[0]?.message).toContain(reason)
  })

  it.each([
    ['1,000 iterations', { p2c: 1_000 }],
    ['100,000 iterations', { p2c: 100_000 }],
    ['a salt of 16 bytes', { p2s: base64url.encode(new Uint8Array(16)) }],
    ['header members that change nothing', { typ: 'JWE', cty: 'text/plain', kid: 'a' }],
  ])('is stored with %s', async (_, members) => {
    expect((await upload(withHeader(members))).status).toBe(200)
  })
})
