import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/build.ts'
import { SqliteNamespace } from '../../server/contents.ts'
import { prepareDemo } from '../../server/demo.ts'
import { SqliteFile } from '../../server/sqlite.ts'
import { expectFaults } from '../support/log.ts'
import { runToEnd, startProcess } from './support/process.ts'
import { createFolder, startTestServer } from './support/server.ts'

beforeAll(() => ensureBuilt(() => {}))

const create = (url: string, content: string) =>
  fetch(`${url}/v1/document`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ content }),
  })

async function createId(url: string, content: string): Promise<string> {
  const { data } = (await (await create(url, content)).json()) as { data: { id: string } }
  return data.id
}

describe('the first start', () => {
  it('makes a folder that only its owner can read, a secret and a database, and says how to make an account', async () => {
    const folder = join(await createFolder(), 'data')
    await using server = await startProcess(folder)
    await expect
      .poll(server.output)
      .toContain(`npm run admin -- user add NAME --email ADDRESS --data ${folder}`)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, 'auth-secret'))).mode & 0o777).toBe(0o600)
    expect((await readFile(join(folder, 'auth-secret'), 'utf8')).length).toBeGreaterThanOrEqual(32)
    const health = (await (await fetch(`${server.url}/health`)).json()) as object
    expect(health).toMatchObject({ status: 'ok', schema: { status: 'ok' } })
  })

  it('says that browsers keep nobody signed in without https, unless it is for this machine', async () => {
    const warning = 'SITE_URL does not start with https://'
    await using open = await startProcess(await createFolder(), { SITE_URL: 'http://192.0.2.7:8787' })
    await expect.poll(open.output).toContain(warning)
    await using own = await startProcess(await createFolder(), { SITE_URL: 'http://127.0.0.1:8787/' })
    await expect.poll(own.output).toContain('Create an account')
    expect(own.output()).not.toContain(warning)
  })

  it('leaves a folder open that holds other files', async () => {
    const folder = await createFolder()
    await chmod(folder, 0o755)
    await writeFile(join(folder, 'notes.txt'), 'mine')
    await using _ = await startTestServer({}, folder)
    expect((await stat(folder)).mode & 0o777).toBe(0o755)
  })

  it('makes the account "demo" once, with a key that works', async () => {
    await using server = await startTestServer()
    const printed = await prepareDemo(server.env.DB, server.url)
    const [key = ''] = /imperial_\w+/.exec(printed) ?? []
    const response = await fetch(`${server.url}/v1/users/@me`, { headers: { Authorization: key } })
    expect(response.status).toBe(200)
    expect(await prepareDemo(server.env.DB, server.url)).not.toContain('imperial_')
  })
})

describe('a second start', () => {
  it('is refused while the first one runs, and finds its data after that', async () => {
    const folder = await createFolder()
    const first = await startTestServer({}, folder)
    const id = await createId(first.url, 'kept')
    const second = await runToEnd(['--port', '0', '--data', folder])
    expect(second.code).toBe(1)
    expect(second.output).toMatch(/is in use by .* \(process \d+\)\. Stop that.*--data DIR\n$/)
    await first.stop()
    await using third = await startTestServer({}, folder)
    expect(await (await fetch(`${third.url}/r/${id}`)).text()).toBe('kept')
  })

  it.each([
    ['PORT', '--port N'],
    ['METRICS_PORT', 'METRICS_PORT=N'],
  ])('is refused if %s is in use, and gives up its folder', async (name, setting) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const folder = await createFolder()
    const { code, output } = await runToEnd(['--data', folder], { PORT: '0', [name]: String(port) })
    other.close()
    expect(code).toBe(1)
    expect(output).toBe(
      `Can't listen on 127.0.0.1, port ${port}: another program uses it. Choose another port: ${setting}\n`,
    )
    await using _ = await startTestServer({}, folder)
  })

  it.each([
    ['192.0.2.1', 'EADDRNOTAVAIL'],
    ['nowhere.invalid', '(?:ENOTFOUND|EAI_AGAIN)'],
  ])('is refused on %s, which is no address of this machine', async (host, reason) => {
    const environment = { HOST: host, SITE_URL: 'https://paste.example.org' }
    const { code, output } = await runToEnd(['--port', '0', '--data', await createFolder()], environment)
    expect(code).toBe(1)
    expect(output).toMatch(
      new RegExp(
        `^Can't listen on ${host}, which is no address of this machine \\(${reason}\\)\\. Choose another one: --host HOST\n$`,
      ),
    )
  })
})

