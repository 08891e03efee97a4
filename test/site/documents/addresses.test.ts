import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { create, createAnonymous, read, send } from '../../support/client.ts'

async function redirect(path: string, method = 'GET') {
  const { status, headers } = await send(path, { method, redirect: 'manual' })
  return { status, location: headers.get('Location'), cache: headers.get('Cache-Control') }
}

describe('an altered address', () => {
  it.each([
    ['/abcd2345)', '/abcd2345'],
    ['/abcd2345,', '/abcd2345'],
    ['/abcd2345>', '/abcd2345'],
    ['/abcd2345%3E', '/abcd2345'],
    ['/abcd2345%2C', '/abcd2345'],
    ['/abcd2345;', '/abcd2345'],
    ['/abcd2345:', '/abcd2345'],
    ['/abcd2345!', '/abcd2345'],
    ["/abcd2345'", '/abcd2345'],
    ['/abcd2345"', '/abcd2345'],
    ['/abcd2345”', '/abcd2345'],
    ['/abcd2345。', '/abcd2345'],
    ['/abcd2345]', '/abcd2345'],
    ['/abcd2345)**', '/abcd2345'],
    ['/abcd2345_', '/abcd2345'],
    ['/abcd2345%20', '/abcd2345'],
    ['/abcd2345&utm_source=x', '/abcd2345'],
    ['/abcd2345),', '/abcd2345'],
    ['/abcd2345.py)', '/abcd2345.py'],
    ['/abcd2345)?view=source', '/abcd2345?view=source'],
    ['//abcd2345', '/abcd2345'],
    ['///abcd2345', '/abcd2345'],
    ['//evil.example', '/evil.example'],
    ['/r/abcd2345,', '/r/abcd2345'],
    ['/about).', '/about'],
    ['/abcd2345%23opensesame', '/abcd2345#opensesame'],
    ['/abcd2345%2523open%20sesame', '/abcd2345#open%20sesame'],
    ['/abcd2345%23L10-L12', '/abcd2345#L10-L12'],
    ['/abcd2345%23opensesame?utm_source=x', '/abcd2345?utm_source=x#opensesame'],
  ])('%s is redirected to %s', async (path, location) => {
    const expected = { status: 302, location, cache: 'no-store' }
    expect(await redirect(path)).toEqual(expected)
    expect(await redirect(path, 'HEAD')).toEqual(expected)
  })

  it.each(['/abc)', '/abcd2345%2Fedit', '/abcd2345%5Cedit', '//evil.example/x', '/about-us', '/snake_case'])(
    '%s isn’t one',
    async (path) => {
      expect((await redirect(path)).location).toBeNull()
    },
  )

  it('of a request that changes something isn’t followed', async () => {
    const { id } = await create('x')
    expect((await redirect(`/${id})`, 'POST')).location).toBeNull()
  })

  it('leads to the document', async () => {
    const { id } = await create('text')
    const { location } = await redirect(`/${id}).`)
    expect((await send(location ?? '')).status).toBe(200)
  })
})

/** The header that differs in every response. */
const OWN = 'x-request-id'

async function get(path: string, init: RequestInit = {}) {
  const response = await send(path, init)
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== OWN))
  return { status: response.status, headers, text: await response.text() }
}

describe('/p/:id', () => {
  it.each([
    ['/p/abcd2345', '/abcd2345'],
    ['/p/abcd2345/', '/abcd2345'],
    ['/p/abcd2345.py', '/abcd2345.py'],
    ['/p/abcd2345?password=a%26b', '/abcd2345?password=a%26b'],
  ])('redirects %s to %s', async (path, location) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await send(path, { method })
      expect({ status: response.status, location: response.headers.get('Location') }).toEqual({
        status: 301,
        location,
      })
    }
  })

  it.each([
    '/p/abc',
    '/p/x%2Fy',
    '/p/%2Fevil.example',
    '/p/%5Cevil.example',
    '/p/about-us',
    '/p/abcd2345/edit',
    '/p',
  ])('is 404 for what is not the address of a document: %s', async (path) => {
    const response = await send(path)
    expect(response.status).toBe(404)
    expect(response.headers.get('Location')).toBeNull()
  })

  it('refuses other methods', async () => {
    const { status, headers } = await get('/p/abcd2345', { method: 'POST' })
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD' })
  })
})

