import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  deriveClaimToken,
  encryptJwe,
  GENERATED_PASSWORD_ITERATIONS,
  hashClaimToken,
  parseJwe,
} from '../../../src/shared/jwe.ts'
import { addAccount } from '../support/accounts.ts'
import { type Service, startService } from '../support/service.ts'
import { type CliHome, createCliHome } from './cli-process.ts'

const ARCHIVE = '-- main.py --\nprint(1)\n-- config/app.toml --\na = 1\n'

let service: Service
let home: CliHome

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  home = await createCliHome(service.base)
  for (const [name, content] of [
    ['src/main.py', 'print(1)\n'],
    ['src/config/app.toml', 'a = 1\n'],
  ] as const)
    await write(name, content)
})

afterEach(() => home.remove())

async function write(name: string, content: string): Promise<string> {
  const path = join(home.folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}

const path = (name: string): string => join(home.folder, name)
const readBack = (name: string): Promise<string> => readFile(path(name), 'utf8')
const BOTH = ['src/main.py', 'src/config/app.toml']
const share = async (args: readonly string[] = [], env: Record<string, string> = {}): Promise<string> =>
  (await home.print([...BOTH.map(path), ...args], { env })).trim()

describe('regent with several files', () => {
  it.each([[[]], [['--encrypt']]])(
    'makes one document of them with %j, and get returns them',
    async (args) => {
      const link = await share(args)
      expect(await home.print(['get', link])).toBe(ARCHIVE)
      const [id = '', password] = link.slice(service.base.length + 1).split('#')
      const file = `${service.base}/${id}/config/app.toml${password ? `#${password}` : ''}`
      expect(await home.print(['get', file])).toBe('a = 1\n')
      await home.print(['get', link, '-o', path('out/')])
      expect(await readBack('out/main.py')).toBe('print(1)\n')
      expect(await readBack('out/config/app.toml')).toBe('a = 1\n')
      expect(await home.run(['get', link, '-o', path('out/')])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('exists. To replace it, add --force'),
      })
      const wrong = await home.run(['get', file.replace('config/', '')])
      expect(wrong.stderr).toContain('no file app.toml in the document. It has main.py, config/app.toml.')
      await home.print(['get', file, '-o', path('out/app.toml')])
      expect(await readBack('out/app.toml')).toBe('a = 1\n')
    },
  )

  it('finds the files of an encrypted archive of which only the text tells', async () => {
    const { key } = await addAccount(service.env, 'cli-archive')
    const content = await encryptJwe(
      new TextEncoder().encode(ARCHIVE),
      'correct horse',
      GENERATED_PASSWORD_ITERATIONS,
    )
    const token = await deriveClaimToken('correct horse', parseJwe(content).header)
    const settings = { encrypted: true, client_encrypted: true, claim_hash: await hashClaimToken(token) }
    const response = await fetch(`${service.base}/v1/document`, {
      method: 'POST',
      headers: { Authorization: key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ content, settings }),
    })
    const { id } = ((await response.json()) as { data: { id: string } }).data
    const link = `${service.base}/${id}`
    const env = { REGENT_PASSWORD: 'correct horse' }
    await home.print(['get', link, '-o', path('out/')], { env })
    expect(await readBack('out/config/app.toml')).toBe('a = 1\n')
    expect(await home.print(['get', `${link}/main.py`], { env })).toBe('print(1)\n')
    expect(await home.print(['get', link], { env })).toBe(ARCHIVE)
  })

  it('takes a folder, with an account that is not confirmed, too', async () => {
    const { key } = await addAccount(service.env, 'cli-files', { confirmed: false })
    const link = await home.print([path('src')], { env: { REGENT_KEY: key } })
    expect(await home.print(['get', link.trim()])).toBe(
      '-- config/app.toml --\na = 1\n-- main.py --\nprint(1)\n',
    )
  })

  it('has the name of its folder as the title', async () => {
    const link = (await home.print([path('src'), '--redact'])).trim()
    const response = await fetch(`${service.base}/v1/document/${new URL(link).pathname.slice(1)}`)
    expect(await response.json()).toMatchObject({ data: { settings: { title: 'src' } } })
  })

  it('shares each on its own with --separate, and refuses a language for all', async () => {
    const links = (await share(['--separate'])).split('\n')
    expect(links).toHaveLength(2)
    expect(await home.print(['get', links[1] ?? ''])).toBe('a = 1\n')
    expect(await home.run([...BOTH.map(path), '--language', 'python'])).toMatchObject({ code: 2 })
  })

  it('keeps a text that burned where it cannot be written, or of which only one file was asked for', async () => {
    const link = await share(['--burn'])
    const other = await createCliHome(service.base)
    try {
      await write('out/main.py', 'mine')
      const { code, stderr } = await other.run(['get', link, '-o', path('out/')])
      expect(code).toBe(1)
      const [, kept = ''] = /The text is in (\S+)\./.exec(stderr) ?? []
      expect(await readFile(kept, 'utf8')).toBe(ARCHIVE)
      expect(await readBack('out/main.py')).toBe('mine')
      const one = await other.run(['get', `${await share(['--burn'])}/main.py`])
      expect(one).toMatchObject({ code: 0, stdout: 'print(1)\n' })
      const [, all = ''] = /All of its files are in (\S+)\./.exec(one.stderr) ?? []
      expect(await readFile(all, 'utf8')).toBe(ARCHIVE)
    } finally {
      await other.remove()
    }
  })
})

