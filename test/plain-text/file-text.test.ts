import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { call, edit, read, sendForText } from '../support/client.ts'

const FILES = [
  { name: 'main.py', content: 'one\ntwo\nthree\n' },
  { name: 'my config/app.toml', content: 'debug = true' },
  { name: 'edit', content: 'a file with the name of a page' },
]

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  sendForText(path, { method, headers })

async function share(settings?: object) {
  const { key } = await account()
  const { body } = await call('POST', '/v1/document', { files: FILES, settings }, { key })
  return { id: body.data.id, key }
}

const CURL = { 'User-Agent': 'curl/8.0', Accept: '*/*' }

describe('one file of a document', () => {
  it('is text, and has its name', async () => {
    const { id } = await share()
    const answer = await get(`/r/${id}/my%20config/app.toml`)
    expect(answer).toMatchObject({ status: 200, text: 'debug = true' })
    expect(answer.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('Content-Disposition')).toBe('inline; filename="app.toml"')
    expect(answer.headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox")
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(await get(`/raw/${id}/main.py`)).toMatchObject({ status: 200, text: FILES[0]?.content })
  })

  it('is there for programs at the address of the document, unless a page has the name', async () => {
    const { id } = await share()
    expect(await get(`/${id}/main.py`, CURL)).toMatchObject({ status: 200, text: FILES[0]?.content })
    expect((await get(`/${id}/edit`, CURL)).text).not.toBe(FILES[2]?.content)
    expect((await get(`/r/${id}/edit`)).text).toBe(FILES[2]?.content)
  })

  it('is not found if the document has no such file, or no files', async () => {
    const { id } = await share()
    const text = await call('POST', '/v1/document', { content: '-- main.py --\n' })
    for (const path of [`${id}/main`, `${id}/Main.py`, `${id}/main.py/x`, `${text.body.data.id}/main.py`]) {
      expect(await get(`/r/${path}`)).toMatchObject({
        status: 404,
        text: 'File not found. The address without the name has all files of the document\n',
      })
      expect(await get(`/${path}`, CURL)).toMatchObject({
        status: 404,
        text: 'File not found. The address without the name has all files of the document\n',
      })
    }
    expect(await get('/r/2222bbbb/main.py')).toMatchObject({
      status: 404,
      text: 'Document not found. It may have expired or been deleted: check the address\n',
    })
  })

  it('counts a view, and a file that is not found counts none', async () => {
    const { id } = await share()
    await get(`/r/${id}/main.py`)
    await get(`/r/${id}/other`)
    await get(`/r/${id}/main.py`, {}, 'HEAD')
    expect((await read(id)).body.data.views).toBe(2)
  })

  it('has lines, bytes, a length and an entity tag', async () => {
    const { id, key } = await share()
    const path = `/r/${id}/main.py`
    expect(await get(`${path}?lines=2-3`)).toMatchObject({ status: 200, text: 'two\nthree\n' })
    expect(await get(`${path}?lines=4`)).toMatchObject({ status: 416 })
    const part = await get(path, { Range: 'bytes=4-6' })
    expect(part).toMatchObject({ status: 206, text: 'two' })
    expect(part.headers.get('Content-Range')).toBe('bytes 4-6/14')
    expect((await get(path, { Range: 'bytes=14-' })).headers.get('Content-Range')).toBe('bytes */14')
    const head = await get(path, {}, 'HEAD')
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers.get('Content-Length')).toBe('14')
    const tag = { 'If-None-Match': head.headers.get('ETag') ?? '' }
    expect(await get(path, tag)).toMatchObject({ status: 304, text: '' })
    await edit({ id, files: FILES.slice(1) }, { key })
    expect((await get(path, tag)).status).toBe(404)
  })

  it('of an encrypted document takes the password', async () => {
    const { id } = await share({ encrypted: true, password: 'secret' })
    const path = `/r/${id}/main.py`
    expect((await get(path)).status).toBe(400)
    expect((await get(path, { 'X-Document-Password': 'wrong' })).status).toBe(400)
    const answer = await get(path, { 'X-Document-Password': 'secret' })
    expect(answer).toMatchObject({ status: 200, text: FILES[0]?.content })
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
  })

  it('of a document that burns is as secret as the document', async () => {
    const { id, key } = await share({ instant_delete: true })
    const explained = await get(`/r/${id}/main.py`)
    expect(explained.text).toContain(`curl -X POST`)
    expect(explained.text).toBe((await get(`/r/${id}`)).text)
    expect((await get(`/${id}/main.py`, CURL)).text).toBe(explained.text)
    expect((await get(`/r/${id}/main.py`, { Authorization: key })).text).toBe(FILES[0]?.content)
    expect((await read(id)).status).toBe(200)
  })
})
