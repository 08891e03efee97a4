import { beforeEach, describe, expect, it } from 'vitest'
import { type Account, account, session } from '../support/accounts.ts'
import { call, create, createAnonymous, edit, ORIGIN, read, remove, send } from '../support/client.ts'
import { LaggingCopy } from '../support/storage/lagging-copy.ts'

let copy: LaggingCopy
let creator: Account

beforeEach(async () => {
  copy = new LaggingCopy()
  creator = await account()
})

const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/

/** Returns the cookies that an answer sets, as the browser sends them back. */
const getCookies = (response: Response): string[] =>
  response.headers.getSetCookie().map((cookie) => cookie.slice(0, cookie.indexOf(';')))

describe('the answer to a change', () => {
  it('has a bookmark, with which everybody sees the change', async () => {
    const { id } = await create('before', {}, { key: creator.key })
    await copy.catchUp()
    const edited = await edit({ id, content: 'after' }, { key: creator.key, ...copy })
    const bookmark = edited.headers.get('X-Bookmark') ?? ''
    expect(bookmark).toMatch(BOOKMARK)
    expect((await read(id, copy)).body.data.content).toBe('before')
    expect((await read(id, { headers: { 'X-Bookmark': bookmark }, ...copy })).body.data.content).toBe('after')
    const removed = await remove(id, { key: creator.key, ...copy })
    const headers = { 'X-Bookmark': removed.headers.get('X-Bookmark') ?? '' }
    expect((await read(id, { headers, ...copy })).status).toBe(404)
    expect(headers['X-Bookmark'] > bookmark).toBe(true)
  })

  it('has a bookmark if it repeats the answer to a create that was lost', async () => {
    const headers = { 'Idempotency-Key': 'key' }
    const createOnce = () =>
      call('POST', '/v1/document', { content: 'text' }, { key: creator.key, headers, ...copy })
    await copy.catchUp()
    const { id } = (await createOnce()).body.data
    const bookmark = (await createOnce()).headers.get('X-Bookmark') ?? ''
    expect(bookmark).toMatch(BOOKMARK)
    expect((await read(id, { headers: { 'X-Bookmark': bookmark }, ...copy })).status).toBe(200)
  })

  it('has no bookmark if nothing was changed', async () => {
    const { id } = await create('text', {}, { key: creator.key })
    const answers = [
      await read(id),
      await edit({ id, settings: {} }, { key: creator.key }),
      await edit({ id, content: 'more' }, { key: (await account()).key }),
      await remove('xxxxxxxx', { key: creator.key }),
    ]
    expect(answers.map(({ headers }) => headers.get('X-Bookmark'))).toEqual([null, null, null, null])
  })

  it('lets a copy answer that has the change', async () => {
    const { headers } = await edit(
      { id: (await create('before', {}, { key: creator.key })).id, content: 'after' },
      { key: creator.key },
    )
    const { id } = await create('text')
    await copy.catchUp()
    const bookmark = { 'X-Bookmark': headers.get('X-Bookmark') ?? '' }
    expect((await read(id, { headers: bookmark, ...copy })).status).toBe(200)
    expect(copy.calls).toBe(1)
  })

  it('sets a cookie for the pages of this site, without which they could show the state before', async () => {
    const { id, token } = await createAnonymous('before')
    await copy.catchUp()
    const body = JSON.stringify({ id, content: 'after' })
    const headers = { 'Content-Type': 'application/json', 'X-Document-Token': token }
    const fromPage = { method: 'PATCH', body, headers: { ...headers, Origin: ORIGIN } }
    const edited = await send('/v1/document', fromPage, copy)
    const [cookie = ''] = edited.headers.getSetCookie()
    expect(cookie).toMatch(
      /^__Host-regent\.bookmark=[0-9a-f-]+; Max-Age=180; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const show = async (init: RequestInit = {}) => (await send(`/${id}`, init, copy)).text()
    expect(await show()).toContain('before')
    expect(await show({ headers: { Cookie: getCookies(edited).join('; ') } })).toContain('after')
  })

  it('sets no cookie for programs, or for pages of other sites', async () => {
    const { id, headers } = await createAnonymous('before')
    for (const Origin of [undefined, 'https://other.example']) {
      const answer = await edit(
        { id, content: `from ${Origin}` },
        { headers: { ...headers, ...(Origin && { Origin }) } },
      )
      expect(answer.headers.get('X-Bookmark')).toMatch(BOOKMARK)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  it('sets the cookie with a redirect, too', async () => {
    const { id } = await create('text', {}, { key: creator.key })
    const { Cookie, Origin } = await session(creator)
    const form = { method: 'POST', headers: { Cookie, Origin } }
    const response = await send(`/${id}/delete`, form, copy)
    expect(response.status).toBe(303)
    expect(getCookies(response)).toContainEqual(expect.stringMatching(/^__Host-regent\.bookmark=/))
  })
})

describe('a bookmark that a client makes up', () => {
  it.each([
    'x',
    '',
    'first-primary',
    "' OR 1=1 --",
    'ffffffff-ffffffff',
    'FFFFFFFF-FFFFFFFF-FFFFFFFF-FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF',
    '0'.repeat(10_000),
  ])('is ignored if it isn’t one: %j', async (bookmark) => {
    for (const headers of [{ 'X-Bookmark': bookmark }, { Cookie: `__Host-regent.bookmark=${bookmark}` }]) {
      const { id } = await create('text')
      await copy.catchUp()
      expect((await read(id, { headers, ...copy })).status).toBe(200)
    }
    expect(copy.calls).toBe(2)
  })

  it('from the future gets an answer, and keeps nobody else from the copy', async () => {
    const { id } = await create('text')
    await copy.catchUp()
    const headers = { 'X-Bookmark': 'ffffffff-ffffffff-ffffffff-00000000000000000000000000000000' }
    expect((await read(id, { headers, ...copy })).status).toBe(200)
    expect((await read(id, copy)).status).toBe(200)
    expect(copy.calls).toBe(1)
  })
})
