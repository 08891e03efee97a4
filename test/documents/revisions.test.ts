import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { processAccountDeletions, startAccountDeletion } from '../../src/accounts/account-deletion.ts'
import { toPlainText } from '../../src/documents/content.ts'
import { ContentStore } from '../../src/documents/content-store.ts'
import { editDocument } from '../../src/documents/edit.ts'
import { requireDocument } from '../../src/documents/read.ts'
import {
  documentWithRevisions,
  readRevision,
  requireRevision,
  requireRevisions,
} from '../../src/documents/revisions.ts'
import { Database } from '../../src/platform/database.ts'
import { type Account, account } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { call, create, createAnonymous, edit, remove } from '../support/client.ts'
import { listReferencedKeys, listStoredKeys, openStore } from '../support/storage/contents.ts'
import { runCleanup } from '../support/storage/faults.ts'

const store = openStore()

const context = ({ id }: Pick<Account, 'id'>) => ({ viewer: { id }, now: Date.now() })

const find = async (id: string, viewer: Account, number?: number) => {
  const [found] = await store.db.ask(documentWithRevisions(id, Date.now(), number))
  return requireRevisions(found, viewer)
}

const list = async (id: string, viewer: Account) => (await find(id, viewer)).revisions

const readContent = async (id: string, number: number, viewer: Account) =>
  readRevision(store, requireRevision(await find(id, viewer, number), viewer), context(viewer))

const findDetached = async () =>
  (await env.DB.prepare('SELECT content_key FROM detached_contents').all()).results.length

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

  it('have times that never go back, even if the later edit started first', async () => {
    const creator = await account()
    const { id } = await create('one', {}, { key: creator.key })
    const start = Date.now()
    const save = async (text: string, now: number) =>
      editDocument(
        store,
        await requireDocument(store, id, start),
        { content: toPlainText(text, 10), fixedSettings: {} },
        { ...context(creator), now, checkPrecondition: () => {} },
      )
    await save('two', start + 4_000)
    await save('three', start)
    const revisions = await list(id, creator)
    expect(revisions.map(({ number, createdAt }) => [number, createdAt - start])).toEqual([
      [3, 4_000],
      [2, 4_000],
      [1, expect.any(Number)],
    ])
  })

  it('are right again after a clock was a day ahead', async () => {
    const creator = await account()
    const { id } = await create('one', {}, { key: creator.key })
    await env.DB.prepare('UPDATE documents SET updated_at = updated_at + 86400000 WHERE id = ?1')
      .bind(id)
      .run()
    const start = Date.now()
    const { body } = await edit({ id, content: 'two' }, { key: creator.key })
    expect(body.success).toBe(true)
    const [newest] = await list(id, creator)
    expect(newest?.createdAt).toBeGreaterThanOrEqual(start)
    expect(newest?.createdAt).toBeLessThanOrEqual(Date.now())
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
})

const DAY_MS = 24 * 60 * 60_000

const findContent = (id: string) =>
  env.DB.prepare('SELECT content_key, content_until, outlived FROM revisions WHERE document_id = ?1')
    .bind(id)
    .first<{ content_key: string; content_until: number; outlived: number }>()

const readFirst = (id: string, key: string) =>
  call('GET', `/v1/document/${id}/revisions/1`, undefined, { key })

/** Creates a document that expires in a day, edits it and extends it. */
async function extend() {
  const { key } = await account()
  const { id } = await create('one', { expiration: 1 }, { key })
  await edit({ id, content: 'two' }, { key })
  await edit({ id, settings: { expiration: 30 } }, { key })
  const before = await findContent(id)
  if (!before) throw new Error('no revision')
  return { id, key, before }
}

