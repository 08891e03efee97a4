import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { cleanup } from '../../src/documents/cleanup.ts'
import { ContentStore, contentCache } from '../../src/documents/content-store.ts'
import { Database } from '../../src/platform/database.ts'
import { edit as editBy, read, remove as removeBy } from '../support/client.ts'
import {
  controlGitHub,
  createAuthor,
  findGistRow,
  gitHubBindings,
  gitHubBindingsWith,
  HOUR_MS,
  MINUTE_MS,
  runDueGists,
} from '../support/github/publishing.ts'

const edit = (body: Record<string, unknown>, key: string) =>
  editBy(body, { key, bindings: gitHubBindings, settle: true })

describe('editing a document', () => {
  it("updates the gist's content, description and file name", async () => {
    const { create, gist, key, state } = await createAuthor()
    const { id, gist_url } = await create('before', { language: 'python' })
    expect(Object.keys((await gist()).files)).toEqual([`${id}.py`])
    const edited = await edit({ id, content: 'after', settings: { language: 'rust' } }, key)
    expect(edited.body.data.gist_url).toBe(gist_url)
    expect(await gist()).toMatchObject({
      url: gist_url,
      description: `after – https://paste.example/${id} – Regent document ${id}`,
      files: { [`${id}.rs`]: 'after' },
    })
    expect(Object.keys((await gist()).files)).toEqual([`${id}.rs`])
    expect((await state()).created).toBe(1)
  })

  it("updates the creator's gist when an editor edits", async () => {
    const { create, gist } = await createAuthor()
    const editor = await createAuthor()
    const { id } = await create('before', { editors: [editor.username] })
    await edit({ id, content: 'after' }, editor.key)
    expect(Object.values((await gist()).files)).toEqual(['after'])
    expect((await editor.state()).requests).toEqual([])
  })

  it('is retried by the scheduled trigger if GitHub fails', async () => {
    const { create, fail, gist, key } = await createAuthor()
    const { id } = await create('before')
    await fail({ on: 'PATCH', answer: { status: 500 } })
    expect((await edit({ id, content: 'after' }, key)).status).toBe(200)
    expect(Object.values((await gist()).files)).toEqual(['before'])
    await runDueGists(2 * MINUTE_MS)
    expect(Object.values((await gist()).files)).toEqual(['after'])
  })

  it('publishes an edit made while the gist is being updated', async () => {
    const { create, gist, key, state } = await createAuthor()
    const { id } = await create('one')
    let batches = 0
    const bindings = gitHubBindingsWith(async (call, run) => {
      // The third batch is the record of the gist's change.
      if (call === 'DB.batch' && ++batches === 3) await edit({ id, content: 'three' }, key)
      return run()
    })
    await editBy({ id, content: 'two' }, { key, bindings, settle: true })
    expect(batches).toBeGreaterThanOrEqual(3)
    expect(Object.values((await gist()).files)).toEqual(['three'])
    expect((await state()).created).toBe(1)
    expect(await findGistRow(id)).toMatchObject({ attempts: 0, leased_until: 0 })
  })

  it('keeps the gist when nothing that it shows has changed', async () => {
    const { create, gist, key, state } = await createAuthor()
    const { id } = await create('text')
    await edit({ id, settings: { image_embed: true } }, key)
    expect((await state()).created).toBe(1)
    expect(Object.values((await gist()).files)).toEqual(['text'])
  })

  it("waits for content that isn't readable in KV yet", async () => {
    const { create, gist, key } = await createAuthor()
    const { id } = await create('before')
    let hidden = true
    const bindings = gitHubBindingsWith(async (call, run) => {
      // The isolate that has stored the edit remembers its text.
      if (hidden) contentCache.clear()
      return call === 'CONTENTS.get' && hidden ? null : run()
    })
    await editBy({ id, content: 'another length' }, { key, bindings, settle: true })
    expect(Object.values((await gist()).files)).toEqual(['before'])
    hidden = false
    await runDueGists(2 * MINUTE_MS, { bindings })
    expect(Object.values((await gist()).files)).toEqual(['another length'])
  })

  it('publishes megabytes of content', async () => {
    const { create, gist, key } = await createAuthor()
    const { id } = await create('short')
    const long = 'Ünïcödé\u0000 😀\r\n'.repeat(100_000)
    await edit({ id, content: long }, key)
    expect((await gist()).files[`${id}.txt`] === long).toBe(true)
  })
})

