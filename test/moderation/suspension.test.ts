import { describe, expect, it } from 'vitest'
import { outlastRowMemory } from '../../src/documents/recent-documents.ts'
import { account, reinstate, session, suspend } from '../support/accounts.ts'
import { call, create, edit, ORIGIN, read, send, submit } from '../support/client.ts'

/** Requests that show a document, each with the method that it needs. */
const ROUTES: readonly (readonly [method: string, path: (id: string) => string])[] = [
  ['GET', (id) => `/v1/document/${id}`],
  ['HEAD', (id) => `/v1/document/${id}`],
  ['GET', (id) => `/v1/document/${id}/claim`],
  ['GET', (id) => `/${id}`],
  ['GET', (id) => `/${id}.py`],
  ['GET', (id) => `/r/${id}`],
  ['HEAD', (id) => `/r/${id}`],
  ['GET', (id) => `/raw/${id}`],
  ['GET', (id) => `/${id}/report`],
  ['POST', (id) => `/r/${id}`],
]

const getStatuses = (id: string, headers: Record<string, string> = {}) =>
  Promise.all(
    ROUTES.map(async ([method, path]) => {
      const { status } = await send(path(id), { method, headers: { Origin: ORIGIN, ...headers } })
      return `${method} ${path('ID')} ${status}`
    }),
  )

const NOT_FOUND = ROUTES.map(([method, path]) => `${method} ${path('ID')} 404`)

describe('suspending an account', () => {
  it('hides its documents on every route at once, and lifting it shows them again', async () => {
    const creator = await account()
    const { id } = await create('x', {}, { key: creator.key })
    const before = await getStatuses(id)
    expect(before).toContain('GET /r/ID 200')
    await suspend(creator)
    // The page that suspends waits for it, too, before it answers.
    await outlastRowMemory()
    expect(await getStatuses(id)).toEqual(NOT_FOUND)
    expect(await getStatuses(id, await session(await account()))).toEqual(NOT_FOUND)
    await reinstate(creator)
    expect(await getStatuses(id)).toEqual(before)
  })

  it('burns none of its documents, however they are read', async () => {
    const creator = await account()
    const { id } = await create('x', { instant_delete: true }, { key: creator.key })
    await suspend(creator)
    expect(await getStatuses(id)).toEqual(NOT_FOUND)
    await reinstate(creator)
    expect((await read(id)).body.data.content).toBe('x')
  })

  it('hides its documents from their editors, who can neither read, edit nor list them', async () => {
    const creator = await account()
    const editor = await account()
    const { id } = await create('a shared title', { editors: [editor.username] }, { key: creator.key })
    await suspend(creator)
    expect((await read(id, { key: editor.key })).status).toBe(404)
    expect((await edit({ id, content: 'y' }, { key: editor.key })).status).toBe(404)
    const shared = await send('/account/documents?scope=shared', { headers: await session(editor) })
    expect(await shared.text()).not.toContain('a shared title')
    await reinstate(creator)
    expect((await read(id, { key: editor.key })).body.data.content).toBe('a shared title')
  })

  it("doesn't let anyone report a document that nobody can see", async () => {
    const creator = await account()
    const { id } = await create('x', {}, { key: creator.key })
    await suspend(creator)
    expect((await submit(`/${id}/report`, { reason: 'spam' })).status).toBe(404)
  })

  it('leaves other documents as they are', async () => {
    const creator = await account()
    const other = await create('y', {}, { key: (await account()).key })
    const anonymous = await create('z')
    await suspend(creator)
    for (const { id } of [other, anonymous]) expect((await read(id)).status).toBe(200)
  })

  it('still shows its documents to staff, with their text, and burns nothing', async () => {
    const creator = await account()
    const { id } = await create('seen by staff', { instant_delete: true }, { key: creator.key })
    await suspend(creator)
    const headers = await session(await account({ flags: 1 | 8 }))
    const page = await send(`/moderation/${id}`, { headers })
    expect({ status: page.status, html: await page.text() }).toMatchObject({
      status: 200,
      html: expect.stringContaining('suspended'),
    })
    const text = await send(`/moderation/${id}/text`, { headers })
    expect({ status: text.status, text: await text.text() }).toEqual({ status: 200, text: 'seen by staff' })
    expect(text.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    await reinstate(creator)
    expect((await call('GET', `/v1/document/${id}`)).status).toBe(200)
  })
})
