import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { contentCache, decodeText } from '../../src/documents/content-store.ts'
import { encodeText } from '../../src/shared/encodings.ts'
import { decryptJwe, encryptJwe, parseJwe } from '../../src/shared/jwe.ts'
import { anyCharacter, CREATE_SETTING_NAMES } from '../fuzz/hostile.ts'
import { account } from '../support/accounts.ts'
import { call, create, edit, read, send } from '../support/client.ts'

/** Any well-formed text, with characters that are easily lost more often than by chance. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('\0', '\r\n', '\r', '\ufeff', '😀', '\u2028', '</pre>', '&amp;', '\x7f', '\uffff'),
    ),
    { minLength: 1, maxLength: 20 },
  )
  .map((parts) => parts.join(''))
  .filter((joined) => joined !== '')

const raw = async (id: string) => new Uint8Array(await (await send(`/r/${id}`)).arrayBuffer())

describe('any well-formed text', () => {
  it('survives create and read, cached or not, and the raw link', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const { id } = await create(content)
        contentCache.clear()
        expect((await read(id)).body.data.content).toBe(content)
        expect((await read(id)).body.data.content).toBe(content)
        expect(await raw(id)).toEqual(encodeText(content))
      }),
      { numRuns: 60 },
    )
  })

  it('survives edit and read', async () => {
    const { key } = await account()
    const { id } = await create('start', {}, { key })
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        expect((await edit({ id, content }, { key })).body.data.content).toBe(content)
        contentCache.clear()
        expect((await read(id)).body.data.content).toBe(content)
      }),
      { numRuns: 40 },
    )
  })

  it('survives encryption by the service', async () => {
    const { key } = await account()
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const { id, password } = await create(content, { encrypted: true }, { key })
        expect((await read(`${id}?password=${password}`)).body.data.content).toBe(content)
      }),
      { numRuns: 20 },
    )
  })

  it('survives a JWE with any password, which has the size of the text', async () => {
    const password = fc.string({ unit: anyCharacter, minLength: 1 })
    await fc.assert(
      fc.asyncProperty(text, password, async (content, secret) => {
        const jwe = await encryptJwe(encodeText(content), secret, 1_000)
        expect(parseJwe(jwe).contentBytes).toBe(encodeText(content).byteLength)
        const opened = await decryptJwe(jwe, secret)
        expect(opened && decodeText(opened)).toBe(content)
      }),
      { numRuns: 100 },
    )
  })
})

/** Bodies that look like real ones, with arbitrary members. */
const anything = fc.anything({ maxDepth: 2, withNullPrototype: false })
const settings = fc.oneof(
  anything,
  fc.dictionary(
    fc.constantFrom('title', ...CREATE_SETTING_NAMES, '__proto__', 'constructor'),
    fc.oneof(anything, fc.boolean(), fc.double(), fc.constantFrom(null, '', 'auto', [], ['x'])),
  ),
)
const body = fc.oneof(
  anything,
  fc.record(
    { id: fc.oneof(anything, fc.string()), content: fc.oneof(text, anything), password: anything, settings },
    { requiredKeys: [] },
  ),
)

const toJson = (value: unknown): string => {
  try {
    return (
      JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? Number(member) : member)) ?? 'null'
    )
  } catch {
    return '{"circular": true}'
  }
}

describe('any request body', () => {
  it.each(['POST', 'PATCH'])('gets 200 or a 4xx error in the usual shape from %s', async (method) => {
    const log = vi.spyOn(console, 'error')
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (value, known) => {
        const sent = known && typeof value === 'object' && value !== null ? { ...value, id } : value
        const answer = await call(method, '/v1/document', toJson(sent), { key })
        expect([200, 400, 404, 413]).toContain(answer.status)
        if (answer.status === 200)
          expect(answer.body).toMatchObject({ success: true, data: { id: expect.any(String) } })
        else {
          expect(answer.body).toMatchObject({
            success: false,
            error: { code: expect.any(String), message: expect.any(String) },
          })
        }
      }),
      { numRuns: 150 },
    )
    expect(log).not.toHaveBeenCalled()
  })
})
