import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { startTestServer } from './support/server.ts'

const TITLE = 'Größe €😀'
const PASSWORD = 'pässwörd €😀'

/** As curl sends it: `fetch` sends a byte for each character. */
const toUtf8 = (text: string) => Buffer.from(text).toString('latin1')

it.each([
  ['as it is', {}, (text: string) => text],
  ['compressed', { 'Content-Encoding': 'gzip' }, (text: string) => gzipSync(text)],
])('takes titles and passwords in UTF-8, with a body that is %s', async (_, headers, encode) => {
  await using server = await startTestServer()
  const create = async (named: object) => {
    const response = await fetch(`${server.url}/`, {
      method: 'PUT',
      headers: { ...headers, ...named },
      body: encode('a text'),
    })
    return new URL((await response.text()).trim()).pathname
  }
  const read = async (path: string, query = '') => {
    const response = await fetch(`${server.url}/v1/document${path}${query}`)
    return ((await response.json()) as { data: object }).data
  }
  const titled = await create({ 'X-Title': toUtf8(TITLE) })
  expect(await read(titled)).toMatchObject({ settings: { title: TITLE } })
  const encrypted = await create({ 'X-Document-Password': toUtf8(PASSWORD) })
  expect(await read(encrypted, `?password=${encodeURIComponent(PASSWORD)}`)).toMatchObject({
    content: 'a text',
  })
})

it('refuses titles and passwords in Latin-1, instead of using other ones', async () => {
  await using server = await startTestServer()
  const send = (path: string, init: RequestInit) => fetch(`${server.url}${path}`, init)
  for (const name of ['X-Title', 'X-Document-Password']) {
    const answer = await send('/', { method: 'PUT', headers: { [name]: 'pä' }, body: 'a text' })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain(`The header ${name} isn't in UTF-8`)
  }
  const headers = { 'X-Document-Password': toUtf8('pä') }
  const created = await send('/', { method: 'PUT', headers, body: 'a text' })
  const { pathname } = new URL((await created.text()).trim())
  const read = await send(`/v1/document${pathname}`, { headers: { 'X-Document-Password': 'pä' } })
  expect(await read.json()).toMatchObject({
    success: false,
    error: { message: "The header X-Document-Password isn't in UTF-8" },
  })
})

it('compresses pages for browsers, and leaves what programs read as it is', async () => {
  await using server = await startTestServer()
  const created = await fetch(`${server.url}/`, { method: 'PUT', body: 'a line of many\n'.repeat(1_000) })
  const { pathname } = new URL((await created.text()).trim())
  const find = async (path: string) => {
    const headers = { Accept: 'text/html,*/*;q=0.8', 'Accept-Encoding': 'gzip', 'User-Agent': 'Mozilla/5.0' }
    const response = await fetch(`${server.url}${path}`, { headers })
    expect(await response.text()).toContain('a line of many\n')
    const vary = response.headers.get('Vary')?.includes('Accept-Encoding') ?? false
    return { encoding: response.headers.get('Content-Encoding'), vary }
  }
  expect(await find(pathname)).toEqual({ encoding: 'gzip', vary: true })
  expect(await find(`/r${pathname}`)).toEqual({ encoding: null, vary: false })
})

it.each(['GET / HTTP/1.0', 'OPTIONS * HTTP/1.1\r\nHost: localhost', 'GET / HTTP/1.1\r\nHost: a b'])(
  'answers %j with 400, and writes nothing to the log',
  async (request) => {
    // Any error in the log fails the test.
    await using server = await startTestServer()
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`${request}\r\nConnection: close\r\n\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /)
  },
)
