import { spawn } from 'node:child_process'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { getDebuggerEnv, getLocalVars, parseOptions, requireFreePort } from '../../scripts/dev/options.ts'
import { formatWelcome, repeat, triggerScheduledJob, waitUntilListening } from '../../scripts/dev/ready.ts'
import { freePort } from '../../scripts/support/launch.ts'
import { CommandError } from '../../scripts/support/script.ts'

const networkAddress = (address: string, family: 'IPv4' | 'IPv6', internal = false) =>
  ({ address, family, internal, netmask: '', mac: '', cidr: null, scopeid: 0 }) as os.NetworkInterfaceInfo

const listenOn = (...args: string[]) => parseOptions(args).listening

describe('the options of npm run dev', () => {
  it('are split into its own options and options of wrangler', () => {
    const args = ['--port', '9000', '--log-level', 'debug', '--persist-to=/data', '--var', 'A:b']
    expect(parseOptions(args)).toEqual({
      help: false,
      listening: { ip: '127.0.0.1', port: 9000, base: 'http://127.0.0.1:9000', others: [] },
      folder: '/data',
      verbose: true,
      others: ['--log-level', 'debug', '--var', 'A:b'],
    })
  })

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8787'],
    ['localhost', 'http://localhost:8787'],
    ['::1', 'http://[::1]:8787'],
    ['0.0.0.0', 'http://127.0.0.1:8787'],
    ['::', 'http://[::1]:8787'],
    ['203.0.113.7', 'http://203.0.113.7:8787'],
    ['2001:db8::7', 'http://[2001:db8::7]:8787'],
  ])('say how this machine reaches a service on %s', (ip, base) => {
    const { listening, verbose, others } = parseOptions([`--ip=${ip}`, '--inspector-port', '0'])
    expect(listening).toMatchObject({ ip, base })
    expect({ verbose, others }).toEqual({ verbose: false, others: ['--inspector-port', '0'] })
    expect(parseOptions(['--ip', ip, '--local-protocol', 'https']).listening.base).toBe(
      base.replace('http:', 'https:'),
    )
  })

  it('let a debugger in only if they ask for it', () => {
    vi.stubEnv('VSCODE_INSPECTOR_OPTIONS', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(getDebuggerEnv(['--var', 'A:b'])).toEqual({ VSCODE_INSPECTOR_OPTIONS: '{}' })
    expect(getDebuggerEnv(['--inspector-port=9229'])).toEqual({})
    expect(getDebuggerEnv(['--inspector-port', '9229'])).toEqual({})
  })

  it('list the addresses of this machine for other devices, if it listens on them', () => {
    vi.spyOn(os, 'networkInterfaces').mockReturnValue({
      lo: [networkAddress('127.0.0.1', 'IPv4', true)],
      eth0: [
        networkAddress('192.168.1.5', 'IPv4'),
        networkAddress('fd00::5', 'IPv6'),
        networkAddress('fe80::5', 'IPv6'),
      ],
    })
    const listOthers = (ip: string) => parseOptions(['--ip', ip]).listening.others
    expect(listOthers('0.0.0.0')).toEqual(['http://192.168.1.5:8787'])
    expect(listOthers('::')).toEqual(['http://192.168.1.5:8787', 'http://[fd00::5]:8787'])
    expect(listOthers('192.168.1.5')).toEqual(['http://192.168.1.5:8787'])
    expect(listOthers('127.0.0.1')).toEqual([])
  })

  it.each([
    [['--ip', 'router'], 'Not an IP address: router. For every address of this machine, use 0.0.0.0 or ::'],
    [['--remote'], "npm run dev doesn't take --remote"],
    [['-r'], "npm run dev doesn't take -r"],
    [['--tunnel'], "npm run dev doesn't take --tunnel"],
    [['--live-reload'], 'the pages allow no script but their own'],
    [['-c', 'other.toml'], "npm run dev doesn't take -c"],
  ])('must not be %s', (args, message) => {
    expect(() => parseOptions(args)).toThrow(message)
  })

  it.each(['0', '65536', 'http', ''])('must not include the port "%s"', (port) => {
    expect(() => parseOptions(['--port', port])).toThrow(`Not a valid port: ${port}. Use a number`)
  })
})

