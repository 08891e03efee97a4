import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { unstable_splitSqlQuery as splitStatements } from 'wrangler'
import { requireFreePort } from '../../scripts/dev/options.ts'
import { requestService, triggerScheduledJob } from '../../scripts/dev/ready.ts'
import { withBindings } from '../../scripts/support/bindings.ts'
import { isBusyOutput } from '../../scripts/support/data-folder.ts'
import { findEmailedLink, launchService } from '../../scripts/support/launch.ts'
import { ROOT, runWrangler } from '../../scripts/support/wrangler.ts'
import { getOldStatements } from '../upgrade/old-statements.ts'
import { command } from './support/service.ts'

/** What an earlier version has stored. */
const COMMIT = '6f0127f'
const FIXTURE = join(ROOT, 'test/upgrade/fixtures', COMMIT)
const old: typeof import('../upgrade/fixtures/6f0127f.json') = JSON.parse(
  await readFile(`${FIXTURE}.json`, 'utf8'),
)

const readStatements = async (path: string) => splitStatements(await readFile(path, 'utf8'))

async function storeOldDocuments(persistTo: string): Promise<void> {
  const schema = await readStatements(join(ROOT, 'migrations/0001_initial_schema.sql'))
  const statements = getOldStatements(COMMIT, schema, await readStatements(`${FIXTURE}.sql`))
  // Otherwise, it would stay set, and the commands of the tests would print nothing.
  vi.stubEnv('WRANGLER_LOG', 'error')
  await withBindings({ remote: false, persistTo }, async ({ DB, CONTENTS }) => {
    await DB.batch(statements.map((statement) => DB.prepare(statement)))
    await Promise.all(old.contents.map(({ key, value }) => CONTENTS.put(key, value)))
  })
  vi.unstubAllEnvs()
}

let home: string
let folder: string
let printed = ''
let service: Awaited<ReturnType<typeof launchService>>
let base: string
/** Whether another program has the port of debuggers, which wrangler would take. */
let debuggerPortWasFree: boolean

const DEBUGGER_PORT = { ip: '127.0.0.1', port: 9229 }
const isDebuggerPortFree = () =>
  requireFreePort(DEBUGGER_PORT).then(
    () => true,
    () => false,
  )

beforeAll(async () => {
  debuggerPortWasFree = await isDebuggerPortFree()
  home = await mkdtemp(join(tmpdir(), 'regent-'))
  folder = join(home, 'state')
  await mkdir(join(home, 'tmp'))
  await storeOldDocuments(folder)
  service = await launchService({
    folder,
    options: ['--ip', '0.0.0.0', '--local-protocol', 'https'],
    // So that wrangler writes its own files here, not into the home directory of the person who runs the tests.
    env: { HOME: home, TMPDIR: join(home, 'tmp') },
    onOutput: (chunk) => {
      printed += chunk
    },
  })
  base = service.base.replace('http:', 'https:')
})

afterAll(async () => {
  await service?.stop()
  await rm(home, { recursive: true, force: true })
})

const send = (path: string, init: Partial<Parameters<typeof requestService>[1]> = {}) =>
  requestService(`${base}${path}`, { signal: AbortSignal.timeout(30_000), ...init })

const store = (content: string) =>
  send('/v1/document', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ content }),
  })

/** Returns the files below a folder that contain a text, without entering folders that only their owner can open. */
async function findReadableFiles(below: string, text: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(below, { withFileTypes: true })) {
    const path = join(below, entry.name)
    if (entry.isDirectory() && ((await stat(path)).mode & 0o077) !== 0) {
      found.push(...(await findReadableFiles(path, text)))
    } else if (entry.isFile() && (await readFile(path)).includes(text)) found.push(path)
  }
  return found
}

const findDatabase = async () => {
  const databases = join(folder, 'v3/d1/miniflare-D1DatabaseObject')
  const names = await readdir(databases)
  const name = names.find((one) => one.endsWith('.sqlite') && one !== 'metadata.sqlite')
  return join(databases, String(name))
}

