import { readdir, stat, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server as TcpServer,
} from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SQL } from '../../../scripts/support/database.ts'
import { addAccount } from '../support/accounts.ts'
import { queryDatabase } from '../support/database.ts'
import { freePort, type Service, startService } from '../support/service.ts'
import { type CliHome, createCliHome } from './cli-process.ts'

const MIB = 1_024 * 1_024

let service: Service
let key: string
let home: CliHome
const stops: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  service = await startService()
  key = (await addAccount(service.env, 'cli-failures')).key
})

beforeEach(async () => {
  home = await createCliHome(service.base)
})

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await home.remove()
})

async function listen(server: TcpServer): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a server that answers as it is told. */
async function startServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  stops.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return listen(server)
}

/**
 * Starts a way to the service that passes on only the first bytes of a connection.
 *
 * @param onLimit called with a function that cuts the connection, once they have been passed on.
 */
async function startNarrowProxy(maxBytes: number, onLimit: (cut: () => void) => void): Promise<string> {
  const cuts: (() => void)[] = []
  const server = createTcpServer((incoming) => {
    const outgoing = connect(Number(new URL(service.base).port), '127.0.0.1')
    const cut = () => {
      incoming.destroy()
      outgoing.destroy()
    }
    cuts.push(cut)
    let passed = 0
    incoming.on('data', (chunk) => {
      const part = chunk.subarray(0, Math.max(0, maxBytes - passed))
      passed += part.byteLength
      outgoing.write(part)
      if (passed < maxBytes) return
      incoming.pause()
      onLimit(cut)
    })
    outgoing.pipe(incoming)
    for (const socket of [incoming, outgoing]) socket.on('error', cut).on('close', cut)
  })
  stops.push(() => {
    // A paused connection doesn't notice that its other end is gone.
    for (const cut of cuts) cut()
    return new Promise((resolve) => server.close(resolve))
  })
  return listen(server)
}

/** Returns how many documents the account of these tests has. */
const countDocuments = async (): Promise<number> =>
  JSON.parse(await home.print(['ls', '--json'], { env: { REGENT_KEY: key } })).length

describe('without a network', () => {
  it('says that the server can’t be reached', async () => {
    const server = `http://127.0.0.1:${await freePort()}`
    expect(await home.run(['--server', server], { stdin: 'x' })).toEqual({
      code: 3,
      stdout: '',
      stderr: `regent: Can’t reach ${server} (ECONNREFUSED). Nothing was sent.\n`,
    })
    expect((await home.run(['get', `${server}/bcdfghjk`])).code).toBe(3)
  })

  it('says that nothing was stored if the connection breaks half-way', async () => {
    const proxy = await startNarrowProxy(MIB, (cut) => cut())
    const options = { stdin: 'x'.repeat(8 * MIB), env: { REGENT_KEY: key } }
    const { code, stdout, stderr } = await home.run(['--server', proxy], options)
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(
      /^regent: Can’t reach .*\. Only .* of 8\.0 MiB had been sent, so nothing was stored\.\n$/,
    )
    expect(await countDocuments()).toBe(0)
  })

  it('says the same without an account', async () => {
    const proxy = await startNarrowProxy(MIB, (cut) => cut())
    // Other tests use the service too, so the language tells this document from theirs.
    const args = ['--server', proxy, '--language', 'half-sent']
    const { code, stdout, stderr } = await home.run(args, { stdin: 'x'.repeat(8 * MIB) })
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(/\. Only .* of 8\.0 MiB had been sent, so nothing was stored\.\n$/)
    const stored = SQL`SELECT id FROM documents WHERE language = 'half-sent'`
    expect(await queryDatabase(service.env, stored)).toEqual([])
    expect(await home.listFiles()).toEqual([])
  })

  it('says of an edit that it may have been saved if only the answer is lost', async () => {
    const link = (await home.print([], { stdin: 'before', env: { REGENT_KEY: key } })).trim()
    const server = await startServer(async (request, response) => {
      const body = await text(request)
      const headers = { 'Content-Type': 'application/json', Authorization: key }
      const answer = await fetch(`${service.base}${request.url}`, { method: 'PATCH', headers, body })
      if (JSON.parse(body).content !== undefined) return response.destroy()
      response.writeHead(200, { 'Content-Type': 'application/json', ETag: answer.headers.get('ETag') ?? '' })
      return response.end(await answer.text())
    })
    const id = new URL(link).pathname.slice(1)
    const options = { stdin: 'after', env: { REGENT_KEY: key } }
    const { code, stderr } = await home.run(['update', id, '--server', server], options)
    expect(stderr).toContain('so the server may have stored it. Your text is in ')
    expect(code).toBe(3)
    expect(await home.print(['get', link])).toBe('after')
    await home.print(['rm', link], { env: { REGENT_KEY: key } })
  })

  it("says that the server isn't a Regent server", async () => {
    const server = await startServer((_, response) => response.end('<!doctype html>'))
    const { code, stderr } = await home.run(['--server', server], { stdin: 'x' })
    expect(code).toBe(8)
    expect(stderr).toContain('doesn’t answer like a Regent server')
  })
})