describe('the variables of a local service', () => {
  const OTHER_SECRET = 'another secret, which is long enough'
  const local = (folder: string) => ({ folder, root: folder, settings: {} })

  const withFolder = async (test: (folder: string) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), 'regent-'))
    await test(folder)
    await rm(folder, { recursive: true })
  }
  const readVars = async (args: readonly string[]) =>
    parseEnv(await readFile(String(args.at(-1)), 'utf8')) as Record<string, string>

  it('contain a secret that only its owner can read, outside the process list', () =>
    withFolder(async (folder) => {
      const args = await getLocalVars(local(folder))
      const { AUTH_SECRET: secret } = await readVars(args)
      expect(secret).toMatch(/^[\w-]{43}$/)
      expect(args.join(' ')).not.toContain(secret)
      for (const file of await readdir(folder)) {
        expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600)
      }
    }))

  it('contain the same secret on every start', () =>
    withFolder(async (folder) => {
      const first = await readVars(await getLocalVars(local(folder)))
      expect(await readVars(await getLocalVars(local(folder)))).toEqual(first)
    }))

  it('keep what an option or .dev.vars sets', () =>
    withFolder(async (folder) => {
      const others = ['--var', `AUTH_SECRET:${OTHER_SECRET}`, '--var=MAIL_FROM:mail@example.org']
      expect(await getLocalVars({ ...local(folder), others })).toEqual([])
      await writeFile(join(folder, '.dev.vars'), `AUTH_SECRET=${OTHER_SECRET}\nMAIL_FROM=mail@example.org\n`)
      expect(await getLocalVars(local(folder))).toEqual([])
    }))

  it('leave out what a deployed server has secrets or another address for', () =>
    withFolder(async (folder) => {
      const settings = {
        SITE_URL: 'https://paste.example.org',
        TURNSTILE_SITE_KEY: 'key',
        REPORT_WEBHOOK_URL: 'https://hooks.example.org',
      }
      expect(await readVars(await getLocalVars({ ...local(folder), settings }))).toMatchObject({
        SITE_URL: '',
        TURNSTILE_SITE_KEY: '',
        REPORT_WEBHOOK_URL: '',
      })
      await writeFile(join(folder, '.dev.vars'), 'TURNSTILE_SECRET=secret\n')
      const args = await getLocalVars({ ...local(folder), settings })
      expect(await readVars(args)).not.toHaveProperty('TURNSTILE_SITE_KEY')
    }))

  it('are refused with a line for each mistake, wherever it was made', () =>
    withFolder(async (folder) => {
      await writeFile(join(folder, '.dev.vars'), 'GITHUB_CLIENT_ID=id\n')
      const options = {
        ...local(folder),
        settings: { EXPLORE: 'On' },
        others: ['--var', 'SITE_URL:localhost:8787'],
      }
      await expect(getLocalVars(options)).rejects.toThrow(
        new CommandError(`The configuration has mistakes, so nothing was done:
  SITE_URL = "localhost:8787": use an address that starts with https:// or http://
  EXPLORE = "On": use "on" or "off"
  GITHUB_CLIENT_SECRET: set it too, because GITHUB_CLIENT_ID is set`),
      )
    }))

  it('replace the empty values of .dev.vars.example', () =>
    withFolder(async (folder) => {
      const devVars = join(folder, '.dev.vars')
      await copyFile('.dev.vars.example', devVars)
      const args = await getLocalVars(local(folder))
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
    await waitUntilListening(child, { ip: '127.0.0.1', port })
    child.kill()
  })

  it('is not mistaken for another program that answers on its port', async () => {
    const server = createServer((_, response) => response.end('{}'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    await expect(waitUntilListening(run(listen, port), { ip: '127.0.0.1', port })).rejects.toThrow(
      "The service didn't start",
    )
    await expect(requireFreePort({ port, ip: '127.0.0.1' })).rejects.toThrow(`Port ${port} is in use`)
    await expect(requireFreePort({ port, ip: '0.0.0.0' })).rejects.toThrow(`Port ${port} is in use`)
    await expect(requireFreePort({ port, ip: '203.0.113.7' })).rejects.toThrow(
      "This machine doesn't have the address 203.0.113.7.",
    )
    server.close()
  })

  it('fails if it listens on another port, or takes too long', async () => {
    const other = run(`${announce('1')}; setInterval(() => {}, 1000)`, 2)
    const there = { ip: '0.0.0.0', port: 2 }
    await expect(waitUntilListening(other, there)).rejects.toThrow(
      "The service didn't start: wrangler listens on port 1 instead of 2.",
    )
    const waited = 'waited 0.001 seconds for wrangler to build the service and to listen on port 2.'
    await expect(waitUntilListening(other, there, 1)).rejects.toThrow(waited)
    other.kill()
    await expect(waitUntilListening(other, there)).rejects.toThrow('wrangler ended before it listened.')
  })
})

describe('a service on one address of a network', () => {
  it('is ready once it says so, though it announces its port on the loopback address', async () => {
    const script = `process.send('{"event":"DEV_SERVER_READY","ip":"127.0.0.1","port":1}'); setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    await waitUntilListening(child, { ip: '203.0.113.7', port: 2 })
    child.kill()
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

  it('is asked for in the name of this machine, which is all that wrangler accepts', async () => {
    const hosts: (string | undefined)[] = []
    const server = createServer((request, response) => {
      hosts.push(request.headers.host)
      response.end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    await triggerScheduledJob(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    expect(hosts).toEqual(['localhost'])
    server.close()
  })

  it('is mentioned when the service starts', () => {
    expect(formatWelcome(listenOn(), null, 'x')).toContain('every 5 minutes')
  })
})

describe('what a service prints when it starts', () => {
  it('says nothing about other devices if they can’t reach it', () => {
    const text = formatWelcome(listenOn(), null, 'x')
    expect(text).not.toContain('Network')
    expect(text).toContain('http://127.0.0.1:8787/sign-in with demo@example.com')
  })

  it('says where other devices reach it, what they can do there, and what others can read', () => {
    const listening = { ...listenOn('--ip', '0.0.0.0'), others: ['http://192.168.1.5:8787'] }
    const text = formatWelcome(listening, null, 'x')
    expect(text).toContain('Network    http://192.168.1.5:8787\n')
    expect(text).toContain('can create and read documents')
    expect(text).toContain('others on the network can read everything')
    expect(text).toContain('http://127.0.0.1:8787/sign-in (on this machine only)')
  })

  it('doesn’t offer to sign in at an address where that is impossible', () => {
    const text = formatWelcome(listenOn('--ip', '203.0.113.7'), null, null)
    expect(text).not.toContain('/sign-in')
    expect(text).toContain('sign in on this machine')
    expect(text).toContain('curl -s http://203.0.113.7:8787/v1/document/ID')
  })
})
