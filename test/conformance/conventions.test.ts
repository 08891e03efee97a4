import { describe, expect } from 'vitest'
import { clause } from './support/clause.ts'
import { aTime, expectError } from './support/expect.ts'

const ROUTES = [
  ['/v1', 'GET, HEAD'],
  ['/v1/document', 'PATCH, POST'],
  ['/v1/document/xxxxxxxx', 'DELETE, GET, HEAD'],
  ['/v1/document/xxxxxxxx/claim', 'GET, HEAD, POST'],
  ['/v1/users/@me', 'GET, HEAD'],
  ['/v1/users/@me/recent', 'GET, HEAD'],
  ['/v1/users/@me/documents', 'GET, HEAD'],
  ['/v1/users/@me/regenerate_api_token', 'POST'],
] as const

describe('Conventions', () => {
  clause('conventions.success', 'A successful response is {success: true, data}', async (api) => {
    const answer = await api.send('GET', '/v1')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ success: true, data: expect.any(Object) })
  })

  clause('conventions.error', 'An error is {success: false, error: {code, message}}', async (api) => {
    const answer = await api.read('xxxxxxxx')
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({
      success: false,
      error: { code: 'not_found', message: 'Document not found' },
    })
  })

  clause(
    'conventions.json',
    'Bodies are application/json, and browsers may not guess another type',
    async (api) => {
      for (const path of ['/v1', '/v1/document/xxxxxxxx']) {
        const answer = await api.send('GET', path)
        expect(answer.header('Content-Type')).toMatch(/^application\/json\b/)
        expect(answer.header('X-Content-Type-Options')).toBe('nosniff')
      }
    },
  )

  clause('conventions.greeting', 'GET /v1 gets a 200 with a greeting', async (api) => {
    const answer = await api.send('GET', '/v1')
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({ message: expect.stringMatching(/./) })
  })

  clause(
    'conventions.unknown-route',
    'An unknown path under /v1 gets a 404 "Route not found"',
    async (api) => {
      for (const path of ['/v1/nothing', '/v1/document/xxxxxxxx/nothing', '/v1/users/@me/nothing']) {
        expectError(await api.send('GET', path), 404, 'Route not found')
      }
    },
  )

  for (const [path, methods] of ROUTES) {
    clause(
      `conventions.methods ${path}`,
      `Any method other than ${methods} gets a 405 with these methods in Allow`,
      async (api) => {
        // Without a body: nothing reads it, and development servers may then lose the connection.
        const answer = await api.send('PUT', path)
        expectError(answer, 405, 'Method not allowed')
        expect(answer.header('Allow').split(', ').sort().join(', ')).toBe(methods)
      },
    )
  }

  clause(
    'conventions.alias',
    '/v1/documents is an alias of /v1/document, for every method and path',
    async (api) => {
      api.needAnonymousDocuments()
      const path = '/v1/documents'
      const created = await api.send('POST', path, { json: { content: 'alias' } })
      api.deleteLater(created)
      const { id } = created.document
      const headers = { 'X-Document-Token': created.header('X-Document-Token') }
      expect((await api.send('GET', `${path}/${id}`)).document.content).toBe('alias')
      expect((await api.send('HEAD', `${path}/${id}`)).status).toBe(200)
      const edited = await api.send('PATCH', path, { headers, json: { id, content: 'edited' } })
      expect(edited.document.content).toBe('edited')
      expectError(await api.send('GET', `${path}/${id}/claim`), 404, 'Document not found')
      expect((await api.send('DELETE', `${path}/${id}`, { headers })).status).toBeLessThan(300)
      expect((await api.read(id)).status).toBe(404)
    },
  )

  clause('conventions.unknown-members', 'Unknown fields of a body are ignored', async (api) => {
    const key = api.needAccount()
    const answer = await api.post(
      { content: 'text', nonsense: { a: 1 }, settings: { language: 'css', nonsense: true } },
      { key },
    )
    expect(answer.document.settings).toMatchObject({ language: 'css' })
    expect(answer.document.settings).not.toHaveProperty('nonsense')
    const edited = await api.edit({ id: answer.document.id, nonsense: 1, settings: { nonsense: 1 } }, { key })
    expect(edited.document.content).toBe('text')
  })

  clause(
    'conventions.null',
    'A setting that is null, and settings: null, mean the same as leaving it out',
    async (api) => {
      api.needAnonymousDocuments()
      expect((await api.post({ content: 'text', settings: null })).status).toBe(200)
      const names = ['title', 'language', 'image_embed', 'instant_delete', 'encrypted', 'password', 'public']
      const others = ['long_urls', 'short_urls', 'create_gist', 'editors', 'client_encrypted', 'claim_hash']
      const settings = Object.fromEntries([...names, ...others].map((name) => [name, null]))
      expect((await api.post({ content: 'text', settings })).document.settings).toMatchObject({
        language: 'plaintext',
        instant_delete: false,
        encrypted: false,
      })
    },
  )

  clause('conventions.times', 'Times are ISO 8601 in UTC, with milliseconds', async (api) => {
    const key = api.needAccount()
    const { timestamps } = await api.create(key)
    expect(timestamps).toEqual({ creation: aTime(), expiration: aTime() })
  })

  clause('conventions.request-id', 'Every response has its own X-Request-Id', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key)
    const preflight = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'PATCH' }
    const answers = [
      await api.send('GET', '/v1'),
      await api.send('GET', '/v1/nothing'),
      await api.send('OPTIONS', '/v1/document', { headers: preflight }),
      await api.head(id),
      await api.read(id),
      await api.remove(id, { key }),
    ]
    const ids = answers.map((answer) => answer.header('X-Request-Id'))
    expect(ids).not.toContain('')
    expect(new Set(ids).size).toBe(answers.length)
  })

  clause('conventions.no-store', 'Errors have Cache-Control: no-store', async (api) => {
    for (const answer of [
      await api.read('xxxxxxxx'),
      await api.send('GET', '/v1/nothing'),
      await api.send('PUT', '/v1/document'),
      await api.edit({}),
    ]) {
      expect(answer.header('Cache-Control')).toBe('no-store')
    }
  })
})