describe('/raw/:id', () => {
  it('is an alias of /r/:id', async () => {
    const { key } = await account()
    const plain = await create('text')
    const jwe = await create('secret', { encrypted: true, password: 'opensesame' }, { key })
    const burned = await create('once', { instant_delete: true }, { key })
    const etag = (await get(`/r/${plain.id}`)).headers.etag ?? ''
    const requests: [string, RequestInit?][] = [
      [plain.id],
      [plain.id, { method: 'HEAD' }],
      [plain.id, { headers: { 'If-None-Match': etag } }],
      [plain.id, { method: 'POST' }],
      [plain.id, { method: 'DELETE' }],
      [plain.id, { method: 'OPTIONS' }],
      [plain.id, { headers: { Origin: 'https://elsewhere.example' } }],
      [jwe.id],
      [`${jwe.id}?password=opensesame`],
      [`${jwe.id}?password=wrong`],
      [jwe.id, { headers: { 'X-Document-Password': 'opensesame' } }],
      [burned.id],
      [burned.id, { headers: { Accept: 'text/html' } }],
      ['xxxxxxxx'],
      ['xxxxxxxx', { headers: { Accept: 'text/html' } }],
      ['not-an-id'],
    ]
    for (const [path, init] of requests) {
      const answered = await get(`/raw/${path}`, init)
      // The page that asks before a document burns shows its own address.
      const text = answered.text.replaceAll('/raw/', '/r/')
      expect({ ...answered, text }).toEqual(await get(`/r/${path}`, init))
    }
    expect(etag).toMatch(/^"raw-/)
    expect((await get(`/raw/${plain.id}`)).text).toBe('text')
    expect((await get(`/raw/${jwe.id}?password=opensesame`)).text).toBe('secret')
  })

  it('burns a burn-after-reading document only with POST', async () => {
    const { key } = await account()
    const { id } = await create('once', { instant_delete: true }, { key })
    expect((await get(`/raw/${id}`)).text).toContain('curl -X POST')
    expect((await get(`/raw/${id}`, { method: 'POST' })).text).toBe('once')
    expect((await read(id)).status).toBe(404)
  })
})

describe('scripts of other origins', () => {
  const Origin = 'https://elsewhere.example'

  it('may read /r/:id, including errors and a 304', async () => {
    const { key } = await account()
    const { id, headers: token } = await createAnonymous('x')
    const burned = await create('once', { instant_delete: true }, { key })
    const jwe = await create('secret', { encrypted: true, password: 'opensesame' }, { key })
    const { etag = '' } = (await get(`/r/${id}`)).headers
    const answers: [number, string, RequestInit][] = [
      [200, id, {}],
      [200, id, { method: 'HEAD' }],
      [200, id, { headers: { ...token } }],
      [304, id, { headers: { 'If-None-Match': etag } }],
      [404, 'xxxxxxxx', {}],
      [404, 'x', {}],
      [405, id, { method: 'DELETE' }],
      [400, `${jwe.id}?password=wrong`, {}],
      [200, burned.id, {}],
      [200, burned.id, { headers: { Accept: 'text/html' } }],
      [403, burned.id, { method: 'POST' }],
    ]
    for (const [expected, path, init] of answers) {
      const { status, headers } = await get(`/r/${path}`, {
        ...init,
        headers: { ...init.headers, Origin },
      })
      expect({ path, status, origin: headers['access-control-allow-origin'] }).toEqual({
        path,
        status: expected,
        origin: '*',
      })
      expect(headers['access-control-allow-credentials']).toBeUndefined()
      expect(headers['access-control-expose-headers']).toContain('ETag')
    }
    expect((await read(burned.id)).status).toBe(200)
  })

  it('may send a password to /r/:id', async () => {
    const response = await send('/r/abcd2345', {
      method: 'OPTIONS',
      headers: { Origin, 'Access-Control-Request-Method': 'GET' },
    })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(response.headers.get('Access-Control-Allow-Methods')?.split(/, ?/)).toEqual(['GET', 'HEAD'])
    expect(response.headers.get('Access-Control-Allow-Headers')?.split(/, ?/).sort()).toEqual([
      'If-None-Match',
      'X-Bookmark',
      'X-Document-Password',
      'X-Document-Token',
    ])
    expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})
