import { describe, expect, it } from 'vitest'
import { account, session } from '../support/accounts.ts'
import { create, createAnonymous, ORIGIN, read, send } from '../support/client.ts'
import { CURL, curl, multipart } from './support.ts'

describe('the address of a document', () => {
  it.each([
    ['curl and wget', CURL],
    ['busybox wget, which accepts nothing by name', { 'User-Agent': 'Wget' }],
    ['Go', { 'User-Agent': 'Go-http-client/1.1' }],
    ['a program that gives no name', { 'User-Agent': '' }],
    [
      'an agent that asks for Markdown as a browser does for pages',
      {
        'User-Agent':
          'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
        Accept: 'text/markdown, text/html;q=0.9, */*;q=0.8',
      },
    ],
    ['a search engine that asks for Markdown', { 'User-Agent': 'bingbot/2.0', Accept: 'text/markdown' }],
    ['whoever asks for text', { 'User-Agent': 'Mozilla/5.0', Accept: 'text/plain' }],
  ])('is its text for %s', async (_, headers) => {
    const { id } = await create('<b>text</b>\r\n\0')
    const answer = await send(`/${id}`, { headers })
    expect(answer.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('Vary')).toBe('Accept, User-Agent')
    expect(answer.headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox")
    expect(answer.headers.get('ETag')).toMatch(/^"raw-/)
    expect(await answer.text()).toBe('<b>text</b>\r\n\0')
    expect((await read(id)).body.data.views).toBe(2)
  })

  it.each([
    ['a browser', { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)', Accept: 'text/html,*/*;q=0.8' }],
    ['a search engine', { 'User-Agent': 'Mozilla/5.0 (compatible; bingbot/2.0)', Accept: '*/*' }],
    ["Facebook's preview", { 'User-Agent': 'facebookexternalhit/1.1', Accept: '*/*' }],
    [
      "Slack's preview",
      { 'User-Agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', Accept: '*/*' },
    ],
    ["WhatsApp's preview", { 'User-Agent': 'WhatsApp/2.23.20.0', Accept: '*/*' }],
    ["Telegram's preview", { 'User-Agent': 'TelegramBot (like TwitterBot)' }],
    ['a browser that gives no name', { Accept: 'text/html' }],
  ])('is its page for %s', async (_, headers) => {
    const { id } = await create('text')
    for (const path of [`/${id}`, '/']) {
      const answer = await send(path, { headers })
      expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('Vary')).toBe('Accept, User-Agent')
    }
  })

  it('may end in a file extension', async () => {
    const { id } = await create('text')
    expect((await curl(`/${id}.py`)).text).toBe('text')
  })

  it('answers HEAD and If-None-Match without counting a view', async () => {
    const { id } = await create('text')
    const head = await curl(`/${id}`, { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, text: '' })
    const headers = { 'If-None-Match': head.headers.get('ETag') ?? '' }
    const fresh = await curl(`/${id}`, { headers })
    expect(fresh).toMatchObject({ status: 304, text: '' })
    expect(fresh.headers.get('Vary')).toBe('Accept, User-Agent')
    expect((await read(id)).body.data.views).toBe(1)
  })

  it('takes the password of an encrypted document', async () => {
    const { key } = await account()
    const { id, password = '' } = await create('secret', { encrypted: true }, { key })
    expect((await curl(`/${id}`)).text).toMatch(/^eyJ/)
    expect((await curl(`/${id}?password=${password}`)).text).toBe('secret')
    expect((await curl(`/${id}`, { headers: { 'X-Document-Password': password } })).text).toBe('secret')
    expect(
      (await curl(`/${id}`, { method: 'POST', ...multipart([['name="password"', password]]) })).text,
    ).toBe('secret')
    expect(await curl(`/${id}?password=wrong`)).toMatchObject({
      status: 400,
      text: "Invalid password. Send it in a header: -H 'X-Document-Password: ...'\n",
    })
  })

  it.each([
    ['GET', '/xxxxxxxx', 404, 'Document not found. It may have expired or been deleted: check the address\n'],
    [
      'GET',
      '/not.a-document',
      404,
      'Document not found. It may have expired or been deleted: check the address\n',
    ],
    ['GET', '/no/such/path', 404, 'Route not found. Check the address: / says which there are\n'],
    [
      'POST',
      '/xxxxxxxx',
      404,
      'Document not found. It may have expired or been deleted: check the address\n',
    ],
    ['PATCH', '/xxxxxxxx', 405, 'Method not allowed. This address takes GET, HEAD, POST, PUT, DELETE\n'],
    ['DELETE', '/', 405, 'Method not allowed. This address takes GET, HEAD, POST, PUT\n'],
    ['PUT', '/xxxxxxxx/a.py', 405, 'Method not allowed. This address takes GET, HEAD\n'],
    ['DELETE', '/about', 405, 'Method not allowed. This address takes GET, HEAD\n'],
    ['GET', '/@nobody', 404, 'Route not found. Check the address: / says which there are\n'],
  ])('answers errors in one line: %s %s', async (method, path, status, text) => {
    const answer = await curl(path, { method })
    expect(answer).toMatchObject({ status, text })
    expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/)
  })

  it('says which methods it has', async () => {
    expect((await curl('/xxxxxxxx', { method: 'PATCH' })).headers.get('Allow')).toBe(
      'GET, HEAD, POST, PUT, DELETE',
    )
    expect((await curl('/', { method: 'DELETE' })).headers.get('Allow')).toBe('GET, HEAD, POST, PUT')
  })
})

describe('a document that burns after reading', () => {
  it('stays until somebody posts to its address', async () => {
    const { key } = await account()
    const { id } = await create('once', { instant_delete: true }, { key })
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, text } = await curl(`/${id}`, { method })
      expect(status).toBe(200)
      if (method === 'GET')
        expect(text).toBe(`Reading this document deletes it. To read it: curl -X POST ${ORIGIN}/r/${id}\n`)
    }
    expect((await curl(`/${id}?lines=1`, { method: 'POST' })).status).toBe(400)
    expect(await curl(`/${id}`, { method: 'POST' })).toMatchObject({ status: 200, text: 'once' })
    expect((await curl(`/${id}`, { method: 'POST' })).status).toBe(404)
  })

  it('is read by the holder of its token at any time', async () => {
    const created = await curl('/?burn', { body: 'mine' })
    const id = created.text.trim().slice(-8)
    const headers = { 'X-Document-Token': created.headers.get('X-Document-Token') ?? '' }
    for (let times = 0; times < 2; times++) expect((await curl(`/${id}`, { headers })).text).toBe('mine')
  })
})

