import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addAccount } from '../support/accounts.ts'
import { type Service, startService } from '../support/service.ts'
import { type CliHome, createCliHome } from './cli-process.ts'

/** Contains what a program could change by mistake: a BOM, CRLF, NUL, an astral character, no last line break. */
const TEXT = '\uFEFFline one\r\nline\u0000two 😀'

let service: Service
let key: string
let home: CliHome

beforeAll(async () => {
  service = await startService()
  key = (await addAccount(service.env, 'cli-commands')).key
})

beforeEach(async () => {
  home = await createCliHome(service.base)
})

afterEach(() => home.remove())

const getId = (link: string) => new URL(link.trim()).pathname.slice(1)

const share = async (text: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  (await home.print(args, { stdin: text, env })).trim()

const fetchJson = async (link: string) => {
  const response = await fetch(`${service.base}/v1/document/${getId(link)}`)
  return { status: response.status, ...((await response.json()) as { data: Record<string, unknown> }) }
}

const writeHomeFile = async (name: string, text: string | Uint8Array): Promise<string> => {
  const path = join(home.folder, name)
  await writeFile(path, text)
  return path
}

/** Returns an editor that replaces the text of the file it is given. */
const createEditor = async (replacement: string): Promise<string> =>
  `cp '${await writeHomeFile('replacement', replacement)}'`

describe('regent', () => {
  it('shares standard input, and prints nothing but the link', async () => {
    const { code, stdout, stderr } = await home.shell(`printf 'hello' | regent`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^${service.base}/[0-9A-Za-z]{8}\\n$`))
    expect(await (await fetch(stdout.trim().replace(/\/(\w+)$/, '/r/$1'))).text()).toBe('hello')
  })

  it('shares each file on its own, and passes links on to other programs', async () => {
    await writeHomeFile('one.txt', 'one\n')
    await writeHomeFile('two.txt', 'two\n')
    const line = 'regent --separate one.txt two.txt | while read -r link; do regent get "$link"; done'
    expect(await home.shell(line)).toEqual({ code: 0, stdout: 'one\ntwo\n', stderr: '' })
  })

  it('returns the text byte for byte', async () => {
    await writeHomeFile('text', TEXT)
    const { stdout } = await home.shell('regent get "$(regent < text)"')
    expect(stdout).toBe(TEXT)
  })

  it('uses settings with a key, and takes title and language from the file', async () => {
    const args = [await writeHomeFile('a.py', 'print(1)\n'), '--expires', '2d', '--public', '--json']
    const { link, ...printed } = JSON.parse(await home.print(args, { env: { REGENT_KEY: key } }))
    expect(printed).toMatchObject({ creator: { username: 'cli-commands' }, size: 9 })
    const { data } = await fetchJson(link)
    expect(data).toMatchObject({ settings: { title: 'a.py', language: 'python', public: true } })
    const { creation, expiration } = data.timestamps as Record<string, string>
    expect(Date.parse(expiration ?? '') - Date.parse(creation ?? '')).toBeCloseTo(2 * 24 * 60 * 60_000, -4)
  })

  it('gives a name, by which the other commands find the document', async () => {
    const env = { REGENT_KEY: key }
    const link = await share('first', ['--name', 'weekly-report'], env)
    expect(link).toBe(`${service.base}/@cli-commands/weekly-report`)
    const updated = await home.print(['update', '@cli-commands/weekly-report'], { env, stdin: 'second' })
    expect(updated).toBe(`${link}\n`)
    expect(await home.print(['get', link])).toBe('second')
    const taken = await home.run(['--name', 'weekly-report'], { env, stdin: 'x' })
    expect(taken.code).toBeGreaterThan(0)
    expect(taken.stderr).toContain(
      'You already have a document with this name. Replace its text with "regent update", or choose another name.',
    )
    await home.print(['rm', '@cli-commands/weekly-report'], { env })
    expect((await home.run(['get', link])).code).toBeGreaterThan(0)
  })

  it('shares without settings from an account that isn’t confirmed', async () => {
    const unconfirmed = await addAccount(service.env, 'cli-unconfirmed', { confirmed: false })
    const link = await share('x', [], { REGENT_KEY: unconfirmed.key })
    expect((await fetchJson(link)).data).toMatchObject({ creator: { username: 'cli-unconfirmed' } })
  })

  it.each([
    ['--public', 'Only documents of accounts can be public'],
    ['--name=report', 'Only documents of accounts can have a name'],
    ['--expires=8d', 'Without an account, documents last up to 7 days'],
  ])('says what to do if %s needs an account', async (option, reason) => {
    const { code, stdout, stderr } = await home.run([option], { stdin: 'x' })
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(stderr).toContain(`regent: ${reason}`)
    expect(stderr).toContain('regent login')
  })
})

describe('regent without an account', () => {
  it('takes settings, and prints what the server says', async () => {
    const args = [
      await writeHomeFile('nötes & more.md', '# Hello\n'),
      '--expires',
      '2d',
      '--language',
      'python',
      '--json',
    ]
    const { link, token, ...printed } = JSON.parse(await home.print(args))
    const settings = { title: 'nötes & more.md', language: 'python', public: false, instant_delete: false }
    expect(printed).toMatchObject({ id: getId(link), creator: null, views: 0, size: 8, settings })
    expect(printed).not.toHaveProperty('content')
    expect(token).toMatch(/^regent_doc_/)
    const { creation, expiration } = printed.timestamps
    expect(Date.parse(expiration) - Date.parse(creation)).toBe(2 * 24 * 60 * 60_000)
    expect(await home.print(['ls'])).toBe(`${getId(link)}\t${expiration}\t8\t${link}\tnötes & more.md\n`)
  })

  it('says that a document isn’t there, whoever asks', async () => {
    for (const args of [
      ['rm', 'abcd2345'],
      ['edit', 'abcd2345'],
      ['get', 'abcd2345'],
    ]) {
      const { code, stderr } = await home.run(args)
      expect({ code, stderr }).toEqual({
        code: 5,
        stderr: expect.stringContaining('There’s no such document'),
      })
    }
  })

  it('converts UTF-16 with a byte order mark, and says so', async () => {
    const bytes = Uint8Array.of(0xff, 0xfe, 0x68, 0, 0xe9, 0)
    const file = await writeHomeFile('notes.txt', bytes)
    const { stdout, stderr } = await home.run([file])
    expect(stderr).toContain('from UTF-16LE to UTF-8')
    expect(await home.print(['get', stdout.trim()])).toBe('hé')
  })

  it('keeps your own document that burns after reading, and says so', async () => {
    const link = await share(TEXT, ['--burn'])
    const { stdout, stderr } = await home.run(['get', link])
    expect(stdout).toBe(TEXT)
    expect(stderr).toContain('stays until somebody else reads it')
    expect((await home.run(['get', link])).code).toBe(0)
  })

  it('burns after reading, but not by asking for JSON', async () => {
    const { link, settings } = JSON.parse(await share(TEXT, ['--burn', '--json']))
    expect(settings.instant_delete).toBe(true)
    const reader = await createCliHome(service.base)
    expect(await reader.print(['get', link])).toBe(TEXT)
    expect((await reader.run(['get', link])).code).toBe(5)
    await reader.remove()
  })

  it('encrypts with --burn, so that a wrong password doesn’t burn', async () => {
    const link = await share(TEXT, ['--encrypt', '--burn', '--language', 'go'])
    expect(link).toMatch(/#[0-9A-Za-z]{24}$/)
    const reader = await createCliHome(service.base)
    const wrong = await reader.run(['get', getId(link)], { env: { REGENT_PASSWORD: 'wrong' } })
    expect(wrong.code).toBe(4)
    expect(await reader.print(['get', link, '--quiet'])).toBe(TEXT)
    expect((await reader.run(['get', link, '--quiet'])).code).toBe(5)
    await reader.remove()
  })
})

describe('regent --encrypt', () => {
  it('prints a link with the password, which get opens; the server has only a JWE', async () => {
    const link = await share(TEXT, ['--encrypt'], { REGENT_KEY: key })
    expect(link).toMatch(/#[0-9A-Za-z]{24}$/)
    const { data } = await fetchJson(link)
    expect(data).toMatchObject({ settings: { encrypted: true }, content: expect.stringMatching(/^eyJ/) })
    const { stdout, stderr } = await home.run(['get', link])
    expect(stdout).toBe(TEXT)
    expect(stderr).toContain('visible to other users of this machine')
  })

  it('takes the password from the environment or a file', async () => {
    const file = await writeHomeFile('password', 'pä#ss%wörd\nsecond line\n')
    const link = await share(TEXT, ['--encrypt'], { REGENT_KEY: key, REGENT_PASSWORD: 'pä#ss%wörd' })
    expect(await home.print(['get', getId(link), '--password-file', file])).toBe(TEXT)
    const wrong = await home.run(['get', getId(link)], { env: { REGENT_PASSWORD: 'wrong' } })
    expect(wrong).toEqual({ code: 4, stdout: '', stderr: 'regent: The password is wrong.\n' })
  })

  it('burns with --burn, by a claim that a wrong password doesn’t satisfy', async () => {
    const link = await share(TEXT, ['--encrypt', '--burn'], { REGENT_KEY: key })
    const wrong = await home.run(['get', getId(link)], { env: { REGENT_PASSWORD: 'wrong' } })
    expect(wrong.code).toBe(4)
    const { stdout, stderr } = await home.run(['get', link, '--quiet'])
    expect({ stdout, stderr }).toEqual({ stdout: TEXT, stderr: '' })
    expect(await home.run(['get', link, '--quiet'])).toEqual({
      code: 5,
      stdout: '',
      stderr: 'regent: There’s no such document. It may have expired or been deleted.\n',
    })
  })

  it('takes no title, which the server would see', async () => {
    const { code, stderr } = await home.run(['--encrypt', '--title', 'x'], { stdin: 'x' })
    expect(code).toBe(2)
    expect(stderr).toContain('An encrypted document can’t have a title')
  })
})

describe('regent edit', () => {
  const edit = (link: string, editor: string, env: Record<string, string> = {}) =>
    home.run(['edit', link], { env: { EDITOR: editor, ...env } })

  it('saves what the editor leaves, with the document token of this machine', async () => {
    const link = await share('before')
    expect(await edit(link, await createEditor('after'))).toEqual({
      code: 0,
      stdout: `${link}\n`,
      stderr: `Saved ${getId(link)}.\n`,
    })
    expect(await home.print(['get', link])).toBe('after')
  })

  it.each([
    ['edit', 'standard input'],
    ['update', 'standard input'],
    ['update', 'a file'],
  ])('without an editor: %s takes the text from %s', async (command, source) => {
    const text = 'piped\r\n\0'
    const file = source === 'a file' ? [await writeHomeFile('new.txt', text)] : []
    const input = { env: { EDITOR: 'false' }, ...(source !== 'a file' && { stdin: text }) }
    const plain = await share('before')
    expect(await home.run([command, plain, ...file], input)).toEqual({
      code: 0,
      stdout: `${plain}\n`,
      stderr: `Saved ${getId(plain)}.\n`,
    })
    expect(await home.print(['get', plain])).toBe(text)
    const encrypted = await share('before', ['--encrypt'])
    expect(await home.print([command, encrypted, ...file], input)).toBe(`${encrypted}\n`)
    expect(await home.print(['get', encrypted])).toBe(text)
    const again = await home.run([command, plain, ...file], input)
    expect(again).toMatchObject({ code: 0, stderr: 'Nothing changed.\n' })
  })

  it('replaces nothing by an empty text', async () => {
    const link = await share('before')
    expect((await home.run(['update', link])).code).not.toBe(0)
    expect(await home.print(['get', link])).toBe('before')
    const both = await home.run(['update', link, '--password-file', '-'], { stdin: 'x' })
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('can be read only once') })
  })

  it('encrypts again with the same password', async () => {
    const link = await share('before', ['--encrypt', '--burn'], { REGENT_KEY: key })
    const { code, stdout } = await edit(link, await createEditor('after'), { REGENT_KEY: key })
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${link}\n` })
    expect(await home.print(['get', link])).toBe('after')
  })

  it('sends nothing if there is a password, and the document turns out not to be encrypted', async () => {
    const link = await share('public')
    const file = await writeHomeFile('password', 'open sesame\n')
    for (const args of [
      ['update', '--password-file', file, link],
      ['update', `${link}#opensesameopen`],
    ])
      expect(await home.run(args, { stdin: 'secret' })).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('isn’t encrypted. Nothing was saved. Your text is in'),
      })
    expect(await home.print(['get', link])).toBe('public')
  })

  it('keeps the former version, which history prints and restore restores', async () => {
    const link = await share('before')
    await home.print(['edit', link], { env: { VISUAL: await createEditor('after') } })
    const lines = (await home.print(['history', link])).replace(/\n$/, '').split('\n')
    expect(lines.map((line) => line.split('\t').filter((_, field) => field !== 1))).toEqual([
      ['2', '5', '', 'current'],
      ['1', '6', '', ''],
    ])
    expect(await home.print(['history', link, '1'])).toBe('before')
    expect(JSON.parse(await home.print(['history', '--json', link]))).toHaveLength(2)
    await home.print(['restore', link, '1'])
    expect(await home.print(['get', link])).toBe('before')
  })

  it('prints the former version of an encrypted document as text', async () => {
    const env = { REGENT_PASSWORD: 'open sesame' }
    const link = await share('before', ['--encrypt'], env)
    await home.print(['edit', link], { env: { ...env, VISUAL: await createEditor('after') } })
    expect(await home.print(['history', link, '1'], { env })).toBe('before')
  })

  it('saves nothing if the text is the same, or the editor fails', async () => {
    const link = await share('same')
    const same = await edit(link, await createEditor('same\n'))
    expect(same).toMatchObject({ code: 0, stderr: 'Nothing changed.\n' })
    const failed = await edit(link, 'false')
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toContain('false ended with exit code 1. Nothing was saved')
    expect(await home.print(['get', link])).toBe('same')
  })

  it('keeps what was written in a file if the editor fails, or writes something that is not UTF-8', async () => {
    const link = await share('before', [], { REGENT_KEY: key })
    const write = async (name: string, script: string) =>
      `'${process.execPath}' '${await writeHomeFile(name, `import { writeFileSync } from 'node:fs'\n${script}`)}'`
    for (const [editor, bytes] of [
      [
        await write('fails.mjs', "writeFileSync(process.argv.at(-1), 'mine')\nprocess.exit(1)"),
        Buffer.from('mine'),
      ],
      [
        await write('latin1.mjs', 'writeFileSync(process.argv.at(-1), Buffer.from([0xe4]))'),
        Buffer.from([0xe4]),
      ],
    ] as const) {
      const { code, stdout, stderr } = await edit(link, editor, { REGENT_KEY: key })
      expect({ isError: code !== 0, stdout }).toEqual({ isError: true, stdout: '' })
      const folder = /What you wrote is in (.+)\.\n/.exec(stderr)?.[1] ?? ''
      const [name = ''] = await readdir(folder)
      expect(await readFile(join(folder, name))).toEqual(bytes)
    }
    expect(await home.print(['get', link])).toBe('before')
  })

  it.each([
    ['an ordinary document', []],
    ['a document that burns after reading', ['--burn']],
  ])('keeps the text in a file if somebody else saved first: %s', async (_, options) => {
    const link = await share('before', options, { REGENT_KEY: key })
    const editor = await writeHomeFile(
      'editor.mjs',
      `import { writeFileSync } from 'node:fs'
await fetch('${service.base}/v1/document', {
  method: 'PATCH',
  headers: { 'Content-Type': 'application/json', Authorization: '${key}' },
  body: JSON.stringify({ id: '${getId(link)}', content: 'theirs' }),
})
// Deleting the folder of the draft takes longer than writing the text to a file.
for (let n = 0; n < 2_000; n++) writeFileSync(process.argv.at(-1) + n, '')
writeFileSync(process.argv.at(-1), 'mine')`,
    )
    const { code, stdout, stderr } = await edit(link, `'${process.execPath}' '${editor}'`, {
      REGENT_KEY: key,
    })
    expect(stderr).toContain('Someone else has changed the document')
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
    const path = /Your text is in (.+)\.\n/.exec(stderr)?.[1] ?? ''
    expect(await home.readHomeFile(path.slice(home.folder.length + 1))).toBe('mine')
    expect(await home.listFiles()).toContainEqual([path.slice(home.folder.length + 1), '600'])
    expect(await home.print(['get', link], { env: { REGENT_KEY: key } })).toBe('theirs')
  })

  it('never burns somebody else’s document', async () => {
    const link = await share('secret', ['--burn'], { REGENT_KEY: key })
    const other = await addAccount(service.env, 'cli-other')
    const { code } = await edit(link, await createEditor('x'), { REGENT_KEY: other.key })
    expect(code).toBe(4)
    expect(await home.print(['get', link])).toBe('secret')
  })
})