describe.runIf(process.platform === 'linux')('standard output', () => {
  it('makes the program fail if a file takes only a part of the text', async () => {
    expect(await home.shell('ulimit -f 1; regent help > help.txt')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'regent: Can’t write to standard output: the file would be too large.\n',
    })
  })

  it('on a full disk leaves a text that nobody can read again in another file', async () => {
    const link = (await home.print(['--burn'], { stdin: 'only once' })).trim()
    const { code, stderr } = await home.shell(`regent get ${link} > /dev/full`)
    expect(code).toBe(1)
    expect(stderr).toContain('the disk is full. The text is in ')
    const path = /The text is in (.+)\.\n/.exec(stderr)?.[1] ?? ''
    expect(await home.readHomeFile(path.slice(home.folder.length + 1))).toBe('only once')
  })
})

/** A folder that even root can't create. */
const NOWHERE = '/sys/none'

describe.runIf(process.platform === 'linux')('a text that can’t be printed or kept', () => {
  it('is no failure if a program reads no further, and the token of what was shared is kept', async () => {
    const { code, stdout, stderr } = await home.shell(
      'set -o pipefail; head -c 200000 /dev/zero | tr "\\0" a | regent > link; regent get $(cat link) | head -c 3',
    )
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'aaa', stderr: '' })
    await home.shell('echo x | regent | true')
    expect(JSON.parse(await home.print(['ls', '--json']))).toHaveLength(2)
  })

  it('is kept in a file if nobody can read it again', async () => {
    const text = 'only once '.repeat(50_000)
    const link = (await home.print(['--burn'], { stdin: text })).trim()
    await home.shell('rm -r .local .config 2>&1')
    const { stdout, stderr } = await home.shell(`regent get ${link} | head -c 4`)
    expect(stdout).toBe('only')
    const path = /Only a part of the text was printed. The text is in (.+)\.\n/.exec(stderr)?.[1] ?? ''
    expect(await home.readHomeFile(path.slice(home.folder.length + 1))).toBe(text)
  })

  it('is shared although the machine can’t remember it, which it says', async () => {
    const { code, stdout, stderr } = await home.run([], { stdin: 'shared', env: { HOME: NOWHERE } })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^http.+\n$/) })
    expect(stderr).toContain('It’s shared, but can’t be changed from this machine')
  })

  it('is printed if it can be kept nowhere', async () => {
    const link = (await home.print(['--burn'], { stdin: 'only once' })).trim()
    const env = { HOME: NOWHERE }
    const { code, stdout, stderr } = await home.run(['get', link, '-o', '/dev/null/out.txt'], { env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'only once' })
    expect(stderr).toContain('So the text was printed')
  })
})

