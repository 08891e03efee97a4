import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { call, create } from '../../support/client.ts'

describe('/v1/user', () => {
  it('is an alias of /v1/users', async () => {
    const { key, username } = await account()
    await create('x', {}, { key })
    for (const path of ['@me', '@me/recent', '@me/documents', `search/${username}`, username]) {
      const [alias, original] = await Promise.all(
        ['user', 'users'].map((name) => call('GET', `/v1/${name}/${path}`, undefined, { key })),
      )
      expect(alias?.status).toBe(200)
      expect(alias?.body).toEqual(original?.body)
    }
  })

  it('lists the newest documents under the name that old clients use', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    for (const path of ['/v1/user/@me/recentDocuments', '/v1/users/@me/recentDocuments']) {
      const { body } = await call<{ id: string }[]>('GET', path, undefined, { key })
      expect(body.data.map((document) => document.id)).toEqual([id])
    }
  })

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