describe('npm run dev -- --ip 0.0.0.0 --local-protocol https', () => {
  it('greets first, and says where other devices reach it', () => {
    const before = printed
      .slice(0, printed.indexOf('Regent is running at'))
      // On a slow machine.
      .replace(/^Still waiting for .*\n/gm, '')
    expect(before).toBe('Starting Regent …\n\n')
    expect(printed).toContain(`Regent is running at ${base}`)
    expect(printed).toContain('(on this machine only)')
  })

  it('doesn’t listen for a debugger', async () => {
    expect(await isDebuggerPortFree()).toBe(debuggerPortWasFree)
  })

  it('upgrades the database of an earlier version, and keeps its accounts and documents', async () => {
    // The earlier version has already created the demo account and its document.
    expect(printed).not.toMatch(/imperial_/)
    const [, raw = ''] = /^curl .*(\/r\/\w+)/m.exec(printed) ?? []
    expect((await send(raw)).text).toBe('Hello from Regent.\n')
    const { edited } = old.documents
    const changed = await send('/v1/document', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', Authorization: old.keys.ada },
      body: JSON.stringify({ id: edited, content: 'after the upgrade' }),
    })
    expect(changed.status).toBe(200)
    expect((await send(`/r/${edited}`)).text).toBe('after the upgrade')
  })

  it('runs while a command shows a document with its content, and removes it', async () => {
    const { reported } = old.documents
    const json = async (...args: string[]) => {
      const options = ['--json', '--persist-to', folder]
      const { code, stdout, stderr } = await command('admin', 'documents', ...args, ...options)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return JSON.parse(stdout)
    }
    expect(await json('show', reported, '--content')).toMatchObject({
      document: { id: reported, creator: 'mallory' },
      reports: [{ words: "It's an advertisement; see line 1" }],
      content: 'Buy cheap watches.\n',
    })
    await json('remove', reported, '--reason', "It's spam.")
    expect((await send(`/r/${reported}`)).status).toBe(404)
  })

  it('answers at every address of this machine, and shows nobody the database', async () => {
    const { port } = new URL(base)
    const signal = AbortSignal.timeout(30_000)
    const answer = await requestService(`https://127.0.0.2:${port}/v1`, { signal })
    expect(answer.status).toBe(200)
    const headers = { Host: 'localhost' }
    expect((await send('/cdn-cgi/local/explorer/api/d1/database', { headers })).status).toBe(404)
  })

  it('keeps passwords and sign-in links out of files that others can read', async () => {
    await send('/v1/document/xxxxxxxx?password=hunter2-in-the-url')
    await send('/sign-in', {
      method: 'POST',
      headers: { Origin: base, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'email=demo%40example.com',
    })
    const link = () => findEmailedLink(printed, base, 'demo@example.com')
    await vi.waitUntil(() => link() !== undefined, { timeout: 10_000 })
    const { pathname, searchParams, hash } = new URL(String(link()))
    const token = [...searchParams.values(), hash, pathname].join(' ').match(/[\w-]{24,}/)?.[0] ?? ''
    expect(token).not.toBe('')
    await send(`${pathname}${new URL(String(link())).search}`)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    for (const secret of ['hunter2-in-the-url', token]) {
      expect(await findReadableFiles(home, secret)).toEqual([])
      expect(await findReadableFiles(join(ROOT, '.wrangler'), secret)).toEqual([])
    }
  })

  it('loses no request after an answer that doesn’t wait for the end of a body', async () => {
    const statuses: number[] = []
    const sendInTurn = async () => {
      for (let i = 0; i < 40; i++) {
        const refused = await send('/v1/document', { method: 'PUT', body: 'x'.repeat(100_000) })
        const read = await send('/v1/document/xxxxxxxx')
        statuses.push(refused.status, read.status)
      }
    }
    await Promise.all([sendInTurn(), sendInTurn()])
    expect(new Set(statuses)).toEqual(new Set([405, 404]))
  })

  it('refuses a second server on its folder', async () => {
    const { code, stdout, stderr } = await command('dev', '--port', '1', '--persist-to', folder)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/state is in use by https:\/\/127\.0\.0\.1:\d+ \(process \d+\)\. .*\n$/)
    expect(stderr).toContain(base)
  })

  it('answers 503 while another program holds the database, which commands recognize', async () => {
    const db = new DatabaseSync(await findDatabase())
    db.exec('BEGIN EXCLUSIVE')
    const answers = await Promise.all([store('x'), send('/v1/document/xxxxxxxx'), store('y')])
    const select = ['--command', 'SELECT id FROM users']
    const { stdout, stderr } = await runWrangler([
      'd1',
      'execute',
      'DB',
      '--local',
      '--persist-to',
      folder,
      ...select,
    ])
    db.exec('ROLLBACK')
    db.close()
    for (const { status, text } of answers) {
      expect(status).toBe(503)
      expect(JSON.parse(text).error.code).toBe('unavailable')
    }
    // test/scripts/data-folder.test.ts shows what commands then do.
    expect(isBusyOutput(`${stdout}\n${stderr}`)).toBe(true)
    expect((await store('x')).status).toBe(200)
    await vi.waitUntil(() => printed.includes('Another program is using the database'))
  })

  // The last test: it ends the server.
  it('ends with the process that started it, even if that is killed, and leaves its folder free', async () => {
    const [, pid] = /\(process (\d+)\)/.exec((await command('dev', '--persist-to', folder)).stderr) ?? []
    process.kill(Number(pid), 'SIGKILL')
    await vi.waitUntil(
      () =>
        send('/v1').then(
          () => false,
          () => true,
        ),
      { timeout: 30_000, interval: 200 },
    )
  })
})