describe('Ctrl+C', () => {
  it('stops an upload, stores nothing and leaves no file', async () => {
    let interrupt = () => {}
    // Early: the more the proxy reads, the larger the buffers become that take the rest.
    const proxy = await startNarrowProxy(64 * 1024, () => interrupt())
    const { code, stdout, stderr } = await home.spawn(['--server', proxy], {
      stdin: 'x'.repeat(8 * MIB),
      env: { REGENT_KEY: key },
      onStart: (child) => {
        interrupt = () => child.kill('SIGINT')
      },
    })
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    expect(stderr).toMatch(/^regent: Interrupted\. Only .* had been sent, so nothing was stored\.\n$/)
    expect(await countDocuments()).toBe(0)
    expect(await home.listFiles()).toEqual([])
  })

  it('stops waiting for a busy server', async () => {
    const server = await startServer((_, response) =>
      response
        .writeHead(429, { 'Retry-After': '60' })
        .end('{"success":false,"error":{"code":"rate_limited"}}'),
    )
    const { code, stderr } = await home.spawn(['--server', server, 'ls'], {
      env: { REGENT_KEY: key },
      onStart: (child) => {
        child.stderr?.once('data', () => child.kill('SIGINT'))
      },
    })
    expect(code).toBe(130)
    expect(stderr).toBe('Too many requests. Trying again in 60 s…\nregent: Interrupted.\n')
  })
})

describe('a rate limit', () => {
  it('is waited for, and then the document is stored', async () => {
    const times: number[] = []
    const server = await startServer(async (request, response) => {
      times.push(Date.now())
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      if (times.length === 1) {
        response
          .writeHead(429, { 'Retry-After': '1' })
          .end('{"success":false,"error":{"code":"rate_limited"}}')
        return
      }
      const answer = await fetch(service.base + request.url, {
        method: 'POST',
        headers: { Accept: 'text/plain', 'Content-Type': 'text/plain' },
        body: Buffer.concat(chunks),
      })
      const headers = ['Content-Type', 'X-Document-Token', 'X-Expires'].map(
        (name) => [name, answer.headers.get(name) ?? ''] as const,
      )
      response.writeHead(answer.status, Object.fromEntries(headers)).end(await answer.text())
    })
    const { code, stdout, stderr } = await home.run(['--server', server], { stdin: 'waited' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Too many requests. Trying again in 1 s…\n' })
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990)
    expect(await home.print(['get', stdout.trim()])).toBe('waited')
  })

  it('ends the command if it lasts', async () => {
    let requests = 0
    const server = await startServer((_, response) => {
      requests += 1
      response.writeHead(429, { 'Retry-After': '0' }).end('{"success":false,"error":{"code":"rate_limited"}}')
    })
    const { code, stdout, stderr } = await home.run(['--server', server, '--quiet'], { stdin: 'x' })
    expect({ code, stdout, requests }).toEqual({ code: 7, stdout: '', requests: 4 })
    expect(stderr).toBe('regent: Too many requests. Try again in 0 seconds.\n')
  })
})

describe('refused input', () => {
  it('sends nothing if one of the files is no text', async () => {
    let requests = 0
    const server = await startServer((_, response) => {
      requests += 1
      response.end()
    })
    const [text, picture] = [join(home.folder, 'a.txt'), join(home.folder, 'b.png')]
    await writeFile(text, 'text')
    await writeFile(picture, new Uint8Array([0x89, 0x50, 0x4e, 0x47]))
    expect(await home.run(['--server', server, text, picture])).toEqual({
      code: 9,
      stdout: '',
      stderr: `regent: ${picture} isn’t text in UTF-8. If it’s text in another encoding, convert it: iconv -f ISO-8859-1 -t UTF-8.\n`,
    })
    expect(requests).toBe(0)
  })

  it('is told by the server if the text is too large', async () => {
    const { code, stderr } = await home.run([], { stdin: 'x'.repeat(11 * MIB) })
    expect({ code, stderr }).toEqual({ code: 4, stderr: 'regent: The text is too large for this server.\n' })
  })
})

describe('a key', () => {
  it('is never sent to the server of another link', async () => {
    const keys: (string | undefined)[] = []
    const server = await startServer(({ headers }, response) => {
      keys.push(headers.authorization)
      response.writeHead(404).end('{"success":false,"error":{"code":"not_found"}}')
    })
    const { code } = await home.run(['get', `${server}/bcdfghjk`], { env: { REGENT_KEY: key } })
    expect({ code, keys }).toEqual({ code: 5, keys: [undefined] })
  })
})

describe('a password', () => {
  it('never leaves this machine, also to restore a version as an editor', async () => {
    const password = 'open sesame'
    const editor = await addAccount(service.env, 'cli-restores')
    const env = { REGENT_KEY: key, REGENT_PASSWORD: password }
    const link = (await home.print(['--encrypt'], { stdin: 'before', env })).trim()
    const id = new URL(link).pathname.slice(1)
    await home.print(['update', link], { stdin: 'after', env })
    const editors = await fetch(`${service.base}/v1/document`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', Authorization: key },
      body: JSON.stringify({ id, settings: { editors: ['cli-restores'] } }),
    })
    expect(editors.status).toBe(200)
    const sent: string[] = []
    const server = await startServer(async (request, response) => {
      const { method = '', url, rawHeaders } = request
      const body = await text(request)
      sent.push([url, ...rawHeaders, body].join('\n'))
      const names = ['Authorization', 'Content-Type', 'X-Claim-Token']
      const headers = names.flatMap((name): [string, string][] => {
        const value = request.headers[name.toLowerCase()]
        return typeof value === 'string' ? [[name, value]] : []
      })
      const answer = await fetch(`${service.base}${url}`, { method, headers, ...(body && { body }) })
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text())
    })
    const restore = (typed: string) =>
      home.run(['restore', `${server}/${id}`, '1'], {
        env: { REGENT_URL: server, REGENT_KEY: editor.key, REGENT_PASSWORD: typed },
      })
    expect(await restore('wrong')).toMatchObject({ code: 4 })
    expect(await restore(password)).toMatchObject({ code: 0 })
    expect(await home.print(['get', link], { env })).toBe('before')
    expect(sent.length).toBeGreaterThan(3)
    expect(sent.join('\n')).not.toContain(password)
  })
})

