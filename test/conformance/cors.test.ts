import { describe, expect } from 'vitest'
import { clause } from './support/clause.ts'

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
