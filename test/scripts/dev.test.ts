import { spawn } from 'node:child_process'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { formatWelcome } from '../../scripts/dev/demo.ts'
import { getLocalVars } from '../../scripts/dev/local-vars.ts'
import { parseOptions, requireFreePort } from '../../scripts/dev/options.ts'
import { waitUntilListening } from '../../scripts/dev/ready.ts'
import { repeat, triggerScheduledJob } from '../../scripts/dev/scheduled-job.ts'
import { freePort } from '../../scripts/support/launch.ts'

describe('the options of npm run dev', () => {
  it('are split into its own options and options of wrangler', () => {
    const args = ['--port', '9000', '--log-level', 'debug', '--persist-to=/data', '--var', 'A:b']
    expect(parseOptions(args)).toEqual({
      help: false,
      port: 9000,
      folder: '/data',
      others: ['--log-level', 'debug', '--var', 'A:b'],
    })
  })

  it.each(['0', '65536', 'http', ''])('must not include the port "%s"', (port) => {
    expect(() => parseOptions(['--port', port])).toThrow(`Not a valid port: ${port}. Use a number`)
  })
})

describe('the variables of a local service', () => {
  const withFolder = async (test: (folder: string) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), 'regent-'))
    await test(folder)
    await rm(folder, { recursive: true })
  }
  const readVars = async (args: readonly string[]) =>
    parseEnv(await readFile(String(args.at(-1)), 'utf8')) as Record<string, string>

  it('contain a secret that only its owner can read, outside the process list', () =>
    withFolder(async (folder) => {
      const args = await getLocalVars(folder, [], folder)
      const { AUTH_SECRET: secret } = await readVars(args)
      expect(secret).toMatch(/^[\w-]{43}$/)
      expect(args.join(' ')).not.toContain(secret)
      for (const file of await readdir(folder)) {
        expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600)
      }
    }))

  it('contain the same secret on every start', () =>
    withFolder(async (folder) => {
      const first = await readVars(await getLocalVars(folder, [], folder))
      expect(await readVars(await getLocalVars(folder, [], folder))).toEqual(first)
    }))

  it('keep what an option or .dev.vars sets', () =>
    withFolder(async (folder) => {
      const others = ['--var', 'AUTH_SECRET:other', '--var=MAIL_FROM:mail@example.org']
      expect(await getLocalVars(folder, others, folder)).toEqual([])
      await writeFile(join(folder, '.dev.vars'), 'AUTH_SECRET=other\nMAIL_FROM=mail@example.org\n')
      expect(await getLocalVars(folder, [], folder)).toEqual([])
    }))

  it('replace the empty values of .dev.vars.example', () =>
    withFolder(async (folder) => {
      const devVars = join(folder, '.dev.vars')
      await copyFile('.dev.vars.example', devVars)
      const args = await getLocalVars(folder, [], folder)
      expect(args.slice(0, 3)).toEqual(['--env-file', devVars, '--env-file'])
      expect(await readVars(args)).toHaveProperty('AUTH_SECRET')
    }))
})

describe('a service that starts', () => {
  /** Runs a script that stands in for wrangler, with the port as its argument. */
  const run = (script: string, port: number) =>
    spawn(process.execPath, ['-e', script, String(port)], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const announce = (port: string) =>
    `process.send(JSON.stringify({ event: 'DEV_SERVER_READY', ip: '127.0.0.1', port: ${port} }))`
  const listen = `require('net').createServer().listen(Number(process.argv[1]), '127.0.0.1', () => ${announce('Number(process.argv[1])')})`

  it('is awaited until it says that it listens', async () => {
    const port = await freePort()
    const child = run(listen, port)
    await waitUntilListening(child, port)
    child.kill()
  })

  it('is not mistaken for another program that answers on its port', async () => {
    const server = createServer((_, response) => response.end('{}'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    await expect(waitUntilListening(run(listen, port), port)).rejects.toThrow("The service didn't start")
    await expect(requireFreePort(port)).rejects.toThrow(`Port ${port} is in use`)
    server.close()
  })

  it('fails if it listens on another port, or takes too long', async () => {
    const other = run(`${announce('1')}; setInterval(() => {}, 1000)`, 2)
    await expect(waitUntilListening(other, 2)).rejects.toThrow("The service didn't start")
    await expect(waitUntilListening(other, 2, 1)).rejects.toThrow("The service didn't start")
    other.kill()
  })
})

describe('the scheduled job of a local service', () => {
  it('runs again and again, whether or not it fails, until the service ends', async () => {
    const runs: string[] = []
    const server = createServer((request, response) => {
      runs.push(request.url ?? '')
      response.writeHead(runs.length === 2 ? 500 : 200).end('result')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ended = new AbortController()
    const onError = vi.fn()
    const schedule = repeat(() => triggerScheduledJob(base), { everyMs: 1, signal: ended.signal, onError })
    await vi.waitUntil(() => runs.length >= 4)
    ended.abort()
    await schedule
    expect(new Set(runs)).toEqual(new Set(['/cdn-cgi/handler/scheduled?cron=*%2F5+*+*+*+*']))
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('500 result'))
    server.close()
  })

  it('is mentioned when the service starts', () => {
    expect(formatWelcome('http://localhost', null, 'x')).toContain('every 5 minutes')
  })
})
