import { describe, expect } from 'vitest'
import type { Answer } from './support/answer.ts'
import type { Call } from './support/api.ts'
import { type ClauseApi, clause } from './support/clause.ts'
import { aTime, expectContent, expectDeleted, expectError } from './support/expect.ts'

interface RevisionBody {
  readonly number: number
  readonly author: string | null
  readonly size: number
  readonly current: boolean
}

const toPath = (id: string, rest = '') => `/v1/document/${id}/revisions${rest}`

const list = (api: ClauseApi, id: string, call?: Call) => api.send('GET', toPath(id), call)
const get = (api: ClauseApi, id: string, number: number | string, call?: Call) =>
  api.send('GET', toPath(id, `/${number}`), call)
const restore = (api: ClauseApi, id: string, number: number | string, call?: Call) =>
  api.send('POST', toPath(id, `/${number}/restore`), call)
const removeAll = (api: ClauseApi, id: string, call?: Call) => api.send('DELETE', toPath(id), call)

const revisionsIn = (answer: Answer): readonly RevisionBody[] => {
  expect(answer.status).toBe(200)
  return (answer.data as { revisions: readonly RevisionBody[] }).revisions
}
const numbersIn = (answer: Answer) => revisionsIn(answer).map(({ number }) => number)

/** Returns a document of an account whose content was "one" and is "second". */
async function createEdited(api: ClauseApi, settings: object = {}) {
  const key = api.need('key')
  const { id, creator } = await api.create(key, 'one', settings)
  expectContent(await api.edit({ id, content: 'second' }, { key }), 'second')
  return { key, id, author: creator?.username }
}

/** Returns such a document with an editor, and the editor's key. */
async function createShared(api: ClauseApi) {
  const editorKey = api.need('secondKey')
  const me = await api.send('GET', '/v1/users/@me', { key: editorKey })
  const { username } = me.data as { username: string }
  return { ...(await createEdited(api, { editors: [username] })), editorKey }
}

