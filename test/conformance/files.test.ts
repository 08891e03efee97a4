import { describe, expect } from 'vitest'
import { clause } from './support/clause.ts'
import { expectContent, expectInvalid } from './support/expect.ts'

const FILES = [
  { name: 'main.py', content: 'print("hello")\n' },
  { name: 'my config/app.toml', content: 'debug = true' },
]

const ARCHIVE = '-- main.py --\nprint("hello")\n-- my config/app.toml --\ndebug = true'

const nameAndContent = (files: readonly { readonly name: string; readonly content: string }[] = []) =>
  files.map(({ name, content }) => ({ name, content }))

describe('Several files', () => {
  clause('files.create', 'Several files make a document, whose content is a text archive', async (api) => {
    const { document } = await api.post({ files: FILES }, { key: api.needCreator() })
    expect(document.content).toBe(ARCHIVE)
    expect(document.settings.language).toBe('txtar')
    expect(document.files).toEqual([
      {
        name: 'main.py',
        language: 'python',
        size: 15,
        content: 'print("hello")\n',
        links: { raw: `${document.links.raw}/main.py` },
      },
      {
        name: 'my config/app.toml',
        language: 'toml',
        size: 12,
        content: 'debug = true',
        links: { raw: `${document.links.raw}/my%20config/app.toml` },
      },
    ])
  })

  clause('files.read', 'A read returns the files as they were sent, whatever is in them', async (api) => {
    const files = [
      { name: ' "a" ', content: '-- b --\r\n\\-- b --\n\\ No newline at end of file' },
      { name: 'b', content: '' },
      { name: 'c/日本語', content: 'x', language: 'markdown' },
    ]
    const { document } = await api.post({ files }, { key: api.needCreator() })
    const answer = await api.read(document.id)
    expect(nameAndContent(answer.document.files)).toEqual(nameAndContent(files))
    expect(answer.document.files?.[2]).toMatchObject({ language: 'markdown' })
  })

  clause('files.text', 'Content in the language txtar that is an archive has files, too', async (api) => {
    const key = api.needAccount()
    const settings = { language: 'txtar' }
    const archive = await api.post({ content: ARCHIVE, settings }, { key })
    expect(nameAndContent(archive.document.files)).toEqual(FILES)
    const other = await api.post({ content: `Hello\n${ARCHIVE}`, settings }, { key })
    expect(other.document).not.toHaveProperty('files')
  })

  clause('files.one', 'One file is an ordinary document, whose title is its name', async (api) => {
    const { document } = await api.post({ files: FILES.slice(0, 1) }, { key: api.needCreator() })
    expect(document).toMatchObject({
      content: 'print("hello")\n',
      settings: { title: 'main.py', language: 'python' },
    })
    expect(document).not.toHaveProperty('files')
  })

  clause('files.edit', 'An edit with files replaces all files', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key)
    const several = await api.edit({ id, files: FILES }, { key })
    expectContent(several, ARCHIVE)
    expect(nameAndContent(several.document.files)).toEqual(FILES)
    const one = await api.edit({ id, files: FILES.slice(0, 1) }, { key })
    expect(one.document).toMatchObject({
      content: 'print("hello")\n',
      settings: { title: 'main.py', language: 'python' },
    })
  })

  clause('files.password', 'The server encrypts files, and decrypts them with the password', async (api) => {
    const key = api.needAccount()
    const settings = { encrypted: true, password: 'correct horse' }
    const { document } = await api.post({ files: FILES, settings }, { key })
    expect((await api.read(document.id)).document).not.toHaveProperty('files')
    const headers = { 'X-Document-Password': 'correct horse' }
    expect(nameAndContent((await api.read(document.id, { headers })).document.files)).toEqual(FILES)
  })

  clause('files.or-content', 'A request with content and files is a 400 at files', async (api) => {
    expectInvalid(await api.post({ content: 'x', files: FILES }, { key: api.needCreator() }), ['files'])
  })

  clause('files.language', 'Several files beside a language other than txtar are a 400', async (api) => {
    const key = api.needAccount()
    const post = (language: string) => api.post({ files: FILES, settings: { language } }, { key })
    expectInvalid(await post('python'), ['settings', 'language'])
    expect((await post('auto')).document.settings.language).toBe('txtar')
  })

  clause(
    'files.names',
    'A forbidden name, and one that is there twice, is a 400 at that name',
    async (api) => {
      const key = api.needCreator()
      for (const name of [
        '',
        '/a',
        'a/',
        'a//b',
        './a',
        '../a',
        'a\\b',
        'a\nb',
        'a\u202eb',
        'x'.repeat(201),
      ]) {
        const files = [...FILES, { name, content: 'x' }]
        expectInvalid(await api.post({ files }, { key }), ['files', 2, 'name'])
      }
      const files = [...FILES, { name: 'main.py', content: 'x' }]
      expectInvalid(await api.post({ files }, { key }), ['files', 2, 'name'])
    },
  )

  clause('files.number', 'A document has 1 to 100 files', async (api) => {
    const key = api.needCreator()
    const make = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `${index}`, content: `${index}\n` }))
    expect(nameAndContent((await api.post({ files: make(100) }, { key })).document.files)).toEqual(make(100))
    expectInvalid(await api.post({ files: make(101) }, { key }), ['files'])
    expectInvalid(await api.post({ files: [] }, { key }), ['files'])
  })
})
