import { describe, expect, it } from 'vitest'
import { findArchiveFormat } from '../../src/shared/encodings.ts'
import { findFreeName } from '../../src/shared/txtar.ts'
import { read } from '../support/client.ts'
import { countDocuments, created, curl, getId, multipart } from './support.ts'

const file = (name: string, content: string | Uint8Array, field = 'f') =>
  [`name="${field}"; filename="${name}"`, content] as const

/** A tar of one text, as `tar cf - a.txt` writes it. */
function formatTar(): Uint8Array {
  const bytes = new Uint8Array(10240)
  const put = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at)
  put(0, 'a.txt')
  put(100, '0000644')
  put(124, '00000000002')
  put(257, 'ustar  ')
  put(512, 'x\n')
  return bytes
}

describe('a form with several files', () => {
  it('makes one document of them, whatever the fields are called', async () => {
    const answer = await curl(
      '/?expires=2d',
      multipart([
        file('main.py', 'print(1)\n', 'anything'),
        file('config/app.toml', 'a = 1', 'other'),
        file('empty', ''),
      ]),
    )
    const { content, files, settings } = await created(answer)
    expect(content).toBe(
      '-- main.py --\nprint(1)\n-- config/app.toml --\na = 1\n\\ No newline at end of file\n-- empty --\n',
    )
    expect(files?.map(({ name, language }) => [name, language])).toEqual([
      ['main.py', 'python'],
      ['config/app.toml', 'toml'],
      ['empty', 'plaintext'],
    ])
    expect(settings).toMatchObject({ language: 'txtar' })
    expect(settings.title).toBeUndefined()
    expect((await curl(`/${getId(answer)}/config/app.toml`)).text).toBe('a = 1')
  })

  it('numbers equal names and names what comes from a pipe', async () => {
    const { files } = await created(
      await curl('/', multipart([file('a.py', '1'), file('a.py', '2'), file('-', '3'), file('-', '4')])),
    )
    expect(files?.map(({ name }) => name)).toEqual(['a.py', 'a-2.py', 'file', 'file-2'])
  })

  it('takes the options of one text', async () => {
    const answer = await curl(
      '/?burn',
      multipart([['name="password"', 'secret words'], file('a', '1'), file('b', '2')]),
    )
    const { body } = await read(getId(answer), { headers: { 'X-Document-Password': 'secret words' } })
    expect(body.data).toMatchObject({
      content: '-- a --\n1\n\\ No newline at end of file\n-- b --\n2',
      settings: { encrypted: true, instant_delete: true },
    })
  })

  it('replaces the files of a document', async () => {
    const answer = await curl('/', multipart([file('a', '1\n'), file('b', '2\n')]))
    const token = answer.headers.get('X-Document-Token') ?? ''
    const form = multipart([file('b', '3\n'), file('c', '4\n')])
    const id = getId(answer)
    const updated = await curl(`/${id}`, {
      method: 'PUT',
      body: form.body,
      headers: { ...form.headers, 'X-Document-Token': token },
    })
    expect(updated.status).toBe(200)
    expect((await read(id)).body.data.content).toBe('-- b --\n3\n-- c --\n4\n')
  })

  it.each([
    [
      '/?language=python',
      'a',
      "language: Can't be combined with several files: each has the language of its name",
    ],
    ['/?client_encrypted', 'a', "client_encrypted: Can't be combined with several files: encrypt one text"],
    [
      '/',
      '../a',
      `The file name "../a": Must not have . or .. as a folder. Send another: -F 'f=@FILE;filename=NAME'`,
    ],
  ])('refuses %s with %s', async (path, name, message) => {
    const before = await countDocuments()
    const answer = await curl(path, multipart([file(name, '1'), file('b', '2')]))
    expect(answer).toMatchObject({ status: 400, text: `${message}\n` })
    expect(await countDocuments()).toBe(before)
  })

  it('quotes at most 200 characters of a name that is refused', async () => {
    const answer = await curl('/', multipart([file('a'.repeat(60_000), '1'), file('b', '2')]))
    expect(answer).toMatchObject({
      status: 400,
      text: expect.stringMatching(/^The file name "a{200}": Must have at most 200 characters\. /),
    })
  })

  it('names the file that is not text', async () => {
    const answer = await curl(
      '/',
      multipart([file('a', '1'), file('logo.png', new Uint8Array([0x89, 0x50]))]),
    )
    expect(answer).toMatchObject({
      status: 400,
      text: expect.stringMatching(/^logo\.png: That isn't text in UTF-8/),
    })
  })
})

describe('an archive', () => {
  it('is refused as a body and as a file, and told how to send its files', async () => {
    const message =
      "That's a tar archive, and Regent stores text only. Send several files as in: curl -F f=@main.py -F f=@app.toml\n"
    expect(await curl('/', { body: formatTar() })).toMatchObject({ status: 400, text: message })
    expect(await curl('/', multipart([file('a.tar', formatTar())]))).toMatchObject({
      status: 400,
      text: message,
    })
  })

  it.each([
    [[0x1f, 0x8b, 8], 'gzip'],
    [[0x50, 0x4b, 3, 4], 'zip'],
    [[0x28, 0xb5, 0x2f, 0xfd], 'zstd'],
    [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], 'xz'],
  ])('is known by its first bytes: %j', (bytes, format) => {
    expect(findArchiveFormat(new Uint8Array(bytes))).toBe(format)
  })

  it('is not a text that says ustar where a tar does', () => {
    expect(findArchiveFormat(new TextEncoder().encode(`${'x'.repeat(257)}ustar`))).toBeNull()
    expect(findArchiveFormat(new TextEncoder().encode('PK, gz and BZh are formats'))).toBeNull()
  })
})

describe('a free name', () => {
  it.each([
    ['main.py', ['main.py'], 'main-2.py'],
    ['main.py', ['main.py', 'main-2.py'], 'main-3.py'],
    ['a.b/Makefile', ['a.b/Makefile'], 'a.b/Makefile-2'],
    ['.env', ['.env'], '.env-2'],
    ['new', [], 'new'],
    ['x'.repeat(200), ['x'.repeat(200)], `${'x'.repeat(198)}-2`],
  ])('of %s beside %j', (name, taken, free) => {
    expect(findFreeName(name, (other) => taken.includes(other))).toBe(free)
  })
})
