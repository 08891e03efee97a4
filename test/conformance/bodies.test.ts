import { describe, expect } from 'vitest'
import { clause } from './support/clause.ts'
import { expectError, expectInvalid } from './support/expect.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }

describe('Request bodies', () => {
  clause('bodies.media-type', 'A body that is not application/json gets a 415', async (api) => {
    const key = api.needCreator()
    const body = '{"content": "text"}'
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/json5',
    ]) {
      const answer = await api.send('POST', '/v1/document', { key, body, headers: { 'Content-Type': type } })
      expectError(answer, 415, 'Unsupported media type')
    }
  })

  clause('bodies.no-media-type', 'A create without a body gets a 415', async (api) => {
    const key = api.needCreator()
    expectError(await api.send('POST', '/v1/document', { key }), 415, 'Unsupported media type')
  })

  clause('bodies.parameters', 'The media type may have parameters and capital letters', async (api) => {
    const key = api.needCreator()
    for (const type of ['Application/JSON; charset=utf-8', 'application/json ; x="y"']) {
      const call = { key, body: '{"content": "text"}', headers: { 'Content-Type': type } }
      const answer = await api.send('POST', '/v1/document', call)
      api.deleteLater(answer, key)
      expect(answer.status).toBe(200)
    }
  })

  clause(
    'bodies.not-json',
    'A body that is not JSON gets a 400 with an issue at the path []',
    async (api) => {
      const key = api.needCreator()
      for (const body of ['', '{', '{"content": "text"} more', "{'content': 'text'}"]) {
        expectInvalid(await api.send('POST', '/v1/document', { key, body, headers: JSON_TYPE }), [])
      }
    },
  )

  clause(
    'bodies.not-utf-8',
    'A body that is not UTF-8 gets a 400 with an issue at the path []',
    async (api) => {
      const key = api.needCreator()
      const bytes = new TextEncoder().encode('{"content": "?"}')
      bytes[bytes.indexOf(0x3f)] = 0xff
      expectInvalid(await api.send('POST', '/v1/document', { key, body: bytes, headers: JSON_TYPE }), [])
    },
  )

  clause('bodies.not-an-object', 'A body that is JSON but not an object gets a 400', async (api) => {
    const key = api.needCreator()
    for (const json of [null, 'text', 5, [], true]) expectInvalid(await api.post(json, { key }), [])
  })

  clause('bodies.issues', 'A 400 lists each problem as {code, path, message}', async (api) => {
    const key = api.needAccount()
    const answer = await api.post({ content: 5, settings: { public: 'yes', language: '' } }, { key })
    expectInvalid(answer, ['content'])
    expectInvalid(answer, ['settings', 'public'])
    expectInvalid(answer, ['settings', 'language'])
    expect(answer.body.error?.errors).toHaveLength(3)
  })

  clause('bodies.hint', 'A 400 or a 415 says in one line what is wrong, or what to send', async (api) => {
    const key = api.needCreator()
    const { error } = (await api.post({ content: 5 }, { key })).body
    expect(error?.hint).toBe(`content: ${error?.errors?.[0]?.message}`)
    const utf16 = Uint8Array.from(
      [...'{"content": "text"}'].flatMap((character) => [character.charCodeAt(0), 0]),
    )
    const refused = await api.send('POST', '/v1/document', { key, body: utf16, headers: JSON_TYPE })
    expectInvalid(refused, [])
    expect(refused.body.error?.hint).toMatch(/UTF-8/)
    const headers = { 'Content-Type': 'text/plain' }
    const { body } = await api.send('POST', '/v1/document', { key, body: 'text', headers })
    expect(body.error?.hint).toContain('application/json')
  })

  clause('bodies.no-echo', 'A 400 does not repeat the password of the request', async (api) => {
    const key = api.needAccount()
    const answer = await api.post({ content: 5, settings: { encrypted: true, password: 'hunter2' } }, { key })
    expect(answer.status).toBe(400)
    expect(answer.text).not.toContain('hunter2')
  })
})

describe('Content', () => {
  clause('content.missing', 'A create without content gets a 400 at content', async (api) => {
    const key = api.needCreator()
    for (const json of [{}, { content: null }, { content: '' }, { content: 5 }, { content: ['text'] }]) {
      expectInvalid(await api.post(json, { key }), ['content'])
    }
  })

  clause('content.surrogates', 'Content with half of a surrogate pair gets a 400 at content', async (api) => {
    const key = api.needCreator()
    const body = '{"content": "\\ud83d"}'
    expectInvalid(await api.send('POST', '/v1/document', { key, body, headers: JSON_TYPE }), ['content'])
  })

  clause('content.one-byte', 'Content may be a single byte', async (api) => {
    const key = api.needCreator()
    const { id } = await api.create(key, '\n')
    expect((await api.read(id)).document.content).toBe('\n')
  })

  clause('content.bytes', 'Content comes back byte for byte, from the API and as raw text', async (api) => {
    const key = api.needCreator()
    const text = '\uFEFFfirst\r\nsecond\r third\t\u0000\u001b[31m\u2028 ä \u{1F600} e\u0301 </script> \n\n'
    const { id, content } = await api.create(key, text)
    expect(content).toBe(text)
    expect((await api.read(id)).document.content).toBe(text)
    expect((await api.readRaw(id)).text).toBe(text)
  })

  clause('content.long', 'Content of 1 MiB comes back complete', async (api) => {
    const key = api.needCreator()
    api.needServer(api.target.maxContentBytes >= 2 ** 20, 'a limit of 1 MiB or more')
    const text = 'line "\\ 😀\n'.repeat(80_000)
    const { id } = await api.create(key, text)
    expect((await api.read(id)).document.content === text).toBe(true)
    expect((await api.readRaw(id)).text === text).toBe(true)
  })

  clause('content.too-large', 'Content of more bytes than the limit gets a 413', async (api) => {
    const key = api.needCreator()
    // Counted in bytes of UTF-8: ä has two.
    const content = 'ä'.repeat(api.target.maxContentBytes / 2 + 1)
    expectError(await api.post({ content }, { key }), 413, 'Content is too large')
  })

  clause('content.largest', 'Content of exactly the limit is stored', async (api) => {
    const key = api.needCreator()
    const content = 'x'.repeat(api.target.maxContentBytes)
    const { id } = (await api.post({ content }, { key })).document
    expect((await api.read(id)).document.content === content).toBe(true)
    expect((await api.readRaw(id)).text === content).toBe(true)
  })
})
