import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { listRoutes } from '../../src/app.ts'
import { runScheduled } from '../../src/scheduled.ts'
import { READ_ONLY_MESSAGE } from '../../src/shared/error-codes.ts'
import { account, session } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { call, create, createAnonymous, edit, ORIGIN, read, send, withVars } from '../support/client.ts'
import { toPath } from '../support/routes.ts'
import { listStoredKeys } from '../support/storage/contents.ts'
import { copyDatabase } from '../support/storage/time-travel.ts'
import { startEmpty } from '../support/storage/wipe.ts'

const bindings = withVars({ SERVER_MODE: 'read-only' })

const BROWSER = { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0 AppleWebKit/537.36' }

/** Forms that change nothing on the server. */
const READING = [
  'POST /theme',
  'POST /mcp',
  'POST /device',
  'POST /device/download',
  'POST /device/download/zip',
  'POST /r/:id',
  'POST /raw/:id',
  'POST /:address',
  'POST /:id/manage',
  'DELETE /:id/manage',
]

const ROUTES = [
  ...new Set(
    (await listRoutes())
      // Drawing a picture takes long, and writes nothing.
      .filter(({ path, method }) => method !== 'ALL' && !path.endsWith('*') && !path.endsWith('.png'))
      .map(({ path, method }) => `${method} ${path}`),
  ),
]

describe('a server that is read-only', () => {
  beforeAll(startEmpty)

  it('changes nothing at any route, and answers every one that writes with 503 and a sentence', async () => {
    const admin = await account({ flags: 1 | 8 })
    const { id } = await create('a text', {}, { key: admin.key })
    await edit({ id, content: 'another text' }, { key: admin.key })
    const burning = await create('a secret', { instant_delete: true }, { key: admin.key })
    const cookies = await session(admin)
    const [before, keys] = [await copyDatabase(), await listStoredKeys()]
    expect(ROUTES.length).toBeGreaterThan(100)
    for (const route of ROUTES) {
      const [method = '', pattern = ''] = route.split(' ')
      const isRead = method === 'GET' || READING.includes(route)
      const identity = pattern.startsWith('/v1') ? { Authorization: admin.key } : { ...cookies, ...BROWSER }
      // Reading the second one would delete it.
      for (const [documentId, headers] of [[id, identity] as const, [burning.id, {}] as const]) {
        const response = await send(
          toPath(pattern, { id: documentId, username: admin.username }),
          {
            method,
            body: method === 'GET' || method === 'DELETE' ? null : 'content=x',
            headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: ORIGIN, ...headers },
            redirect: 'manual',
          },
          { bindings },
        )
        const text = new TextDecoder().decode(await response.arrayBuffer())
        if (isRead && response.status !== 503) continue
        const saysSo = text.replaceAll('&#39;', "'").includes(READ_ONLY_MESSAGE)
        const outcome = `${route} ${response.status} ${saysSo} ${response.headers.get('Retry-After')}`
        expect(outcome).toBe(`${route} 503 true 300`)
      }
    }
    expect(await copyDatabase()).toEqual(before)
    expect(await listStoredKeys()).toEqual(keys)
  })

  it('still answers reads, and counts no views', async () => {
    const { key } = await account()
    const { id } = await create('a text', {}, { key })
    const answer = await read(id, { bindings, settle: true })
    expect(answer).toMatchObject({ status: 200, body: { data: { content: 'a text' } } })
    for (const path of [`/${id}`, `/r/${id}`, '/', '/explore', `/${id}.md`]) {
      expect((await send(path, { headers: BROWSER }, { bindings })).status).toBe(200)
    }
    expect((await call('GET', '/v1/users/@me/documents', undefined, { key, bindings })).status).toBe(200)
    const row = await env.DB.prepare('SELECT views FROM documents WHERE id = ?1').bind(id).first()
    expect(row).toEqual({ views: 0 })
  })

  it('burns nothing, so that nobody gets what others may read later', async () => {
    const { key } = await account()
    const { id } = await create('a secret', { instant_delete: true }, { key })
    const refused = await read(id, { bindings })
    expect(refused.status).toBe(503)
    expect(refused.body.error).toMatchObject({ code: 'unavailable', message: READ_ONLY_MESSAGE })
    expect((await read(id)).body.data.content).toBe('a secret')
  })

  it('tells programs, forms and scripts in their own form', async () => {
    const { id, headers } = await createAnonymous('a text')
    const json = await call('POST', '/v1/document', { content: 'x' }, { bindings })
    expect(json).toMatchObject({
      status: 503,
      body: { error: { code: 'unavailable', message: READ_ONLY_MESSAGE } },
    })
    expect((await call('DELETE', `/v1/document/${id}`, undefined, { headers, bindings })).status).toBe(503)
    const curl = await send(
      '/',
      { method: 'POST', body: 'x', headers: { 'User-Agent': 'curl/8.5.0' } },
      { bindings },
    )
    expect(await curl.text()).toBe(`${READ_ONLY_MESSAGE}. Try again later\n`)
    const page = await send(
      '/sign-in',
      { method: 'POST', headers: { ...BROWSER, Origin: ORIGIN } },
      { bindings },
    )
    expect(page.status).toBe(503)
    const html = await page.text()
    expect(html).toContain('Read-only for maintenance')
    expect(
      (await (await send('/', { headers: BROWSER }, { bindings })).text()).includes(READ_ONLY_MESSAGE),
    ).toBe(true)
    expect((await (await send('/', { headers: BROWSER })).text()).includes(READ_ONLY_MESSAGE)).toBe(false)
  })

  it('is healthy, says so, and runs no jobs', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    const silent = bindingsWith(
      async (name) => {
        throw new Error(`${name} mustn't be called`)
      },
      { SERVER_MODE: 'read-only' },
    )
    for (const cron of ['* * * * *', '*/5 * * * *']) {
      const controller = { scheduledTime: Date.now(), cron, noRetry: () => {} }
      await runScheduled(controller, silent)
    }
    expect(String(log.mock.calls[0]?.[0])).toContain('scheduled jobs paused')
    log.mockRestore()
    const response = await send('/health', {}, { bindings })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      status: 'ok',
      mode: 'read-only',
      cleanup: { status: 'paused' },
    })
  })
})