describe('a folder that the server can not use', () => {
  it('is one of a newer version', async () => {
    const folder = await createFolder()
    await (await startTestServer({}, folder)).stop()
    const db = new DatabaseSync(join(folder, 'regent.sqlite'))
    db.exec("INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')")
    db.close()
    const { code, output } = await runToEnd(['--port', '0', '--data', folder])
    expect(code).toBe(1)
    expect(output).toBe(
      'The data is from a newer version of Regent, which has the migration 9999_later.sql. Update Regent, then start it again.\n',
    )
  })

  it.each(['regent.sqlite', 'contents.sqlite'])('has a damaged %s', async (name) => {
    const folder = await createFolder()
    await writeFile(join(folder, name), 'not a database, but something else that is long enough'.repeat(100))
    const { code, output } = await runToEnd(['--port', '0', '--data', folder])
    expect(code).toBe(1)
    expect(output).toMatch(new RegExp(`^\\S+/${name} is damaged.*\\n$`))
  })

  it.each([
    ['lock.sqlite', /^Can't write to \S+\/lock\.sqlite \(EISDIR.*\)\. Check the disk.*\n$/],
    ['auth-secret', /^Can't read or write \S+\/auth-secret \(EISDIR\)\. .*\n$/],
  ])('has a folder in the place of %s', async (name, sentence) => {
    const folder = await createFolder()
    await mkdir(join(folder, name))
    const { code, output } = await runToEnd(['--port', '0', '--data', folder])
    expect(code).toBe(1)
    expect(output).toMatch(sentence)
  })

  it('has a secret that is too short', async () => {
    const folder = await createFolder()
    await writeFile(join(folder, 'auth-secret'), 'short\n')
    const { code, output } = await runToEnd(['--port', '0', '--data', folder])
    expect(code).toBe(1)
    expect(output).toBe(
      `${folder}/auth-secret has fewer than 32 characters. Put the former secret back, or delete the file: the next start then makes one, and signs everyone out.\n`,
    )
  })

  it('is a file', async () => {
    const file = join(await createFolder(), 'file')
    await writeFile(file, '')
    const { code, output } = await runToEnd(['--port', '0', '--data', file])
    expect(code).toBe(1)
    expect(output).toMatch(/^Can't write to .*\/file \(E\w+\)\. Choose another folder: --data DIR\n$/)
  })

  it.runIf(process.platform === 'linux')('may not be written to', async () => {
    const folder = await createFolder()
    await chmod(folder, 0o500)
    // The administrator's processes may write everywhere, but not without this capability.
    const wrapper = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override'] : []
    const { code, output } = await runToEnd(['--port', '0', '--data', folder], {}, wrapper)
    expect(code).toBe(1)
    expect(output).toBe(`Can't write to ${folder} (EACCES). Choose another folder: --data DIR\n`)
  })
})

describe('a signal to stop', () => {
  it('lets a request end that has begun, and exits with 0', async () => {
    await using server = await startProcess(await createFolder())
    const body = JSON.stringify({ content: 'in time' })
    const sent = request(`${server.url}/v1/document`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': body.length },
    })
    sent.write(body.slice(0, 5))
    await new Promise((resolve) => sent.once('socket', (socket) => socket.once('connect', resolve)))
    // The server has begun with it once it has answered another one.
    await (await fetch(`${server.url}/v1`)).text()
    server.child.kill('SIGTERM')
    await expect.poll(server.output).toContain('server stopping')
    sent.end(body.slice(5))
    const [response] = await once(sent, 'response')
    expect(response.statusCode).toBe(200)
    response.resume()
    expect(await server.ended).toBe(0)
  })

  it.skipIf(process.platform === 'win32')('to npm alone stops the server, too', async () => {
    // npm runs a script through a shell, which doesn't pass signals on.
    const npm = ['sh', '-c', 'sh -c \'"$0" "$@"; exit\' "$0" "$@"; exit']
    const environment = { npm_lifecycle_event: 'start' }
    await using server = await startProcess(await createFolder(), environment, [], npm)
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe('SIGTERM')
    expect(server.output()).toContain('server stopped')
    await expect(fetch(server.url)).rejects.toThrow()
  })

  /** Writes to a connection of its own, and resolves with all that came until the server closed it. */
  function openConnection(url: string) {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
    })
    // The server may reset a connection that it closes.
    socket.on('error', () => {})
    const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
    return { socket, closed, received: () => received }
  }

  const GET = 'GET /v1 HTTP/1.1\r\nHost: localhost\r\n\r\n'

  it('closes connections that are idle, and takes nothing new on the others', async () => {
    await using server = await startProcess(await createFolder())
    const [idle, unused, begun, posting] = [1, 2, 3, 4].map(() => openConnection(server.url))
    if (!idle || !unused || !begun || !posting) throw new Error('too few connections')
    await once(unused.socket, 'connect')
    const isAnswered = async ({ socket, received }: typeof idle, count = 1) => {
      socket.write(GET)
      await expect
        .poll(received)
        .toMatch(new RegExp(`(?:200 OK[^{]*Connection: keep-alive[^{]*{.*){${count}}`))
    }
    await Promise.all([idle, begun, posting].map((connection) => isAnswered(connection)))
    const body = JSON.stringify({ content: 'in time' })
    posting.socket.write(
      `POST /v1/document HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    begun.socket.write(GET.slice(0, 20))
    // The server has read both once it has answered another request.
    await isAnswered(idle, 2)
    server.child.kill('SIGTERM')
    await idle.closed
    await unused.closed
    begun.socket.write(GET.slice(20))
    posting.socket.write(body)
    for (const { closed } of [begun, posting]) {
      const [, , answer, ...others] = (await closed).split('HTTP/1.1 ')
      expect(answer).toMatch(/^200 OK[^{]*Connection: close[^{]*{.*}$/)
      expect(others).toEqual([])
    }
    expect(await server.ended).toBe(0)
  })

  it('sends answers to their end that have begun, and closes their connections then', async () => {
    await using server = await startProcess(await createFolder())
    const content = 'a'.repeat(10_000_000)
    const id = await createId(server.url, content)
    // One is a stream, and the other waits in the memory of the process.
    const responses = await Promise.all(
      [`/r/${id}`, `/v1/document/${id}`].map(async (path) => {
        const sent = get(server.url + path, { agent: new Agent({ keepAlive: true }) })
        const [response] = (await once(sent, 'response')) as [IncomingMessage]
        expect(response.headers.connection).toBe('keep-alive')
        await once(response, 'readable')
        return response
      }),
    )
    server.child.kill('SIGTERM')
    await expect.poll(server.output).toContain('server stopping')
    const [raw, json = ''] = await Promise.all(responses.map(text))
    expect(raw).toBe(content)
    expect(JSON.parse(json).data.content).toBe(content)
    expect(await server.ended).toBe(0)
  })
})

describe('a server that is killed', () => {
  it('has everything that it acknowledged', async () => {
    const folder = await createFolder()
    const acknowledged: string[] = []
    for (let round = 1; round <= 3; round += 1) {
      const server = await startProcess(folder)
      const write = async (name: string) => {
        for (let index = 0; ; index += 1) {
          const content = `${name} ${index}`
          const answer = await create(server.url, content).then((response) => response.json())
          acknowledged.push(`${(answer as { data: { id: string } }).data.id} ${content}`)
        }
      }
      const before = acknowledged.length
      const writers = ['a', 'b', 'c', 'd'].map((name) => write(`${round}${name}`).catch(() => {}))
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20)
      server.child.kill('SIGKILL')
      await Promise.all([...writers, server.ended])
    }
    await using server = await startTestServer({}, folder)
    for (const line of acknowledged) {
      const [id = '', ...content] = line.split(' ')
      expect(await (await fetch(`${server.url}/r/${id}`)).text()).toBe(content.join(' '))
    }
    const { results } = await server.env.DB.prepare('SELECT content_key FROM documents').all<{
      content_key: string
    }>()
    for (const { content_key } of results) expect(await server.env.CONTENTS.get(content_key)).not.toBeNull()
  })
})

describe('a full disk', () => {
  const FULL = 'PRAGMA max_page_count = 1'
  const FREE = 'PRAGMA max_page_count = 4294967294'

  it('answers 503, and recovers without a restart', async () => {
    await using server = await startTestServer()
    const id = await createId(server.url, 'before')
    await server.env.DB.prepare(FULL).all()
    const fill = async () => {
      for (let index = 0; index < 2_000; index += 1) {
        const response = await create(server.url, `${index}`)
        await response.arrayBuffer()
        if (response.status !== 200) return response
      }
      throw new Error('The disk is never full')
    }
    const lines = expectFaults('request failed')
    const { status, headers } = await fill()
    expect(lines.length).toBe(1)
    expect(lines[0]).toContain('database or disk is full')
    expect(status).toBe(503)
    expect(headers.get('Retry-After')).toBe('60')
    expect(await (await fetch(`${server.url}/r/${id}`)).text()).toBe('before')
    await server.env.DB.prepare(FREE).all()
    expect((await create(server.url, 'after')).status).toBe(200)
  })

  it('loses no content that was stored before', async () => {
    const file = new SqliteFile(join(await createFolder(), 'contents.sqlite'))
    const contents = new SqliteNamespace(file)
    await contents.put('before', 'x')
    file.exec(FULL)
    const [full, read] = await Promise.allSettled([
      contents.put('large', new Uint8Array(1_000_000)),
      contents.get('before'),
    ])
    expect(full).toMatchObject({
      status: 'rejected',
      reason: { message: 'KV PUT failed: database or disk is full: SQLITE_FULL' },
    })
    expect(read).toMatchObject({ value: 'x' })
    file.exec(FREE)
    await contents.put('large', 'y')
    expect(await contents.get('large')).toBe('y')
    file.close()
  })
})

describe.runIf(process.platform === 'linux')('a disk that no longer takes writes', () => {
  it('gets writers a 503 and readers their text, and needs no restart', async () => {
    await using server = await startProcess(await createFolder())
    const id = await createId(server.url, 'before')
    // The system then refuses each write to a file of this process, as it does for a disk quota.
    const limit = (bytes: string) =>
      execFileSync('prlimit', [`--pid=${server.child.pid}`, `--fsize=${bytes}:unlimited`])
    limit('0')
    const { status, headers } = await create(server.url, 'refused')
    expect([status, headers.get('Retry-After')]).toEqual([503, '60'])
    expect(await (await fetch(`${server.url}/r/${id}`)).text()).toBe('before')
    limit('unlimited')
    expect((await create(server.url, 'after')).status).toBe(200)
  })

  it.each([
    [0, /^Can't write to \S+\/lock\.sqlite \(.*\)\. Check the disk, and the permissions of its folder\.\n$/],
    [20_000, /^\S+\/regent\.sqlite can't be read or written to\. Check the disk\.\n$/],
  ])('ends a start in one sentence if a file may have at most %s bytes', async (bytes, sentence) => {
    const folder = await createFolder()
    const args = ['--port', '0', '--data', folder]
    const { code, output } = await runToEnd(args, {}, ['prlimit', `--fsize=${bytes}`])
    expect(code).toBe(1)
    expect(output).toMatch(sentence)
    await using server = await startTestServer({}, folder)
    expect((await create(server.url, 'after')).status).toBe(200)
  })
})

describe('an old Node', () => {
  it('is refused in one sentence', async () => {
    const NODE_OPTIONS =
      '--import=data:text/javascript,Object.defineProperty(process,`versions`,{value:{node:`20.1.0`}})'
    const { code, output } = await runToEnd([], { NODE_OPTIONS })
    expect(code).toBe(1)
    expect(output).toMatch(/^Regent needs Node 24 or newer, and this is Node 20\.1\.0\..*\n$/)
  })
})