describe('the first start', () => {
  it('prints a key, and three commands that work when pasted, and listens on this machine only', async () => {
    let greeting = ''
    const fresh = await launchService({
      folder: join(home, 'fresh'),
      options: [],
      env: { HOME: home, TMPDIR: join(home, 'tmp') },
      onOutput: (chunk) => {
        greeting += chunk
      },
    })
    expect(greeting).toContain(`Regent is running at ${fresh.base}`)
    const curls = greeting.split('\n').filter((line) => line.startsWith('curl '))
    const paste = async (line = '') => (await promisify(execFile)('bash', ['-c', line])).stdout
    expect(curls).toHaveLength(3)
    expect(greeting).toMatch(/imperial_[A-Za-z0-9]{40}/)
    expect(JSON.parse(await paste(curls[0]))).toMatchObject({
      success: true,
      data: { content: '# Hello', creator: { username: 'demo' }, settings: { language: 'markdown' } },
    })
    expect(JSON.parse(await paste(curls[1]))).toMatchObject({ success: true })
    expect(await paste(curls[2])).toBe('Hello from Regent.\n')
    // Workers decode the headers of a request as UTF-8.
    const link = await paste(`printf text | curl -s -H 'X-Title: Größe €' -T - ${fresh.base}/`)
    const id = new URL(link.trim()).pathname.slice(1)
    const read = await fetch(`${fresh.base}/v1/document/${id}`)
    expect(await read.json()).toMatchObject({ data: { settings: { title: 'Größe €' } } })
    await triggerScheduledJob(fresh.base)
    // The other addresses are still free.
    await requireFreePort({ ip: '127.0.0.2', port: Number(new URL(fresh.base).port) })
    await fresh.stop()
  })
})

describe('a damaged database', () => {
  it('is named in one message, by npm run dev and by commands', async () => {
    const file = await findDatabase()
    // The first page may still be in the log, which would repair it.
    await rm(`${file}-wal`, { force: true })
    const handle = await open(file, 'r+')
    await handle.write(Buffer.alloc(100, 0xa5), 0, 100, 0)
    await handle.close()
    const expected = new RegExp(
      `^${file} is damaged \\(file is not a database\\)\\. Move ${folder} away, .*\\n$`,
    )
    const started = await command('dev', '--persist-to', folder, '--port', new URL(base).port)
    const listed = await command('admin', 'user', 'list', '--persist-to', folder)
    for (const { code, stdout, stderr } of [started, listed]) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(expected)
    }
  })
})

describe('a start that fails', () => {
  it('shows what wrangler printed', async () => {
    const run = promisify(execFile)
    const args = ['scripts/dev.ts', '--persist-to', join(home, 'new'), '--unknown-option']
    const error = await run(process.execPath, [...args, '--port', new URL(base).port], { cwd: ROOT }).catch(
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    )
    expect(error).toMatchObject({ code: 1 })
    expect(`${error.stdout}${error.stderr}`).toContain('Unknown arguments: unknown-option')
  })
})
