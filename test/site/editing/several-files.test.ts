import { describe, expect, it } from 'vitest'
import { formatArchive, parseArchive } from '../../../src/shared/txtar.ts'
import { account, session } from '../../support/accounts.ts'
import { read } from '../../support/client.ts'
import { createScene, openForm, parseForm, readContent, sendForm, visit } from '../../support/site/forms.ts'

const FILES = [
  { name: 'main.py', content: 'print(1)\n' },
  { name: 'app.toml', content: 'a = 1\n' },
]
const ARCHIVE = '-- main.py --\nprint(1)\n-- app.toml --\na = 1\n'

describe('several files without scripts', () => {
  it('are written in a text box for each, after the button that adds one', async () => {
    const headers = await session(await account())
    const form = await openForm({ path: '/', headers })
    expect((await visit('/', { headers })).html).toMatch(/<noscript>.*name="add".*Add another file/s)
    const added = await sendForm(
      '/',
      { ...form, title: 'main.py', content: 'print(1)\r\n', add: 'file' },
      { headers },
    )
    expect(added.status).toBe(200)
    const two = await parseForm(added.html, '/')
    expect(two).toMatchObject({
      title: '',
      file_name_0: 'main.py',
      file_content_0: 'print(1)\n',
      file_name_1: '',
      file_content_1: '',
    })
    const filled = { ...two, file_name_1: 'app.toml', file_content_1: 'a = 1\r\n' }
    const third = await sendForm('/', { ...filled, add: 'file' }, { headers })
    expect(await parseForm(third.html, '/')).toMatchObject({ file_name_1: 'app.toml', file_name_2: '' })
    const { add: _, ...sent } = { ...(await parseForm(third.html, '/')), add: '' }
    const created = await sendForm('/', sent, { headers })
    expect(created.status).toBe(303)
    const { content, files, settings } = (await read(created.location?.slice(1) ?? '')).body.data
    expect(content).toBe(ARCHIVE)
    expect(files?.map(({ name }) => name)).toEqual(['main.py', 'app.toml'])
    expect(settings).toMatchObject({ language: 'txtar' })
  })

  it.each([
    ['', 'Must not be empty'],
    ['../a', 'Must not have . or .. as a folder'],
    ['main.py', 'Another file has this name'],
  ])('ask again for the name %j, and lose nothing', async (name, problem) => {
    const headers = await session(await account())
    const form = await openForm({ path: '/', headers })
    const fields = {
      ...form,
      file_name_0: 'main.py',
      file_content_0: 'one',
      file_name_1: name,
      file_content_1: 'two',
    }
    const { status, html } = await sendForm('/', fields, { headers })
    expect(status).toBe(400)
    expect(html).toContain(problem)
    expect(html).toMatch(/name="file_name_1"[^>]* aria-invalid="true" aria-describedby="problem"/)
    expect(await parseForm(html, '/')).toMatchObject({ file_name_1: name, file_content_1: 'two' })
  })

  it('become an ordinary document if only one has a name or a text', async () => {
    const headers = await session(await account())
    const form = await openForm({ path: '/', headers })
    const created = await sendForm(
      '/',
      { ...form, file_name_0: 'main.py', file_content_0: 'print(1)', file_name_1: '', file_content_1: '' },
      { headers },
    )
    expect((await read(created.location?.slice(1) ?? '')).body.data).toMatchObject({
      content: 'print(1)',
      settings: { title: 'main.py', language: 'python' },
    })
  })

  it('keep their line breaks, each its own', async () => {
    const archive = '-- a.bat --\necho 1\r\necho 2\r\n-- b.sh --\necho 3\n'
    const { headers, id, path } = await createScene(archive, { language: 'txtar' })
    expect((await visit(path, { headers })).html).not.toContain('mixed line breaks')
    const form = await openForm({ path, headers })
    const boxes = await parseForm((await sendForm(path, { ...form, add: 'file' }, { headers })).html, path)
    expect((await sendForm(path, { ...boxes, file_content_1: 'echo 4\r\n' }, { headers })).status).toBe(303)
    const edited = archive.replace('echo 3', 'echo 4')
    expect(await readContent(id)).toBe(edited)
    const again = await openForm({ path, headers })
    const content = edited.replace('echo 1', 'echo 5').replaceAll(/\r?\n/g, '\r\n')
    expect((await sendForm(path, { ...again, content }, { headers })).status).toBe(303)
    expect(await readContent(id)).toBe(edited.replace('echo 1', 'echo 5'))
  })

  it('are edited one by one', async () => {
    const { headers, id, path } = await createScene(ARCHIVE, { language: 'txtar' })
    expect((await visit(path, { headers })).html).toContain('Edit file by file')
    const form = await openForm({ path, headers })
    const boxes = await parseForm((await sendForm(path, { ...form, add: 'file' }, { headers })).html, path)
    expect(boxes).toMatchObject({
      version: form.version,
      file_name_0: 'main.py',
      file_content_1: FILES[1]?.content,
    })
    expect(boxes).not.toHaveProperty('file_name_2')
    const saved = await sendForm(path, { ...boxes, file_content_1: 'a = 2\r\n' }, { headers })
    expect(saved.status).toBe(303)
    expect(await readContent(id)).toBe('-- main.py --\nprint(1)\n-- app.toml --\na = 2\n')
    const conflict = await sendForm(path, { ...boxes, file_content_1: 'a = 3\r\n' }, { headers })
    expect(conflict.status).toBe(412)
    expect(await parseForm(conflict.html, path)).toMatchObject({ file_content_1: 'a = 3\n' })
  })

  it('keep a language that somebody chose, and are all there', async () => {
    const files = Array.from({ length: 100 }, (_, index) => ({
      name: `LICENSE-${index}`,
      content: `text ${index}\n`,
      language: 'python',
    }))
    const { headers, id, path } = await createScene(formatArchive(files), { language: 'txtar' })
    const form = await openForm({ path, headers })
    const { html } = await sendForm(path, { ...form, add: 'file' }, { headers })
    expect(html).not.toContain('name="add"')
    const boxes = await parseForm(html, path)
    const saved = await sendForm(path, { ...boxes, file_content_99: 'new\r\n' }, { headers })
    expect(saved.status).toBe(303)
    const edited = files.map((file, index) => (index === 99 ? { ...file, content: 'new\n' } : file))
    expect(parseArchive(await readContent(id))).toEqual(edited)
  })
})