describe('a revision whose document is extended', () => {
  it('is copied before KV deletes it', async () => {
    const { id, key, before } = await extend()
    expect(before.outlived).toBe(1)
    expect((await runCleanup()).copied).toBe(1)
    const after = await findContent(id)
    expect(after).toMatchObject({ outlived: 0 })
    expect(Number(after?.content_until) - before.content_until).toBeGreaterThan(28 * DAY_MS)
    expect(await env.CONTENTS.get(String(after?.content_key))).toBe('one')
    expect((await runCleanup()).copied).toBe(0)
    await runCleanup(env, Date.now() + 10 * 60_000)
    expect(await env.CONTENTS.get(before.content_key)).toBeNull()
    expect((await readFirst(id, key)).body.data.content).toBe('one')
  })

  it('is copied only when its content is about to go', async () => {
    const { key } = await account()
    const { id } = await create('one', {}, { key })
    await edit({ id, content: 'two', settings: { expiration: null } }, { key })
    expect(await findContent(id)).toMatchObject({ outlived: 1 })
    expect((await runCleanup()).copied).toBe(0)
    expect((await runCleanup(env, Date.now() + 5 * DAY_MS)).copied).toBe(1)
    expect(await findContent(id)).toMatchObject({ outlived: 0, content_until: 253402300799999 })
  })

  it.each(['edit', 'deletion'] as const)('is safe from an %s while it is copied', async (change) => {
    const { id, key } = await extend()
    const bindings = bindingsWith(async (name, run) => {
      const result = await run()
      if (name === 'CONTENTS.put') {
        if (change === 'edit') await edit({ id, content: 'three', settings: { expiration: 90 } }, { key })
        else await call('DELETE', `/v1/document/${id}`, undefined, { key, settle: true })
      }
      return result
    })
    const { copied } = await runCleanup(bindings)
    expect(copied).toBe(change === 'edit' ? 1 : 0)
    if (change === 'edit') {
      // The copy lasts for twice the 30 days, and the document now for 90.
      expect(await findContent(id)).toMatchObject({ outlived: 1 })
      expect((await readFirst(id, key)).body.data.content).toBe('one')
    }
    await runCleanup(env, Date.now() + 10 * 60_000)
    expect((await listStoredKeys()).filter((name) => !name.startsWith('content/of'))).toEqual(
      await listReferencedKeys(),
    )
  })

  it('is copied by one of two runs at once', async () => {
    const { id, key } = await extend()
    let first = 0
    const bindings = bindingsWith(async (name, run) => {
      const result = await run()
      if (name === 'CONTENTS.put' && first === 0) first = (await runCleanup()).copied
      return result
    })
    const second = await runCleanup(bindings)
    expect([first, second.copied]).toEqual([1, 0])
    expect((await readFirst(id, key)).body.data.content).toBe('one')
  })

  it.each(['CONTENTS.put', 'DB.batch'] as const)('is copied by the next run if %s fails', async (failing) => {
    const { id, key } = await extend()
    const bindings = bindingsWith(async (name, run) => {
      if (name !== failing) return run()
      await run()
      throw new Error('Network connection lost.')
    })
    await expect(runCleanup(bindings)).rejects.toThrow()
    await runCleanup()
    expect(await findContent(id)).toMatchObject({ outlived: 0 })
    expect((await readFirst(id, key)).body.data.content).toBe('one')
  })

  it('is no longer listed once KV has deleted it', async () => {
    const { id, key, before } = await extend()
    await env.DB.prepare('UPDATE revisions SET content_until = 1 WHERE document_id = ?1').bind(id).run()
    expect((await readFirst(id, key)).status).toBe(404)
    await runCleanup(env, before.content_until)
    expect(await findContent(id)).toBeNull()
  })
})

describe('revisions end', () => {
  const createWithRevision = async (settings: object = {}) => {
    const creator = await account()
    const { id } = await create('one', { ...settings }, { key: creator.key })
    await edit({ id, content: 'two' }, { key: creator.key })
    expect(await findContent(id)).not.toBeNull()
    return { key: creator.key, documentId: id, accountId: creator.id }
  }

  it.each([{ revisions: false }, { instant_delete: true }])('with %o', async (settings) => {
    const { documentId, key } = await createWithRevision()
    await edit({ id: documentId, settings }, { key })
    expect(await findContent(documentId)).toBeNull()
    await edit({ id: documentId, content: 'three' }, { key })
    expect(await findContent(documentId)).toBeNull()
  })

  it('at the millisecond at which their document expires', async () => {
    const { documentId, key } = await createWithRevision()
    await env.DB.prepare('UPDATE documents SET expires_at = ?2 WHERE id = ?1')
      .bind(documentId, Date.now())
      .run()
    expect((await readFirst(documentId, key)).status).toBe(404)
    await runCleanup(env, Date.now() + 10 * 60_000)
    expect(await findContent(documentId)).toBeNull()
  })

  it.each(['delete', 'keep'] as const)('when the account is deleted and its documents %s', async (choice) => {
    const { documentId, accountId } = await createWithRevision()
    const db = new Database(env.DB, 5_000)
    await startAccountDeletion(db, accountId, choice)
    await processAccountDeletions({ db, contents: new ContentStore(env.CONTENTS, 5_000) }, () => true)
    expect(await findContent(documentId)).toBeNull()
    const usage = env.DB.prepare('SELECT bytes FROM usage WHERE account_id = ?1').bind(accountId)
    expect((await usage.first<number>('bytes')) ?? 0).toBe(0)
  })

  it('not when an account takes the document over', async () => {
    const anonymous = await createAnonymous('one')
    await edit({ id: anonymous.id, content: 'two!' }, { headers: anonymous.headers })
    const { id } = await account()
    await env.DB.prepare('UPDATE documents SET creator_id = ?2, token_hash = NULL WHERE id = ?1')
      .bind(anonymous.id, id)
      .run()
    expect(await findContent(anonymous.id)).not.toBeNull()
    const usage = env.DB.prepare('SELECT bytes FROM usage WHERE account_id = ?1').bind(id)
    expect(await usage.first('bytes')).toBe(7)
  })
})
