import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { call, create, edit, read } from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'

// What clients of the original service rely on. clients.test.ts sends their own requests. See also legacy-clients.test.ts.

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

describe('settings in camelCase', () => {
  it('work like the same settings in snake_case', async () => {
    const { key } = await account()
    const { id, settings } = await create(
      'x',
      { instantDelete: true, imageEmbed: true, longUrls: true },
      { key },
    )
    expect(settings).toMatchObject({ instant_delete: true, image_embed: true })
    expect(id).toHaveLength(36)
    expect((await read(id)).body.data.content).toBe('x')
    expect((await read(id)).status).toBe(404)
  })

  it('also work on edit', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const { body } = await edit({ id, settings: { instantDelete: true } }, { key })
    expect(body.data.settings.instant_delete).toBe(true)
  })

  it('are refused where settings in snake_case are', async () => {
    const body = { content: 'x', settings: { instantDelete: true } }
    expectError(await call('POST', '/v1/document', body), 401, 'Unauthorized')
    const { key } = await account()
    const invalid = { content: 'x', settings: { instantDelete: 'yes' } }
    expectInvalid(await call('POST', '/v1/document', invalid, { key }), ['settings', 'instant_delete'])
  })

  it('never override the present names', async () => {
    const { key } = await account()
    const sent = { instantDelete: true, instant_delete: false, imageEmbed: true, image_embed: null }
    const { settings } = await create('x', sent, { key })
    expect(settings).toMatchObject({ instant_delete: false, image_embed: true })
  })

  it('are ignored if no such setting exists', async () => {
    const settings = { longerUrls: true, toString: 'x', Encrypted: true }
    expect((await create('x', settings)).settings).toMatchObject({ encrypted: false, instant_delete: false })
    for (const odd of [[], 'json', 7]) {
      expectInvalid(await call('POST', '/v1/document', { content: 'x', settings: odd }), ['settings'])
    }
  })
})
