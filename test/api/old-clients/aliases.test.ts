import { describe, expect, it } from 'vitest'
import { call } from '../../support/client.ts'

describe('/v1/user', () => {
  it.each([
    ['POST', '@me', 405, 'GET, HEAD'],
    ['DELETE', '@me/recentDocuments', 405, 'GET, HEAD'],
    ['PATCH', 'search/x', 405, 'GET, HEAD'],
    ['GET', '@me/regenerate_api_token', 405, 'POST'],
    ['GET', '@me/nothing', 404, null],
    ['GET', 'nobody-at-all', 404, null],
    ['GET', '', 404, null],
  ])('refuses as /v1/users does: %s %s', async (method, path, status, allow) => {
    for (const name of ['user', 'users']) {
      const answer = await call(method, `/v1/${name}/${path}`)
      expect({ status: answer.status, allow: answer.headers.get('Allow') }).toEqual({ status, allow })
      expect(answer.body.success).toBe(false)
    }
  })
})
