import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command, freePort, type Service, startService } from './support/service.ts'

const shell = promisify(execFile)

let folder: string
let service: Service

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regent-'))
  service = await startService(folder)
})

afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

const printedCurls = (printed: string) => printed.split('\n').filter((line) => line.startsWith('curl '))

const paste = async (line: string) => (await shell('bash', ['-c', line])).stdout

const create = (key: string, settings: object) =>
  fetch(`${service.base}/v1/document`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: key },
    body: JSON.stringify({ content: 'x', settings }),
  })

describe('npm run dev', () => {
  it('prints where it is, a key, and three lines that work when they are pasted', async () => {
    const printed = service.printed()
    expect(printed).toContain(`Regent is at ${service.base}`)
    expect(printed).toMatch(/imperial_[A-Za-z0-9]{40}/)
    const [createLine = '', readLine = '', rawLine = '', ...others] = printedCurls(printed)
    expect(others).toEqual([])
    const created = JSON.parse(await paste(createLine))
    expect(created).toMatchObject({
      success: true,
      data: { content: '# Hello', creator: { username: 'demo' }, settings: { language: 'markdown' } },
    })
    expect(JSON.parse(await paste(readLine))).toMatchObject({ success: true })
    expect(await paste(rawLine)).toBe('Hello from Regent.\n')
  })

  it('refuses a port that is taken, in one line', async () => {
    const port = new URL(service.base).port
    const { code, stdout, stderr } = await command('dev', '--port', port)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(`Port ${port} is taken. Choose another: npm run dev -- --port N\n`)
  })

  it('refuses a folder that it can not write to, in one line', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const port = String(await freePort())
    const { code, stdout, stderr } = await command('dev', '--port', port, '--persist-to', join(file, 'below'))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^Can not write to .*file\/below \(ENOTDIR\)\. Choose another: .*\n$/)
  })

  it.each(['0', '65536', 'http'])('refuses the port %s', async (port) => {
    expect(await command('dev', '--port', port)).toMatchObject({
      code: 1,
      stderr: `This is no port: ${port}\n`,
    })
  })

  it('keeps what was stored, and its account, from one start to the next', async () => {
    const own = await mkdtemp(join(tmpdir(), 'regent-'))
    const first = await startService(own)
    const [, , rawLine = ''] = printedCurls(first.printed())
    await first.stop()
    const second = await startService(own)
    try {
      expect(second.printed()).not.toMatch(/imperial_/)
      const [createLine = '', , again = ''] = printedCurls(second.printed())
      expect(new URL(again.slice('curl -s '.length)).pathname).toBe(
        new URL(rawLine.slice('curl -s '.length)).pathname,
      )
      expect(await paste(again)).toBe('Hello from Regent.\n')
      expect(JSON.parse(await paste(createLine))).toMatchObject({ success: true, data: { creator: null } })
    } finally {
      await second.stop()
      await rm(own, { recursive: true, force: true })
    }
  })

  it('listens on this machine alone', async () => {
    const server = createServer()
    const port = Number(new URL(service.base).port)
    // Another loopback address is free: the service took only its own.
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.2', () => server.close(() => resolve()))
    })
  })
})

describe('npm run user', () => {
  const user = (...args: string[]) => command('user', ...args, '--persist-to', folder)
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await user(...args, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  it('makes an account whose key works at once, and stops when it is revoked', async () => {
    const made = await json('add', 'Ada', '--email', 'ada@example.org')
    expect(made).toEqual({
      username: 'Ada',
      key: expect.stringMatching(/^imperial_[A-Za-z0-9]{40}$/),
      key_id: expect.any(String),
    })
    expect((await create(made.key, { public: true })).status).toBe(200)
    const further = await json('key', 'ada', '--name', "Ada's laptop")
    expect((await create(further.key, { public: true })).status).toBe(200)
    await json('revoke', made.key_id)
    expect((await create(made.key, { public: true })).status).toBe(401)
    expect((await create(further.key, { public: true })).status).toBe(200)
  })

  it('makes unconfirmed accounts, and suspends accounts', async () => {
    const { key } = await json('add', 'bob', '--email', 'bob@example.org', '--unconfirmed')
    expect((await create(key, { public: true })).status).toBe(403)
    expect((await create(key, {})).status).toBe(200)
    await json('suspend', 'BOB')
    expect((await create(key, {})).status).toBe(401)
    const { users } = await json('list')
    expect(users).toContainEqual({
      username: 'bob',
      email: 'bob@example.org',
      confirmed: false,
      suspended: true,
      admin: false,
      documents_made: 1,
      keys: [{ key_id: expect.any(String), name: 'first key' }],
    })
    expect(JSON.stringify(users)).not.toContain(key)
  })

  it.each([
    [['add', 'demo', '--email', 'other@example.org'], 'The username is taken: demo\n'],
    [['add', 'DEMO', '--email', 'other@example.org'], 'The username is taken: DEMO\n'],
    [['add', 'dem0', '--email', 'other@example.org'], 'The username looks like one that is taken: dem0\n'],
    [['add', 'carol', '--email', 'demo@example.com'], 'The e-mail address is taken: demo@example.com\n'],
    [['add', 'x', '--email', 'x@example.org'], 'A username is 3 to 30 letters, digits, "_" and "-".\n'],
    [
      ['add', "x'; DROP TABLE users", '--email', 'x@example.org'],
      'A username is 3 to 30 letters, digits, "_" and "-".\n',
    ],
    [['add', 'carol', '--email', 'nowhere'], 'This is no e-mail address: nowhere\n'],
    [['add', 'carol'], '"add" needs --email MAIL.\n'],
    [['add'], '"add" takes one name. See: npm run user -- --help\n'],
    [['key', 'nobody'], 'There is no account with this username: nobody\n'],
    [['revoke', "no' OR '1'='1"], "There is no key with this id: no' OR '1'='1\n"],
    [['suspend', 'nobody'], 'There is no account with this username: nobody\n'],
    [['restore', 'nobody'], 'There is no account with this username: nobody\n'],
    [['delete', 'nobody'], 'There is no account with this username: nobody\n'],
    [['admin', 'nobody'], 'There is no account with this username: nobody\n'],
    [['frobnicate'], 'There is no command "frobnicate". See: npm run user -- --help\n'],
  ])('refuses %j in one line', async (args, line) => {
    expect(await user(...args)).toEqual({ code: 1, stdout: '', stderr: line })
  })

  it('explains itself', async () => {
    for (const script of ['user', 'documents', 'dev', 'deploy', 'build-client']) {
      const { code, stdout } = await command(script, '--help')
      expect(code).toBe(0)
      expect(stdout).toContain('Usage:')
    }
  })

  it('makes the tables of a database that has none yet', async () => {
    const own = await mkdtemp(join(tmpdir(), 'regent-'))
    const { code, stdout } = await command(
      'user',
      'add',
      'first',
      '--email',
      'f@example.org',
      '--persist-to',
      own,
      '--json',
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toHaveProperty('key')
    await rm(own, { recursive: true, force: true })
  })
})
