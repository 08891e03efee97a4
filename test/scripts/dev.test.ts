import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { formatWelcome } from '../../scripts/dev/demo.ts'
import { getLocalVars, parseOptions } from '../../scripts/dev/options.ts'
import { repeat, triggerScheduledJob } from '../../scripts/dev/scheduled-job.ts'

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
  it('contain the same secret on every start, unless an option sets another one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'regent-'))
    const first = await getLocalVars(folder, [])
    expect(first).toContainEqual(expect.stringMatching(/^AUTH_SECRET:[\w-]{43}$/))
    expect(await getLocalVars(folder, [])).toEqual(first)
    expect((await getLocalVars(folder, ['--var', 'AUTH_SECRET:other'])).join()).not.toContain('AUTH_SECRET')
    await rm(folder, { recursive: true })
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
    expect(new Set(runs)).toEqual(new Set(['/cdn-cgi/handler/scheduled']))
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('500 result'))
    server.close()
  })

  it('is mentioned when the service starts', () => {
    expect(formatWelcome('http://localhost', null, 'x')).toContain('every 5 minutes')
  })
})