describe('a server that means harm', () => {
  it('can’t choose where a text is kept that only it has', async () => {
    const id = 'x/../../../../../chosen/by-the-server'
    const settings = { language: 'lua', instant_delete: true, encrypted: false }
    const base = await startServer((_, response) => {
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ success: true, data: { id, content: 'harm', settings, timestamps: {} } }))
    })
    const { code, stderr } = await home.run(['get', `${base}/bcdfghjk/setup.lua`])
    expect(code).toBeGreaterThan(0)
    const path = /The text is in (.+)\n/.exec(stderr)?.[1]?.replace(/\.$/, '') ?? ''
    expect((await stat(path)).isFile()).toBe(true)
    expect(path).toMatch(/\/regent\/unsaved\/[\w.-]+$/)
    expect(await readdir(home.folder)).not.toContain('chosen')
  })
})

it('keeps the token of a document if a proxy says that there is none', async () => {
  let isUp = true
  const base = await startServer(async (request, response) => {
    if (!isUp) {
      response.statusCode = 404
      response.end('404 page not found')
      return
    }
    const headers = Object.entries(request.headers).filter(([name]) => /^(?:content-type|x-)/.test(name))
    const body = request.method === 'POST' ? await text(request) : null
    const init = { method: request.method ?? '', headers: headers as [string, string][], body }
    const answer = await fetch(`${service.base}${request.url}`, init)
    const own = [...answer.headers].filter(([name]) => /^(?:content-type|x-)/.test(name))
    response.writeHead(answer.status, Object.fromEntries(own))
    response.end(await answer.text())
  })
  const link = await home.print(['--server', base], { stdin: 'text' })
  const remove = ['rm', new URL(link.trim()).pathname.slice(1), '--server', base]
  isUp = false
  expect((await home.run(remove)).code).toBeGreaterThan(0)
  isUp = true
  expect(await home.run(remove)).toMatchObject({ code: 0 })
})
