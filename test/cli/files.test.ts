import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readFiles, writeFiles } from '../../cli/src/files.ts'
import { createOutput } from '../../cli/src/terminal.ts'
import { createFakeTerminal } from './support/fake-terminal.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regent-files-'))
})

afterEach(() => rm(folder, { recursive: true }))

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}

async function readNamed(...names: readonly string[]) {
  const fake = createFakeTerminal()
  const paths = names.map((name) => join(folder, name))
  const input = await readFiles(paths, fake.terminal, createOutput(fake.terminal, { quiet: false }))
  const notes = fake.stderr().replaceAll(`${folder}/`, '').split('\n').slice(0, -1)
  return { input, names: input.files?.map(({ name }) => name), notes }
}

describe('several files', () => {
  it('have names relative to the folder that has them all', async () => {
    await write({ 'a/b/one.py': '1', 'a/two.py': '', 'a/b/c/three.py': '3' })
    expect((await readNamed('a/b/one.py', 'a/two.py')).names).toEqual(['b/one.py', 'two.py'])
    expect((await readNamed('a/b')).names).toEqual(['c/three.py', 'one.py'])
    expect((await readNamed('a/b/c', 'a/two.py')).names).toEqual(['b/c/three.py', 'two.py'])
  })

  it('are one ordinary text if a folder has only one', async () => {
    await write({ 'a/one.py': '1' })
    expect((await readNamed('a')).input).toMatchObject({ fileName: 'one.py', text: '1', files: null })
  })

  it('must be text if they are named', async () => {
    await write({ 'a.py': '1', 'b.png': new Uint8Array([0x89, 0x50]), 'c.zip': 'PK\u0003\u0004' })
    await expect(readNamed('a.py', 'b.png')).rejects.toThrow('b.png isn’t text in UTF-8')
    await expect(readNamed('a.py', 'c.zip')).rejects.toThrow('is a zip archive')
    await expect(readNamed('a.py', 'missing')).rejects.toThrow('there’s no such file')
  })

  it('are at most 100', async () => {
    await write(Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`${index}.txt`, 'x'])))
    await expect(readNamed('')).rejects.toThrow('A document has at most 100 files')
  })
})

describe('a folder', () => {
  it('is shared without what Git ignores, binaries and links, and says so line by line', async () => {
    await write({
      'repository/.git/HEAD': 'ref',
      'repository/.gitignore': '*.log\n/src/secret\nbuild/\n',
      'repository/src/.gitignore': '!kept.log\n',
      'repository/src/kept.log': '1',
      'repository/src/other.log': '2',
      'repository/src/secret': '3',
      'repository/src/build/out.js': '4',
      'repository/src/node_modules/x.js': '5',
      'repository/src/logo.png': new Uint8Array([0x50, 0, 0x51]),
      'repository/src/latin.txt': new Uint8Array([0x61, 0xe9]),
      'repository/src/main.py': '6',
    })
    await symlink('/etc/passwd', join(folder, 'repository/src/passwd'))
    const { names, notes } = await readNamed('repository/src')
    expect(names).toEqual(['.gitignore', 'kept.log', 'main.py'])
    expect(notes.map((note) => note.replace('Left out repository/src/', ''))).toEqual([
      'build: .gitignore says so.',
      'latin.txt: it isn’t text in UTF-8, or can’t be read.',
      'logo.png: it’s a binary file.',
      'node_modules: it’s never shared with a folder.',
      'other.log: .gitignore says so.',
      'passwd: it’s a symbolic link.',
      'secret: .gitignore says so.',
    ])
  })

  it('without any text is refused', async () => {
    await write({ 'a/logo.png': new Uint8Array([0, 0]) })
    await expect(readNamed('a')).rejects.toThrow('There’s no text file in')
  })
})

describe('writing files', () => {
  const files = [
    { name: 'main.py', content: 'new' },
    { name: 'config/app.toml', content: 'a = 1' },
  ]

  it('makes their folders, and replaces nothing unless it is told to', async () => {
    await writeFiles(join(folder, 'out'), files)
    expect(await readFile(join(folder, 'out/config/app.toml'), 'utf8')).toBe('a = 1')
    await write({ 'half/config/app.toml': 'old' })
    await expect(writeFiles(join(folder, 'half'), files)).rejects.toThrow(
      'exists. To replace it, add --force',
    )
    await expect(readFile(join(folder, 'half/main.py'))).rejects.toThrow('ENOENT')
    await writeFiles(join(folder, 'half'), files, { force: true })
    expect(await readFile(join(folder, 'half/config/app.toml'), 'utf8')).toBe('a = 1')
  })

  it('leaves what was there, and nothing of its own, if one of them can’t be written', async () => {
    await write({ 'out/main.py': 'old' })
    await mkdir(join(folder, 'out/config/app.toml'), { recursive: true })
    await expect(writeFiles(join(folder, 'out'), files.toReversed(), { force: true })).rejects.toThrow(
      'EISDIR',
    )
    expect(await readFile(join(folder, 'out/main.py'), 'utf8')).toBe('old')
    expect((await readdir(join(folder, 'out'), { recursive: true })).toSorted()).toEqual([
      'config',
      'config/app.toml',
      'main.py',
    ])
  })

  it.each(['.git/config', 'a/.GIT/hooks/post-checkout', '.git', '.git. /config', 'git~1/config'])(
    'writes no "%s", which could make git run programs',
    async (name) => {
      const hostile = [...files, { name, content: 'harm' }]
      await expect(writeFiles(join(folder, 'out'), hostile)).rejects.toThrow('git would run what it says')
      expect(await readdir(join(folder, 'out'))).toEqual([])
      await writeFiles(join(folder, 'out'), [{ name: '.gitignore', content: 'x' }])
    },
  )

  it('gives another name to a file that has the name of a folder', async () => {
    const names = ['a', 'a/b', 'a-2', 'c/d', 'c']
    const written = await writeFiles(
      join(folder, 'out'),
      names.map((name) => ({ name, content: name })),
    )
    expect(written).toEqual(['a-2', 'a/b', 'a-2-2', 'c/d', 'c-2'].map((name) => join(folder, 'out', name)))
    expect(await readFile(join(folder, 'out/a-2'), 'utf8')).toBe('a')
  })

  it('never leaves the folder, through a link or otherwise', async () => {
    await write({ 'outside/app.toml': 'mine', 'target.py': 'mine' })
    await mkdir(join(folder, 'out'))
    await symlink(join(folder, 'outside'), join(folder, 'out/config'))
    await expect(writeFiles(join(folder, 'out'), files, { force: true })).rejects.toThrow('symbolic link')
    await expect(writeFiles(join(folder, 'out'), [{ name: '../x', content: '' }])).rejects.toThrow('isn’t in')
    await symlink(join(folder, 'target.py'), join(folder, 'out/main.py'))
    await writeFiles(join(folder, 'out'), files.slice(0, 1), { force: true })
    expect(await readFile(join(folder, 'outside/app.toml'), 'utf8')).toBe('mine')
    expect(await readFile(join(folder, 'target.py'), 'utf8')).toBe('mine')
    expect(await readFile(join(folder, 'out/main.py'), 'utf8')).toBe('new')
  })
})
