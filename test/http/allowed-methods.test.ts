import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/errors.ts'
import { rejectOtherMethods } from '../../src/http/answers.ts'

describe('rejectOtherMethods', () => {
  const respond = () => new Response('found')
  const app = new Hono()
    .onError((error) => {
      if (!(error instanceof AppError)) throw error
      return new Response(null, { status: error.status, headers: error.headers })
    })
    .route(
      '/named',
      rejectOtherMethods(new Hono().get('/', respond).post('/', respond).delete('/:id', respond)),
    )
    .route('/', rejectOtherMethods(new Hono().put('/:id', respond)))

  it.each([
    ['PUT', '/named', 'GET, HEAD, POST'],
    ['OPTIONS', '/named', 'GET, HEAD, POST'],
    ['GET', '/named/x', 'DELETE'],
    ['HEAD', '/named/x', 'DELETE'],
    ['POST', '/other', 'PUT'],
  ])('answers %s %s with 405 and the methods of its routes', async (method, path, allow) => {
    const { status, headers } = await app.request(path, { method })
    expect({ status, allow: headers.get('Allow') }).toEqual({ status: 405, allow })
  })

  it.each([
    ['GET', '/named'],
    ['HEAD', '/named'],
    ['DELETE', '/named/x'],
    ['PUT', '/other'],
  ])('leaves %s %s to its route', async (method, path) => {
    expect((await app.request(path, { method })).status).toBe(200)
  })

  it('leaves paths without a route alone', async () => {
    expect((await app.request('/no/such/path', { method: 'PUT' })).status).toBe(404)
  })
})
