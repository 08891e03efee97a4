import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SQL } from '../../scripts/database.ts'
import { triggerScheduledJob } from '../../scripts/dev/scheduled-job.ts'
import { runWrangler } from '../../scripts/wrangler.ts'
import { putContent, queryDatabase } from './support/database.ts'
import { createDocument, demoKey } from './support/documents.ts'
import { command, freePort, ROOT, type Service, startService } from './support/service.ts'

const shell = promisify(execFile)

let folder: string
let service: Service
/** A service of this file alone, on the database of an earlier version. */
let upgraded: Service
let old: typeof import('../upgrade/fixtures/6f0127f.json')
/** The result of a command on a database that has no tables yet, in a folder of its own. */
let onEmptyDatabase: ReturnType<typeof command>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regent-'))
  service = await startService()
  const fixture = join(ROOT, 'test/upgrade/fixtures/6f0127f')
  old = JSON.parse(await readFile(`${fixture}.json`, 'utf8'))
  const dump = ['--yes', '--file', `${fixture}.sql`]
  const loaded = await runWrangler(['d1', 'execute', 'DB', '--local', '--persist-to', folder, ...dump])
  expect(loaded.code).toBe(0)
  const add = ['add', 'first', '--email', 'f@example.org', '--json', '--persist-to', join(folder, 'new')]
  onEmptyDatabase = command('user', ...add)
  upgraded = await startService(folder)
  await Promise.all(old.contents.map(({ key, value }) => putContent(folder, key, value)))
})

afterAll(async () => {
  await upgraded?.stop()
  await rm(folder, { recursive: true, force: true })
})

const findCurls = (printed: string) => printed.split('\n').filter((line) => line.startsWith('curl '))

const paste = async (line: string) => (await shell('bash', ['-c', line])).stdout

const write = (method: 'POST' | 'PATCH', key: string, body: object) =>
  fetch(`${upgraded.base}/v1/document`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: key },
    body: JSON.stringify(body),
  })

const getCreateStatus = async (key: string) =>
  (await write('POST', key, { content: 'x', settings: { public: true } })).status

describe('npm run dev', () => {
  it('prints its address, a key, and three commands that work when pasted', async () => {
    const printed = service.printed()
    expect(printed).toContain(`Regent is running at ${service.base}`)
    expect(printed).toMatch(/imperial_[A-Za-z0-9]{40}/)
    const [createLine = '', readLine = '', rawLine = '', ...others] = findCurls(printed)
    expect(others).toEqual([])
    const created = JSON.parse(await paste(createLine))
    expect(created).toMatchObject({
      success: true,
      data: { content: '# Hello', creator: { username: 'demo' }, settings: { language: 'markdown' } },
    })
    expect(JSON.parse(await paste(readLine))).toMatchObject({ success: true })
    expect(await paste(rawLine)).toBe('Hello from Regent.\n')
  })

  it('deletes expired documents with the scheduled job', async () => {
    const { id } = await createDocument(service, demoKey(service), 'expired')
    const find = () => queryDatabase(service.folder, SQL`SELECT id FROM documents WHERE id = ${id}`)
    await queryDatabase(service.folder, SQL`UPDATE documents SET expires_at = 1 WHERE id = ${id}`)
    expect(await find()).toHaveLength(1)
    await triggerScheduledJob(service.base)
    expect(await find()).toEqual([])
  })

  it('listens on this machine only', async () => {
    const server = createServer()
    const port = Number(new URL(service.base).port)
    // Another loopback address is still free, so the service doesn't listen on every address.
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.2', () => server.close(() => resolve()))
    })
  })

  it('refuses a port that is in use, with one line', async () => {
    const port = new URL(service.base).port
    const { code, stdout, stderr } = await command('dev', '--port', port)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(`Port ${port} is in use. Choose another one: npm run dev -- --port N\n`)
  })

  it("refuses a folder that it can't write to, with one line", async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const port = String(await freePort())
    const { code, stdout, stderr } = await command('dev', '--port', port, '--persist-to', join(file, 'below'))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^Can't write to .*file\/below \(ENOTDIR\)\. Choose another folder: .*\n$/)
  })

  it('upgrades the database of an earlier version and keeps its accounts and documents', async () => {
    // The earlier version has already created the account and its document.
    expect(upgraded.printed()).not.toMatch(/imperial_/)
    const [createLine = '', , rawLine = ''] = findCurls(upgraded.printed())
    expect(await paste(rawLine)).toBe('Hello from Regent.\n')
    expect(JSON.parse(await paste(createLine))).toMatchObject({ success: true, data: { creator: null } })
    const { edited } = old.documents
    expect((await write('PATCH', old.keys.ada, { id: edited, content: 'after the upgrade' })).status).toBe(
      200,
    )
    expect(await (await fetch(`${upgraded.base}/r/${edited}`)).text()).toBe('after the upgrade')
    expect((await queryDatabase(folder, 'SELECT name FROM d1_migrations')).length).toBeGreaterThan(1)
  })
})

describe('commands on a database', () => {
  const json = async (script: string, ...args: string[]) => {
    const { code, stdout, stderr } = await command(script, ...args, '--json', '--persist-to', folder)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  it('create an account whose key works', async () => {
    const added = await json('user', 'add', 'Lovelace', '--email', 'lovelace@example.org')
    expect(added).toEqual({
      username: 'Lovelace',
      key: expect.stringMatching(/^imperial_[A-Za-z0-9]{40}$/),
      key_id: expect.any(String),
    })
    expect(await getCreateStatus(added.key)).toBe(200)
  })

  it('refuse an email address that is taken, with one line', async () => {
    const args = ['add', 'other', '--email', 'demo@example.com', '--persist-to', folder]
    expect(await command('user', ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Another account has this email address: demo@example.com\n',
    })
  })

  it('show a document with its content, and remove it', async () => {
    const { reported } = old.documents
    expect(await json('documents', 'show', reported, '--content')).toMatchObject({
      document: { id: reported, creator: 'mallory' },
      reports: [{ words: "It's an advertisement; see line 1" }],
      content: 'Buy cheap watches.\n',
    })
    await json('documents', 'remove', reported, '--reason', "It's spam.")
    expect((await fetch(`${upgraded.base}/r/${reported}`)).status).toBe(404)
  })

  it('create the tables of a database that has none', async () => {
    const { code, stdout } = await onEmptyDatabase
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toHaveProperty('key')
  })
})

describe('every command', () => {
  it.each(['user', 'documents', 'dev', 'deploy', 'build-client'])('%s has --help', async (script) => {
    const { code, stdout } = await command(script, '--help')
    expect(code).toBe(0)
    expect(stdout).toContain('Usage:')
  })
})