const ORIGIN = 'https://elsewhere.example'

const preflight = (method: string) => ({
  headers: {
    Origin: ORIGIN,
    'Access-Control-Request-Method': method,
    'Access-Control-Request-Headers': 'content-type',
  },
})

describe('CORS', () => {
  clause('cors.origin', 'Pages of any origin may read every response, including errors', async (api) => {
    for (const answer of [
      await api.send('GET', '/v1', { headers: { Origin: ORIGIN } }),
      await api.read('xxxxxxxx', { headers: { Origin: ORIGIN } }),
      await api.send('PUT', '/v1', { headers: { Origin: ORIGIN } }),
    ]) {
      expect(answer.header('Access-Control-Allow-Origin')).toBe('*')
    }
  })

  clause('cors.credentials', 'Browsers may not send cookies from other origins', async (api) => {
    for (const answer of [
      await api.send('GET', '/v1', { headers: { Origin: ORIGIN } }),
      await api.send('OPTIONS', '/v1/document', preflight('POST')),
    ]) {
      expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    }
  })

  clause('cors.exposed', 'Pages may read the headers that clients need', async (api) => {
    for (const answer of [await api.send('GET', '/v1'), await api.read('xxxxxxxx')]) {
      expect(answer.list('Access-Control-Expose-Headers')).toEqual(
        expect.arrayContaining([
          'etag',
          'ratelimit',
          'ratelimit-policy',
          'retry-after',
          'x-document-token',
          'x-request-id',
        ]),
      )
    }
  })

  clause('cors.preflight', 'A preflight request gets a 204 without a body', async (api) => {
    for (const path of ['/v1/document', '/v1/document/xxxxxxxx', '/v1/users/@me']) {
      const answer = await api.send('OPTIONS', path, preflight('DELETE'))
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' })
      expect(answer.header('Access-Control-Allow-Origin')).toBe('*')
    }
  })

  clause('cors.methods', 'A preflight allows GET, HEAD, POST, PATCH and DELETE', async (api) => {
    const answer = await api.send('OPTIONS', '/v1/document', preflight('PATCH'))
    expect(answer.list('Access-Control-Allow-Methods').sort()).toEqual([
      'delete',
      'get',
      'head',
      'patch',
      'post',
    ])
  })

  clause('cors.headers', 'A preflight allows the request headers of the API', async (api) => {
    const answer = await api.send('OPTIONS', '/v1/document', preflight('PATCH'))
    expect(answer.list('Access-Control-Allow-Headers')).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'idempotency-key',
        'if-match',
        'if-none-match',
        'x-document-password',
        'x-document-token',
      ]),
    )
  })
})
