import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { cleanup } from '../../src/documents/cleanup.ts'
import { ContentStore } from '../../src/documents/content-store.ts'
import { Database } from '../../src/platform/database.ts'
import { edit as editBy, read, remove as removeBy } from '../support/client.ts'
import {
  controlGitHub,
  createAuthor,
  findGistRow,
  gitHubBindings,
  HOUR_MS,
  MINUTE_MS,
  runDueGists,
} from '../support/github/publishing.ts'

const edit = (body: Record<string, unknown>, key: string) =>
  editBy(body, { key, bindings: gitHubBindings, settle: true })
const remove = (id: string, key: string) => removeBy(id, { key, bindings: gitHubBindings, settle: true })
const db = new Database(env.DB, 5_000)

describe('deleting a gist', () => {
  it('happens when its document is deleted', async () => {
    const { create, key, state } = await createAuthor()
    const { id } = await create('text')
    expect((await remove(id, key)).status).toBe(204)
    expect((await state()).gists).toEqual([])
    expect(await findGistRow(id)).toBeNull()
  })

  it('happens when its document expires, before cleanup deletes the row', async () => {
    const { create, state } = await createAuthor()
    const { id } = await create('text', { expiration: 1 / 24 })
    await runDueGists(HOUR_MS - MINUTE_MS)
    expect((await state()).gists).toHaveLength(1)
    await runDueGists(HOUR_MS + 1_000)
    expect((await state()).gists).toEqual([])
    expect(await findGistRow(id)).toBeNull()
  })

  it('follows a changed expiry', async () => {
    const { create, key, state } = await createAuthor()
    const { id } = await create('text', { expiration: 1 / 24 })
    await edit({ id, settings: { expiration: 2 / 24 } }, key)
    await runDueGists(HOUR_MS + MINUTE_MS)
    expect((await state()).gists).toHaveLength(1)
    await runDueGists(2 * HOUR_MS + MINUTE_MS)
    expect((await state()).gists).toEqual([])
  })

  it('happens when its document is deleted by cleanup or a moderator', async () => {
    const { create, state } = await createAuthor()
    const [expired, removed] = [await create('text', { expiration: 1 / 24 }), await create('text')]
    const contents = new ContentStore(env.CONTENTS, 5_000)
    await cleanup({ db, contents }, { now: Date.now() + 2 * HOUR_MS, budgetMs: MINUTE_MS, clock: () => 0 })
    await env.DB.prepare('DELETE FROM documents WHERE id = ?1').bind(removed.id).run()
    await runDueGists()
    expect((await state()).gists).toEqual([])
    for (const { id } of [expired, removed]) expect(await findGistRow(id)).toBeNull()
  })

  it.each([
    ['responds with 500', { status: 500 }, false],
    ['deletes it and responds with 500', { status: 500 }, true],
    ['closes the connection', 'drop', true],
    ['limits the rate', { status: 429, headers: { 'Retry-After': '60' } }, false],
  ] as const)('succeeds in the end when GitHub %s', async (_, answer, takesEffect) => {
    const { create, fail, key, state } = await createAuthor()
    const { id } = await create('text')
    await fail({ on: 'DELETE', answer, takesEffect })
    expect((await remove(id, key)).status).toBe(204)
    await runDueGists(2 * MINUTE_MS)
    expect((await state()).gists).toEqual([])
    expect(await findGistRow(id)).toBeNull()
  })

  it('covers a gist whose creation was never confirmed', async () => {
    const { create, fail, key, state } = await createAuthor()
    await fail({ on: 'POST', takesEffect: true, answer: { status: 502 } })
    const { id } = await create('text')
    await remove(id, key)
    await runDueGists(2 * MINUTE_MS)
    expect(await state()).toMatchObject({ gists: [], created: 1 })
    expect(await findGistRow(id)).toBeNull()
  })

  it('is final when the user deletes it on GitHub', async () => {
    const { create, gitHub, key, state } = await createAuthor()
    for (const settings of [{ image_embed: true }, { public: true }]) {
      const { id } = await create('text')
      await controlGitHub({ do: 'delete gists', login: gitHub.login })
      await edit({ id, settings }, key)
      await runDueGists(HOUR_MS)
      expect((await read(id)).body.data.gist_url).toBeNull()
      expect(await findGistRow(id)).toBeNull()
    }
    expect(await state()).toMatchObject({ gists: [], created: 2 })
  })
})
