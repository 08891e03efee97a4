import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { triggerScheduledJob } from '../../scripts/dev/ready.ts'
import { SQL } from '../../scripts/support/database.ts'
import { queryDatabase } from './support/database.ts'
import { createDocument, demoKey } from './support/documents.ts'
import {
  command,
  findCurls,
  freePort,
  ROOT,
  runInShell,
  type Service,
  startService,
} from './support/service.ts'

const execute = promisify(execFile)

let folder: string
let service: Service

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regent-'))
  service = await startService()
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('npm run dev', () => {
  it('prints its address, a key, and three commands that work when pasted', async () => {
    const printed = service.printed()
    expect(printed).toContain(`Regent is running at ${service.base}`)
    expect(printed).toMatch(/imperial_[A-Za-z0-9]{40}/)
    const [createLine = '', readLine = '', rawLine = '', ...others] = findCurls(printed)
    expect(others).toEqual([])
    const created = JSON.parse(await runInShell(createLine))
    expect(created).toMatchObject({
      success: true,
      data: { content: '# Hello', creator: { username: 'demo' }, settings: { language: 'markdown' } },
    })
    expect(JSON.parse(await runInShell(readLine))).toMatchObject({ success: true })
    expect(await runInShell(rawLine)).toBe('Hello from Regent.\n')
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
})

describe('npm run admin -- user', () => {
  it('refuses a folder without a database, with one line', async () => {
    const typo = join(folder, 'typo')
    const { code, stdout, stderr } = await command('admin', 'user', 'list', '--persist-to', typo)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^\S+typo holds no database\. Check the path .*\n$/)
  })
})

describe('every command', () => {
  const admin = ['user', 'documents', 'blocks', 'audit', 'limits', 'cleanup']
  const others = ['admin', 'dev', 'deploy', 'doctor', 'backup', 'restore', 'recover', 'build-client']
  it('has --help', async () => {
    const calls = [...admin.map((name) => ['admin', name]), ...others.map((name) => [name])]
    // In one process, because starting each takes longer.
    const code = `
for (const [script, ...args] of ${JSON.stringify(calls)}) {
  process.argv = [process.execPath, script, ...args, '--help']
  process.stdout.write('\\n@' + [script, ...args].join(' ') + '\\n')
  await import('./scripts/' + script + '.ts?' + args)
  if (process.exitCode) process.exit()
}`
    // Not as an option: parseArgs would then expect no script among the arguments.
    const running = execute(process.execPath, ['--input-type=module', '-'], { cwd: ROOT })
    running.child.stdin?.end(code)
    const { stdout } = await running
    const helped = stdout.split('\n@').filter((text) => text.includes('Usage:'))
    expect(helped.map((text) => text.split('\n', 1)[0])).toEqual(calls.map((call) => call.join(' ')))
    // It runs only as a program.
    expect((await command('conformance', '--help')).stdout).toContain('Usage:')
  })

  it('that had a name of its own still runs by it, and says the new one', async () => {
    const { stdout, stderr } = await execute('npm', ['run', '--silent', 'user', '--', '--help'], {
      cwd: ROOT,
    })
    expect(stdout).toContain('Usage: npm run admin -- user')
    expect(stderr).toContain('is now "npm run admin -- user"')
  })

  it('names what there is if a name is unknown', async () => {
    const { code, stderr } = await command('admin', 'users')
    expect(code).toBe(1)
    expect(stderr).toContain('user, documents, blocks')
  })
})
