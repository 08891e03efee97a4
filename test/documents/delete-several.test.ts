import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { deleteOwnDocuments } from '../../src/documents/delete.ts'
import { account } from '../support/accounts.ts'
import { losingFirst } from '../support/bindings.ts'
import { create, read } from '../support/client.ts'
import { findContentKey, openStore } from '../support/storage/contents.ts'

/** Returns from when cleanup may delete content; null if its deletion isn't pending. */
const findDeletionTime = (contentKey: string) =>
  env.DB.prepare('SELECT removable_at FROM detached_contents WHERE content_key = ?1')
    .bind(contentKey)
    .first('removable_at')

describe('deleting several documents', () => {
  it('deletes those that the account created, with their content, and no others', async () => {
    const [creator, other] = [await account(), await account()]
    const mine = [
      await create('one', {}, { key: creator.key }),
      await create('two', {}, { key: creator.key }),
    ]
    const kept = await create('kept', {}, { key: creator.key })
    const foreign = await create('foreign', { editors: [creator.username] }, { key: other.key })
    const nobodys = await create('nobody’s')
    const ids = [...mine.map(({ id }) => id), foreign.id, nobodys.id, 'missing1', "' OR 1=1 --"]
    const keys = await Promise.all(mine.map(({ id }) => findContentKey(id)))

    const store = openStore()
    for (let time = 1; time <= 2; time++) await deleteOwnDocuments(store, ids, creator)
    await store.settle()
    for (const { id } of mine) expect((await read(id)).status).toBe(404)
    for (const { id } of [kept, foreign, nobodys]) expect((await read(id)).status).toBe(200)
    for (const key of keys) {
      expect(await env.CONTENTS.get(key)).toBeNull()
      expect(await findDeletionTime(key)).toBeNull()
    }
  })

  it('takes effect if the response is lost, and leaves the content to cleanup', async () => {
    const creator = await account()
    const { id } = await create('x', {}, { key: creator.key })
    const kept = await create('x', {}, { key: creator.key })
    const key = await findContentKey(id)
    const store = openStore(losingFirst('DB.batch').bindings)
    await deleteOwnDocuments(store, [id], creator)
    await store.settle()
    expect((await read(id)).status).toBe(404)
    expect((await read(kept.id)).status).toBe(200)
    expect(await findDeletionTime(key)).toBe(0)
  })
})