describe('Revisions', () => {
  clause(
    'revisions.list',
    'An edit of the content keeps the previous content: the newest is first',
    async (api) => {
      const { id, key, author } = await createEdited(api)
      const answer = await list(api, id, { key })
      expect(revisionsIn(answer)).toEqual([
        { number: 2, author, size: 6, created_at: aTime(), current: true },
        { number: 1, author, size: 3, created_at: aTime(), current: false },
      ])
      expect(answer.header('Cache-Control')).toBe('no-store')
    },
  )

  clause('revisions.settings', 'An edit of settings alone adds no revision', async (api) => {
    const { id, key } = await createEdited(api)
    await api.edit({ id, settings: { image_embed: true } }, { key })
    expect(numbersIn(await list(api, id, { key }))).toEqual([2, 1])
  })

  clause('revisions.read', 'A single revision also has its language and content', async (api) => {
    const { id, key, author } = await createEdited(api, { language: 'json' })
    const answer = await get(api, id, 1, { key })
    const revision = { number: 1, author, size: 3, created_at: aTime(), current: false }
    expect(answer.data).toEqual({ ...revision, language: 'json', content: 'one' })
    expect(answer.header('Cache-Control')).toBe('no-store')
    expect((await get(api, id, 2, { key })).data).toMatchObject({ current: true, content: 'second' })
  })

  clause('revisions.unknown', 'A number that the document does not have gets a 404', async (api) => {
    const { id, key } = await createEdited(api)
    for (const number of ['0', '3', '-1', '01', 'x']) {
      expectError(await get(api, id, number, { key }), 404, 'Document not found')
      expectError(await restore(api, id, number, { key }), 404, 'Document not found')
    }
  })

  clause('revisions.readers', 'For readers, revisions are a 404', async (api) => {
    const { id } = await createEdited(api)
    expectError(await list(api, id), 404, 'Document not found')
    expectError(await get(api, id, 1), 404, 'Document not found')
    expect((await api.read(id)).status).toBe(200)
  })

  clause(
    'revisions.unauthorized',
    'Restoring and deleting without a key or a token get a 401',
    async (api) => {
      const { id, key } = await createEdited(api)
      expectError(await restore(api, id, 1), 401, 'Unauthorized')
      expectError(await removeAll(api, id), 401, 'Unauthorized')
      expect(numbersIn(await list(api, id, { key }))).toEqual([2, 1])
    },
  )

  clause('revisions.strangers', 'For other accounts, all four routes are a 404', async (api) => {
    const stranger = { key: api.need('secondKey') }
    const { id, key } = await createEdited(api)
    const requests = [list(api, id, stranger), get(api, id, 1, stranger), restore(api, id, 1, stranger)]
    for (const answer of await Promise.all([...requests, removeAll(api, id, stranger)])) {
      expectError(answer, 404, 'Document not found')
    }
    expect(numbersIn(await list(api, id, { key }))).toEqual([2, 1])
  })

  clause(
    'revisions.restore',
    'A restore is an edit: it restores content and language, and keeps what was there',
    async (api) => {
      const { id, key } = await createEdited(api, { language: 'json' })
      await api.edit({ id, settings: { language: 'css' } }, { key })
      const restored = await restore(api, id, 1, { key })
      expectContent(restored, 'one')
      expect(restored.document.settings.language).toBe('json')
      expectContent(await api.read(id), 'one')
      expect(numbersIn(await list(api, id, { key }))).toEqual([3, 2, 1])
      expect((await get(api, id, 2, { key })).data).toMatchObject({ content: 'second', language: 'css' })
    },
  )

  clause('revisions.restore-current', 'Restoring the current content changes nothing', async (api) => {
    const { id, key } = await createEdited(api)
    expectContent(await restore(api, id, 2, { key }), 'second')
    expect(numbersIn(await list(api, id, { key }))).toEqual([2, 1])
  })

  clause('revisions.if-match', 'A restore honours If-Match', async (api) => {
    const { id, key } = await createEdited(api)
    const stale = (await api.read(id, { key })).header('ETag')
    await api.edit({ id, content: 'third' }, { key })
    const refused = await restore(api, id, 1, { key, headers: { 'If-Match': stale } })
    expect(refused.status).toBe(412)
    expect(refused.body.error?.code).toBe('precondition_failed')
    expectContent(await api.read(id), 'third')
    const fresh = (await api.read(id, { key })).header('ETag')
    expectContent(await restore(api, id, 1, { key, headers: { 'If-Match': fresh } }), 'one')
  })

  clause(
    'revisions.delete',
    'The creator can delete all revisions except the current content',
    async (api) => {
      const { id, key } = await createEdited(api)
      expectDeleted(await removeAll(api, id, { key }))
      expect(numbersIn(await list(api, id, { key }))).toEqual([2])
      expectError(await get(api, id, 1, { key }), 404, 'Document not found')
      expectContent(await api.read(id), 'second')
      // No revision gets a number again.
      await api.edit({ id, content: 'third' }, { key })
      expect(numbersIn(await list(api, id, { key }))).toEqual([3, 2])
    },
  )

  clause('revisions.editors', 'Editors can list, read and restore, but not delete', async (api) => {
    const { id, editorKey } = await createShared(api)
    const editor = { key: editorKey }
    expect(numbersIn(await list(api, id, editor))).toEqual([2, 1])
    expect((await get(api, id, 1, editor)).data).toMatchObject({ content: 'one' })
    expectContent(await restore(api, id, 1, editor), 'one')
    expectError(await removeAll(api, id, editor), 403, 'Only the creator can do that')
    expect(numbersIn(await list(api, id, editor))).toEqual([3, 2, 1])
  })

  clause('revisions.token', 'The document token allows all four', async (api) => {
    api.needAnonymousDocuments()
    const { id, token } = await api.createAnonymous('one')
    const holder = { headers: { 'X-Document-Token': token } }
    await api.edit({ id, content: 'second' }, holder)
    expect(revisionsIn(await list(api, id, holder))).toMatchObject([{ author: null }, { author: null }])
    expect((await get(api, id, 1, holder)).data).toMatchObject({ content: 'one' })
    expectContent(await restore(api, id, 1, holder), 'one')
    expectDeleted(await removeAll(api, id, holder))
    expect(numbersIn(await list(api, id, holder))).toEqual([3])
  })

  clause('revisions.off', 'Turning revisions off deletes them, and edits keep no more', async (api) => {
    const { id, key } = await createEdited(api)
    const off = await api.edit({ id, settings: { revisions: false } }, { key })
    expect(off.document.settings.revisions).toBe(false)
    await api.edit({ id, content: 'third' }, { key })
    expect(numbersIn(await list(api, id, { key }))).toEqual([3])
  })
})
