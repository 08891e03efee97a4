import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command, freePort, ROOT, type Service, startService } from './support/service.ts'

const execute = promisify(execFile)

let folder: string
let service: Service

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regent-'))
  service = await startService()
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('npm run dev', () => {
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

  it('names what there is if a name is unknown', async () => {
    const { code, stderr } = await command('admin', 'users')
    expect(code).toBe(1)
    expect(stderr).toContain('user, documents, blocks')
  })
})