describe("changing a document's visibility", () => {
  it('replaces the gist with one of the same visibility', async () => {
    const { create, gist, key, state } = await createAuthor()
    const { id, gist_url } = await create('text')
    for (const isPublic of [true, false]) {
      await edit({ id, settings: { public: isPublic } }, key)
      const now = await gist()
      expect(now.public).toBe(isPublic)
      expect(now.url).not.toBe(gist_url)
      expect((await read(id, { bindings: gitHubBindings })).body.data.gist_url).toBe(now.url)
    }
    expect((await state()).created).toBe(3)
  })

  it.each([
    ["the old gist can't be deleted", 'DELETE', false],
    ['the old gist is deleted without a response', 'DELETE', true],
    ["the new gist isn't created", 'POST', false],
    ['the new gist is created without a response', 'POST', true],
  ])('ends with one gist when %s', async (_, on, takesEffect) => {
    const { create, fail, gist, key, state } = await createAuthor()
    const { id } = await create('text')
    await fail({ on, takesEffect, answer: { status: 500 } })
    await edit({ id, settings: { public: true } }, key)
    await runDueGists(2 * MINUTE_MS)
    expect((await gist()).public).toBe(true)
    expect((await read(id)).body.data.gist_url).toBe((await gist()).url)
    expect((await state()).created).toBe(2)
  })

  it('ends with one gist when changed back before the new gist is known', async () => {
    const { create, fail, gist, key } = await createAuthor()
    const { id } = await create('text')
    await fail({ on: 'POST', takesEffect: true, answer: 'drop' })
    await edit({ id, settings: { public: true } }, key)
    await edit({ id, settings: { public: false } }, key)
    await runDueGists(2 * MINUTE_MS)
    await runDueGists(10 * MINUTE_MS)
    expect((await gist()).public).toBe(false)
    expect((await read(id)).body.data.gist_url).toBe((await gist()).url)
  })
})

describe('burn after reading', () => {
  it('deletes the gist for good when turned on', async () => {
    const { create, key, state } = await createAuthor()
    const { id } = await create('text')
    const edited = await edit({ id, settings: { instant_delete: true } }, key)
    expect(edited.body.data.gist_url).toBeNull()
    expect((await state()).gists).toEqual([])
    expect(await findGistRow(id)).toBeNull()
    await edit({ id, settings: { instant_delete: false } }, key)
    await runDueGists(HOUR_MS)
    expect((await read(id)).body.data.gist_url).toBeNull()
    expect((await state()).created).toBe(1)
  })

  it("hides the gist at once, even while GitHub doesn't respond", async () => {
    const { create, fail, key, state } = await createAuthor()
    const { id } = await create('text')
    await fail({ on: 'DELETE', answer: 'drop' })
    expect((await edit({ id, settings: { instant_delete: true } }, key)).body.data.gist_url).toBeNull()
    expect((await read(id, { key })).body.data.gist_url).toBeNull()
    await runDueGists(2 * MINUTE_MS)
    expect((await state()).gists).toEqual([])
  })

  it('leaves no gist when turned on while the gist is being created', async () => {
    const { create, fail, key, state } = await createAuthor()
    await fail({ on: 'POST', takesEffect: true, answer: 'drop' })
    const { id } = await create('text')
    await edit({ id, settings: { instant_delete: true } }, key)
    await runDueGists(2 * MINUTE_MS)
    expect(await state()).toMatchObject({ gists: [], created: 1 })
    expect(await findGistRow(id)).toBeNull()
  })
})

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
