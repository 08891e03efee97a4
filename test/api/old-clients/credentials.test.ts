import { describe, expect, it } from 'vitest'
import { account, session } from '../../support/accounts.ts'
import { call, create, edit, read, remove } from '../../support/client.ts'
import { expectError } from '../../support/expect.ts'

const withAuthorization = (Authorization: string) => ({ headers: { Authorization } })

describe('a credential', () => {
  it.each(['', ' ', 'null', 'undefined', 'Bearer', 'Bearer null', 'bearer undefined'])(
    'counts as absent if it is what clients without a key send: %j',
    async (value) => {
      const options = withAuthorization(value)
      const { id, creator } = await create('x', undefined, options)
      expect(creator).toBeNull()
      expect((await read(id, options)).status).toBe(200)
      expectError(await edit({ id, content: 'y' }, options), 401, 'Unauthorized')
      expectError(await remove(id, options), 401, 'Unauthorized')
      expectError(await call('GET', '/v1/users/@me', undefined, options), 401, 'Unauthorized')
    },
  )

  it('does not hide the session of a browser if it counts as absent', async () => {
    const own = await account()
    const headers = { ...(await session(own)), Authorization: 'null' }
    expect((await create('x', undefined, { headers })).creator).toMatchObject({ username: own.username })
  })

  it.each(['Bearer', 'bearer', 'BEARER'])('may follow a scheme: %s', async (scheme) => {
    const { key, username } = await account()
    const options = withAuthorization(`${scheme}  ${key} `)
    const { id, creator } = await create('x', { language: 'json' }, options)
    expect(creator).toMatchObject({ username })
    expect((await edit({ id, content: 'y' }, options)).status).toBe(200)
    expect((await remove(id, options)).status).toBe(204)
  })

  it('can be replaced if it follows a scheme', async () => {
    const { key } = await account()
    const path = '/v1/users/@me/regenerate_api_token'
    const { status, body } = await call<{ api_token: string }>('POST', path, undefined, {
      headers: { Authorization: `Bearer ${key}` },
    })
    expect(status).toBe(200)
    expect((await call('GET', '/v1/users/@me', undefined, { key })).status).toBe(401)
    const { api_token } = body.data
    expect((await call('GET', '/v1/users/@me', undefined, { key: api_token })).status).toBe(200)
  })

  it.each([
    'Null',
    'none',
    'None',
    'nullundefined',
    'Bearer x',
    'Bearer Bearer',
    'Basic aW1wZXJpYWw6',
    'Token null',
  ])('is refused on create, edit and delete if it is anything else: %s', async (value) => {
    const { id } = await create('x')
    const options = withAuthorization(value)
    expectError(await call('POST', '/v1/document', { content: 'x' }, options), 401, 'Unauthorized')
    expectError(await edit({ id, content: 'y' }, options), 401, 'Unauthorized')
    expectError(await remove(id, options), 401, 'Unauthorized')
    expect((await read(id, options)).status).toBe(200)
  })

  it('is refused without a space between the scheme and the key', async () => {
    const { key } = await account()
    const answer = await call('POST', '/v1/document', { content: 'x' }, withAuthorization(`Bearer${key}`))
    expectError(answer, 401, 'Unauthorized')
  })
})