describe('regent rm, history and restore', () => {
  it('take no name of a file, because they would do it to all of them', async () => {
    const link = await share()
    const file = `${link}/main.py`
    for (const args of [
      ['rm', file],
      ['history', file],
      ['restore', file, '1'],
    ])
      expect(await home.run(args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Leave out the name of the file, main.py'),
      })
    expect(await home.print(['get', link])).toBe(ARCHIVE)
  })
})

describe('regent edit and update with several files', () => {
  it.each([[[]], [['--encrypt']]])(
    'replace all, add and edit files of a document made with %j',
    async (args) => {
      const link = await share(args)
      const [address = '', password] = link.split('#')
      const file = (name: string) => `${address}/${name}${password ? `#${password}` : ''}`
      await home.print(['update', file('new.txt')], { stdin: 'new\n' })
      // The page links a file so, and `Copy link` copies it.
      if (!password)
        await home.print(['update', `${address}#main-py`], { stdin: `${ARCHIVE}-- new.txt --\nnew\n` })
      expect(await home.print(['get', link])).toBe(`${ARCHIVE}-- new.txt --\nnew\n`)
      const editor = `sed -i s/print/show/`
      await home.print(['edit', link], { env: { EDITOR: editor } })
      expect(await home.print(['get', file('main.py')])).toBe('show(1)\n')
      const remove = 'f() { rm "$1"; }; f'
      await home.print(['edit', file('main.py')], { env: { EDITOR: remove } })
      expect(await home.print(['get', link])).toBe('-- config/app.toml --\na = 1\n-- new.txt --\nnew\n')
      await home.print(['update', link, ...BOTH.map(path)])
      expect(await home.print(['get', link])).toBe(ARCHIVE)
      const chosen = ARCHIVE.replace('-- config/app.toml --', '-- "config/app.toml" ini --')
      await home.print(['update', link], { stdin: chosen })
      await home.print(['update', file('config/app.toml')], { stdin: 'a = 1\n' })
      expect(await home.print(['get', link])).toBe(chosen)
      await home.print(['update', link, path('src/main.py')])
      expect(await home.print(['get', link])).toBe('print(1)\n')
      const response = await fetch(`${service.base}/v1/document/${new URL(address).pathname.slice(1)}`)
      expect(await response.json()).toMatchObject({ data: { settings: { language: 'python' } } })
    },
  )
})
