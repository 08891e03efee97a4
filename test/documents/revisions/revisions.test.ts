import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ContentStore } from '../../../src/documents/content-store.ts'
import type { DocumentStore } from '../../../src/documents/document-store.ts'
import {
  deleteRevisions,
  documentWithRevisions,
  readRevision,
  requireRevision,
  requireRevisions,
  restoreRevision,
} from '../../../src/documents/revisions.lazy.ts'
import { ViewCounter } from '../../../src/documents/views.ts'
import { AppError } from '../../../src/errors.ts'
import { Database } from '../../../src/platform/database.ts'
import { type Account, account } from '../../support/accounts.ts'
import { create, edit, read, remove } from '../../support/client.ts'

const store: DocumentStore = {
  db: new Database(env.DB, 5_000),
  contents: new ContentStore(env.CONTENTS, 5_000),
  views: new ViewCounter(),
  defer: (work) => void work(),
  scheduleGistSync: () => {},
}

const context = ({ id }: Pick<Account, 'id'>) => ({ viewer: { id }, now: Date.now() })

const find = async (id: string, viewer: Account, number?: number) => {
  const [found] = await store.db.ask(documentWithRevisions(id, Date.now(), number))
  return requireRevisions(found, viewer)
}

const list = async (id: string, viewer: Account) => (await find(id, viewer)).revisions

const readContent = async (id: string, number: number, viewer: Account) =>
  readRevision(store, requireRevision(await find(id, viewer, number), viewer), context(viewer))

const restore = async (id: string, number: number, viewer: Account) =>
  restoreRevision(store, requireRevision(await find(id, viewer, number), viewer), {
    ...context(viewer),
    checkPrecondition: () => {},
  })

const deleteAll = async (id: string, viewer: Account) =>
  deleteRevisions(store, await find(id, viewer), viewer)

const findDetached = async () =>
  (await env.DB.prepare('SELECT content_key FROM detached_contents').all()).results.length

const NOT_FOUND = expect.objectContaining({ code: 'not_found' })

describe('revisions', () => {
  it('keep each previous content with its language and its author', async () => {
    const creator = await account()
    const editor = await account()
    const { key } = creator
    const { id } = await create('one', { editors: [editor.username], language: 'json' }, { key })
    await edit({ id, content: 'two', settings: { language: 'yaml' } }, { key: editor.key })
    await edit({ id, settings: { public: true } }, { key })
    await edit({ id, content: 'three!' }, { key })
    const revisions = await list(id, creator)
    expect(revisions).toMatchObject([
      { number: 3, author: creator.username, bytes: 6, current: true, language: 'yaml' },
      { number: 2, author: editor.username, bytes: 3, current: false, language: 'yaml' },
      { number: 1, author: creator.username, bytes: 3, current: false, language: 'json' },
    ])
    expect(await list(id, editor)).toEqual(revisions)
    for (const [number, content] of [
      [3, 'three!'],
      [2, 'two'],
      [1, 'one'],
    ] as const) {
      expect(await readContent(id, number, editor)).toBe(content)
    }
  })

  it('don’t exist for readers', async () => {
    const { key } = await account()
    const { id } = await create('one', {}, { key })
    await edit({ id, content: 'two' }, { key })
    const reader = await account()
    await expect(list(id, reader)).rejects.toEqual(NOT_FOUND)
    await expect(readContent(id, 1, reader)).rejects.toEqual(NOT_FOUND)
    await expect(restore(id, 1, reader)).rejects.toEqual(NOT_FOUND)
    await expect(deleteAll(id, reader)).rejects.toEqual(NOT_FOUND)
  })

  it('are restored with their language, which keeps what was there', async () => {
    const creator = await account()
    const { key } = creator
    const { id } = await create('one', { language: 'json' }, { key })
    await edit({ id, content: 'two', settings: { language: 'yaml' } }, { key })
    expect(await restore(id, 1, creator)).toMatchObject({ content: 'one', document: { language: 'json' } })
    expect((await read(id)).body.data.content).toBe('one')
    expect(await list(id, creator)).toMatchObject([
      { number: 3, current: true, language: 'json' },
      { number: 2, language: 'yaml' },
      { number: 1, language: 'json' },
    ])
    // Nothing to change.
    await restore(id, 3, creator)
    expect(await list(id, creator)).toHaveLength(3)
    await expect(restore(id, 4, creator)).rejects.toEqual(NOT_FOUND)
  })

  it('go with their document, and all their content is then pending deletion', async () => {
    const { key } = await account()
    const { id } = await create('one', {}, { key })
    await edit({ id, content: 'two' }, { key })
    await edit({ id, content: 'three' }, { key })
    const before = await findDetached()
    await remove(id, { key })
    expect((await findDetached()) - before).toBe(3)
    expect(await env.DB.prepare('SELECT 1 FROM revisions WHERE document_id = ?1').bind(id).first()).toBeNull()
  })

  it('are deleted by the creator alone, and numbers are never used again', async () => {
    const creator = await account()
    const editor = await account()
    const { key } = creator
    const { id } = await create('one', { editors: [editor.username] }, { key })
    await edit({ id, content: 'two' }, { key })
    await expect(deleteAll(id, editor)).rejects.toThrow(AppError)
    await deleteAll(id, creator)
    expect(await list(id, creator)).toMatchObject([{ number: 2, current: true }])
    await expect(readContent(id, 1, creator)).rejects.toEqual(NOT_FOUND)
    await edit({ id, content: 'three' }, { key })
    expect((await list(id, creator)).map(({ number }) => number)).toEqual([3, 2])
  })
})
