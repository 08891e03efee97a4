import { describe, expect, it } from 'vitest'
import { toGistFiles } from '../../src/gists/publish-gist.lazy.ts'
import { formatArchive } from '../../src/shared/txtar.ts'
import { edit as editBy } from '../support/client.ts'
import { createAuthor, findGistRow, gitHubBindings } from '../support/github/publishing.ts'

describe('the gist of several files', () => {
  it('has each as a file, through edits and back to one text', async () => {
    const { create, gist, key, state } = await createAuthor()
    const archive = formatArchive([
      { name: 'main.py', content: 'print(1)' },
      { name: 'config/app.toml', content: 'a = 1\n' },
      { name: 'empty', content: '' },
    ])
    const { id } = await create(archive, { language: 'txtar' })
    expect((await gist()).files).toEqual({ 'main.py': 'print(1)', 'config-app.toml': 'a = 1\n' })
    const edit = (body: Record<string, unknown>) =>
      editBy({ id, ...body }, { key, bindings: gitHubBindings, settle: true })
    await edit({
      files: [
        { name: 'main.py', content: 'print(2)' },
        { name: 'new.md', content: '# New' },
      ],
    })
    expect((await gist()).files).toEqual({ 'main.py': 'print(2)', 'new.md': '# New' })
    await edit({ content: 'one text', settings: { language: 'plaintext' } })
    expect((await gist()).files).toEqual({ [`${id}.txt`]: 'one text' })
    expect((await state()).created).toBe(1)
  })

  it('may be longer than any answer that we keep in memory', async () => {
    const { create, gist, key } = await createAuthor()
    const files = Array.from({ length: 20 }, (_, index) => ({
      name: `${index}.txt`,
      content: `"${index}\\" \u0001 ${'x'.repeat(480_000)}`,
    }))
    const { id, gist_url } = await create(formatArchive(files), { language: 'txtar' })
    expect(gist_url).toBe((await gist()).url)
    const edit = (body: Record<string, unknown>) =>
      editBy({ id, ...body }, { key, bindings: gitHubBindings, settle: true })
    await edit({ files: files.slice(1) })
    expect(Object.keys((await gist()).files)).toEqual(files.slice(1).map(({ name }) => name))
    // GitHub repeats the files that the next request takes out.
    await edit({ content: 'one text', settings: { language: 'plaintext' } })
    expect((await gist()).files).toEqual({ [`${id}.txt`]: 'one text' })
    expect((await findGistRow(id))?.attempts).toBe(0)
  })

  it('is one file if the text is no archive, or if every file is blank', () => {
    const document = { id: 'abcd', language: 'txtar' }
    expect([...toGistFiles(document, 'no archive')]).toEqual([['abcd.txtar', 'no archive']])
    expect([...toGistFiles(document, '-- a --\n-- b --\n \n').keys()]).toEqual(['abcd.txtar'])
    expect([...toGistFiles({ id: 'abcd', language: 'go' }, '-- a --\nx\n').keys()]).toEqual(['abcd.go'])
  })

  it('numbers names that are the same without folders', () => {
    const text = formatArchive(['a/b.py', 'a-b.py', ' c '].map((name) => ({ name, content: 'x' })))
    expect([...toGistFiles({ id: 'abcd', language: 'txtar' }, text).keys()]).toEqual([
      'a-b.py',
      'a-b-2.py',
      'c',
    ])
  })
})
