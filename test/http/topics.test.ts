import { Hono } from 'hono'
import { describe, expect, test, vi } from 'vitest'
import type { AppEnv } from '../../src/env.ts'
import { answerByTopic, type Topic } from '../../src/http/topics.ts'

const routes = new Hono<AppEnv>().get('/about', (c) => c.text('About'))

const createApp = (load: Topic['load']) =>
  new Hono<AppEnv>()
    .all('/about', answerByTopic({ paths: ['/about'], load }))
    .onError((_, c) => c.text('', 503))

describe('a topic', () => {
  test('is loaded by the first request, and kept', async () => {
    const load = vi.fn(async () => ({ routes }))
    const app = createApp(load)
    expect(load).not.toHaveBeenCalled()
    for (let attempt = 1; attempt <= 2; attempt++) {
      expect(await (await app.request('/about')).text()).toBe('About')
    }
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('is loaded again after a failure', async () => {
    const load = vi.fn(async () => ({ routes })).mockRejectedValueOnce(new Error('The connection was lost'))
    const app = createApp(load)
    expect((await app.request('/about')).status).toBe(503)
    expect((await app.request('/about')).status).toBe(200)
  })

  test('waits for no other request, whose client may have hung up', async () => {
    const load = vi.fn(async () => ({ routes })).mockReturnValueOnce(new Promise(() => {}))
    const app = createApp(load)
    app.request('/about')
    expect((await app.request('/about')).status).toBe(200)
  })
})
