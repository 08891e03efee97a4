import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { call, create, edit, read, withVars } from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'

const TOO_LARGE = 'Content is too large'
const KiB = 1024

const FILES = [
  { name: 'main.py', content: 'print("hello")\n' },
  { name: 'app.toml', content: 'debug = true\n' },
]

const post = (body: object, options = {}) => call('POST', '/v1/document', body, options)

describe('several files', () => {
  it('are content, which needs no account', async () => {
    const { status, body } = await post({ files: FILES })
    expect(status).toBe(200)
    expect(body.data.files?.map(({ language }) => language)).toEqual(['python', 'toml'])
  })

  it('have the language that was chosen, that of their name, or the detected one', async () => {
    const files = [
      { name: 'a.py', content: 'x\n', language: 'SQL' },
      { name: 'b', content: '{"a": 1}\n' },
      { name: 'c.rs', content: 'x\n', language: 'auto' },
    ]
    const { id } = (await post({ files })).body.data
    const shown = (await read(id)).body.data
    expect(shown.files?.map(({ language }) => language)).toEqual(['sql', 'json', 'rust'])
    expect(shown.content).toContain('-- "a.py" sql --\n')
  })

  it('share what is examined to detect languages, whose time grows with it', async () => {
    const content = `${'words\n'.repeat(100)}${'def f(self):\n    return None\n'.repeat(50)}`
    const detect = async (count: number) => {
      const files = Array.from({ length: count }, (_, index) => ({ name: `${index}`, content }))
      const { body } = await post({ files: [...files, { name: 'a.py', content }] })
      return new Set(body.data.files?.slice(0, count).map(({ language }) => language))
    }
    expect(await detect(4)).toEqual(new Set(['python']))
    expect(await detect(80)).toEqual(new Set(['plaintext']))
    const short = Array.from({ length: 80 }, (_, index) => ({ name: `${index}`, content: 'a\n' }))
    const { body } = await post({ files: [...short, { name: 'last', content }] })
    expect(body.data.files?.at(-1)?.language).toBe('python')
  })

  it('come back exactly if they are large', async () => {
    const parts = ['x\n', 'é漢😀 -- a --\n', '-- a --\n', '\u0000"\\']
    const files = parts.map((part, index) => ({ name: `${index}`, content: part.repeat(60 * KiB) }))
    const { id } = (await post({ files })).body.data
    const shown = (await read(id)).body.data
    expect(shown.files?.map(({ name, content }) => ({ name, content }))).toEqual(files)
    expect(shown.files?.map(({ size }) => size)).toEqual(
      files.map(({ content }) => new TextEncoder().encode(content).byteLength),
    )
  })

  it('may be as large together as a text, and their names count', async () => {
    const bindings = withVars({ MAX_CONTENT_BYTES: `${300 * KiB}` })
    const createFiles = (bytes: number) => [
      { name: 'a', content: `${'x'.repeat(bytes - 1)}\n` },
      { name: 'b', content: 'x'.repeat(100 * KiB) },
    ]
    const headers = '-- a --\n-- b --\n'.length
    expect((await post({ files: createFiles(200 * KiB - headers) }, { bindings })).status).toBe(200)
    expectError(await post({ files: createFiles(200 * KiB - headers + 1) }, { bindings }), 413, TOO_LARGE)
    expectError(await post({ files: createFiles(300 * KiB) }, { bindings }), 413, TOO_LARGE)
  })

  it('are refused with an issue at what is wrong', async () => {
    const refuse = async (body: object, path: (string | number)[]) => expectInvalid(await post(body), path)
    const second = (file: object) => ({ files: [FILES[0], file] })
    await refuse(second({ name: 'b', content: 1 }), ['files', 1, 'content'])
    await refuse(second({ content: 'x' }), ['files', 1, 'name'])
    await refuse(second({ name: 'b', content: 'x', language: 'two words' }), ['files', 1, 'language'])
    await refuse(second({ name: 'b', content: '\ud800' }), ['files', 1, 'content'])
    await refuse({ files: [{ name: 'a', content: '' }] }, ['files', 0, 'content'])
    await refuse({ files: null }, ['content'])
    expectError(await post({ settings: { language: 1 } }), 400, 'Invalid request body', [
      ['content'],
      ['settings', 'language'],
    ])
  })

  it("can't be already encrypted", async () => {
    const { key } = await account()
    const settings = { encrypted: true, client_encrypted: true }
    expectInvalid(await post({ files: FILES, settings }, { key }), ['settings', 'client_encrypted'])
  })

  it('are the same request only with the same name', async () => {
    const { key } = await account()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const send = (name: string) => post({ files: [{ name, content: 'x' }] }, { key, headers })
    const { id } = (await send('a.py')).body.data
    expect((await send('a.py')).body.data.id).toBe(id)
    expectError(await send('b.py'), 409, 'This Idempotency-Key was used for another request')
  })
})

describe('one file', () => {
  it('has the title and the language that are sent', async () => {
    const { key } = await account()
    const settings = { title: 'A program', language: 'ruby' }
    const { body } = await post({ files: FILES.slice(0, 1), settings }, { key })
    expect(body.data.settings).toMatchObject(settings)
  })

  it('has no title if the document is encrypted', async () => {
    const { key } = await account()
    const settings = { encrypted: true, password: 'secret' }
    const { body } = await post({ files: FILES.slice(0, 1), settings }, { key })
    expect(body.data.settings).not.toHaveProperty('title')
    expect(body.data.settings.language).toBe('python')
    const { id } = body.data
    const edited = await edit({ id, files: FILES.slice(1), password: 'secret' }, { key })
    expect(edited.body.data).toMatchObject({ content: 'debug = true\n', settings: { language: 'toml' } })
    expect(edited.body.data.settings).not.toHaveProperty('title')
  })
})

describe('an edit of several files', () => {
  it('as a text keeps them files while the text is an archive', async () => {
    const { key } = await account()
    const { id } = (await post({ files: FILES }, { key })).body.data
    const more = await edit({ id, content: '-- a --\n-- b --\nc' }, { key })
    expect(more.body.data.files).toMatchObject([
      { name: 'a', content: '' },
      { name: 'b', content: 'c' },
    ])
    const none = await edit({ id, content: 'c' }, { key })
    expect(none.body.data.settings.language).toBe('plaintext')
    expect(none.body.data).not.toHaveProperty('files')
  })

  it('takes the name of the one file there was for one of them, not for the title of all', async () => {
    const { key } = await account()
    const [first, ...others] = FILES
    const { id } = (await post({ files: [first] }, { key })).body.data
    const two = await edit({ id, files: FILES }, { key })
    expect(two.body.data.settings).not.toHaveProperty('title')
    const one = await edit({ id, files: [first], settings: { title: 'A program' } }, { key })
    expect(one.body.data.settings.title).toBe('A program')
    const again = await edit({ id, files: [first, ...others] }, { key })
    expect(again.body.data.settings.title).toBe('A program')
  })

  it('is refused with content, or another language', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    expectInvalid(await edit({ id, content: 'x', files: FILES }, { key }), ['files'])
    expectInvalid(await edit({ id, files: FILES, settings: { language: 'go' } }, { key }), [
      'settings',
      'language',
    ])
  })
})
