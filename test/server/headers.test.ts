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