describe('some lines of a document', () => {
  const TEXT = 'one\ntwo\r\nthree\n'

  it.each([
    ['1', 'one\n'],
    ['2-3', 'two\r\nthree\n'],
    ['L2-L3', 'two\r\nthree\n'],
    ['2-', 'two\r\nthree\n'],
    ['3-900', 'three\n'],
  ])('are those of ?lines=%s', async (lines, text) => {
    const { id } = await create(TEXT)
    for (const path of [`/${id}`, `/r/${id}`])
      expect(await curl(`${path}?lines=${lines}`)).toMatchObject({ status: 200, text })
  })

  it.each(['', '0', '3-2', 'x', '-3', '1,2', '1-2-3', '99999999999'])(
    'are refused for ?lines=%s',
    async (lines) => {
      const { id } = await create(TEXT)
      expect(await curl(`/${id}?lines=${lines}`)).toMatchObject({
        status: 400,
        text: 'Write lines as 10-40, 10- or 10. The first line is 1\n',
      })
      expect((await read(id)).body.data.views).toBe(1)
    },
  )

  it('are 416 after the end of the text', async () => {
    const { id } = await create(TEXT)
    const { status, text, headers } = await curl(`/r/${id}?lines=4-9`)
    expect({ status, text }).toEqual({
      status: 416,
      text: 'This document has 3 lines. Ask for some of them, or leave out lines\n',
    })
    expect(headers.get('Content-Range')).toBe('lines */3')
    expect((await curl(`/${(await create('x')).id}?lines=2`)).text).toBe(
      'This document has 1 line. Ask for some of them, or leave out lines\n',
    )
  })

  it('are found in a long text', async () => {
    const { id } = await create('😀 line\n'.repeat(900_000))
    expect((await curl(`/${id}?lines=899999-`)).text).toBe('😀 line\n😀 line\n')
  })

  it('are taken from the decrypted text', async () => {
    const { key } = await account()
    const { id, password = '' } = await create(TEXT, { encrypted: true }, { key })
    expect((await curl(`/${id}?lines=2&password=${password}`)).text).toBe('two\r\n')
    expect(await curl(`/${id}?lines=2`)).toMatchObject({
      status: 400,
      text: "This document needs its password. Send it in a header: -H 'X-Document-Password: ...'\n",
    })
  })
})

describe('DELETE of a document', () => {
  it('takes its token', async () => {
    const { id, headers } = await createAnonymous('x')
    const wrong = { 'X-Document-Token': `regent_doc_${'a'.repeat(36)}` }
    expect(await curl(`/${id}`, { method: 'DELETE' })).toMatchObject({
      status: 401,
      text: "To delete a document, send its token or an API key: -H 'X-Document-Token: ...' or -H 'Authorization: imperial_...'\n",
    })
    expect((await curl(`/${id}`, { method: 'DELETE', headers: wrong })).status).toBe(403)
    expect(await curl(`/${id}`, { method: 'DELETE', headers })).toMatchObject({ status: 204, text: '' })
    expect((await curl(`/${id}`)).status).toBe(404)
  })

  it("takes the key of its creator, and no session's cookie", async () => {
    const creator = await account()
    const { id } = await create('x', undefined, { key: creator.key })
    const { Cookie } = await session(creator)
    expect((await curl(`/${id}`, { method: 'DELETE', headers: { Cookie } })).status).toBe(401)
    const { key } = await account()
    expect(await curl(`/${id}`, { method: 'DELETE', headers: { Authorization: key } })).toMatchObject({
      status: 403,
      text: "You do not own this document. Send the key of its creator, or its token: -H 'X-Document-Token: ...'\n",
    })
    expect((await curl(`/${id}`, { method: 'DELETE', headers: { Authorization: creator.key } })).status).toBe(
      204,
    )
  })
})

describe('the manual', () => {
  it("takes the place of the home page, with this server's address", async () => {
    const { status, text, headers } = await curl('/')
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(text).toContain(`curl -T main.py ${ORIGIN}/`)
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(await curl('/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  })
})