describe('regent rm and ls', () => {
  it('list and delete documents that were created here without an account', async () => {
    const link = (await home.print([await writeHomeFile('a.txt', 'text\n')])).trim()
    const id = getId(link)
    expect(await home.print(['ls'])).toMatch(new RegExp(`^${id}\t\\S+Z\t5\t${link}\ta.txt\n$`))
    expect(await home.run(['rm', link])).toEqual({ code: 0, stdout: '', stderr: `Deleted ${id}.\n` })
    expect(await home.run(['ls'])).toEqual({ code: 0, stdout: '', stderr: 'No documents.\n' })
    expect((await fetchJson(link)).status).toBe(404)
  })

  it('go on after a document that can’t be deleted', async () => {
    const link = await share('x')
    const { code, stderr } = await home.run(['rm', 'bcdfghjk', link], { env: { REGENT_KEY: key } })
    expect(code).toBe(5)
    expect(stderr).toContain(`Deleted ${getId(link)}.`)
    expect(stderr).toContain('1 of 2 documents couldn’t be deleted')
  })

  it('list the documents of an account, up to a limit', async () => {
    const account = await addAccount(service.env, 'cli-list')
    const env = { REGENT_KEY: account.key }
    const links = [await share('one', [], env), await share('two', [], env), await share('three', [], env)]
    const listed = JSON.parse(await home.print(['ls', '--limit', '2', '--json'], { env }))
    expect(listed.map(({ link }: { link: string }) => link)).toEqual([links[2], links[1]])
    expect(await home.print(['ls', '--search', 'ON'], { env })).toContain(getId(links[0] ?? ''))
  })

  it('list a document with a name by the link with the name', async () => {
    const account = await addAccount(service.env, 'cli-names')
    const env = { REGENT_KEY: account.key }
    const link = await share('one', ['--name', 'report'], env)
    const [listed] = JSON.parse(await home.print(['ls', '--json'], { env }))
    expect(listed).toMatchObject({ link, id: expect.stringMatching(/^\w{8}$/) })
    expect(await home.print(['ls'], { env })).toContain(`\t${link}\t`)
  })
})

describe('regent login', () => {
  it('saves a key that it has checked, where only the user can read it, until logout', async () => {
    const environment = { REGENT_URL: '' }
    const run = (...args: string[]) => home.run(args, { stdin: `${key}\n`, env: environment })
    const login = await run('login', service.base)
    expect(login.stderr).toContain(`Signed in to Regent, ${service.base}, as cli-commands`)
    expect(login.stderr + login.stdout).not.toContain(key)
    expect(await home.listFiles()).toEqual([['.config/regent/config.json', '600']])
    const { stdout: link } = await run()
    expect((await fetchJson(link)).data).toMatchObject({ creator: { username: 'cli-commands' } })
    expect(await run('logout')).toMatchObject({ code: 0 })
    expect(await home.readHomeFile('.config/regent/config.json')).not.toContain(key)
    expect(await run('server')).toMatchObject({ stdout: `${service.base}\n` })
  })

  it('refuses a wrong key and saves nothing', async () => {
    const { code, stderr } = await home.run(['login'], { stdin: `imperial_${'x'.repeat(40)}` })
    expect(code).toBe(4)
    expect(stderr).toContain('doesn’t know this API key. Nothing was saved')
    expect(await home.listFiles()).toEqual([])
  })
})
