import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { cleanup } from '../../src/documents/content/cleanup.ts'
import { contentCache } from '../../src/documents/content/content-cache.ts'
import { ContentStore } from '../../src/documents/content/content-store.ts'
import { retryRefusedGists } from '../../src/gists/record-gist.ts'
import worker from '../../src/index.ts'
import { Database } from '../../src/platform/database.ts'
import { session } from '../support/accounts.ts'
import { edit as editBy, read, remove as removeBy, send } from '../support/client.ts'
import {
  author,
  gitHubBindings,
  gitHubBindingsWith,
  HOUR_MS,
  link,
  MINUTE_MS,
  rowOf,
  runDue,
  tell,
  unlink,
} from '../support/gists.ts'

const edit = (body: Record<string, unknown>, key: string) =>
  editBy(body, { key, bindings: gitHubBindings, settle: true })
const remove = (id: string, key: string) => removeBy(id, { key, bindings: gitHubBindings, settle: true })
const db = new Database(env.DB, 5_000)

describe('an edit', () => {
  it('changes the gist: its text, its title, and the name of its file', async () => {
    const { create, gist, key, state } = await author()
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
    expect((await state()).made).toBe(1)
  })

  it('of an editor changes the gist of the creator', async () => {
    const { create, gist } = await author()
    const editor = await author()
    const { id } = await create('before', { editors: [editor.username] })
    await edit({ id, content: 'after' }, editor.key)
    expect(Object.values((await gist()).files)).toEqual(['after'])
    expect((await editor.state()).requests).toEqual([])
  })

  it('that GitHub does not take at once is taken by the trigger', async () => {
    const { create, fail, gist, key } = await author()
    const { id } = await create('before')
    await fail({ on: 'PATCH', answer: { status: 500 } })
    expect((await edit({ id, content: 'after' }, key)).status).toBe(200)
    expect(Object.values((await gist()).files)).toEqual(['before'])
    await runDue(2 * MINUTE_MS)
    expect(Object.values((await gist()).files)).toEqual(['after'])
  })

  it('that comes while the gist is being written is written too', async () => {
    const { create, gist, key, state } = await author()
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
    expect((await state()).made).toBe(1)
    expect(await rowOf(id)).toMatchObject({ attempts: 0, leased_until: 0 })
  })

  it('of what no gist shows asks GitHub for nothing but the same gist', async () => {
    const { create, gist, key, state } = await author()
    const { id } = await create('text')
    await edit({ id, settings: { image_embed: true } }, key)
    expect((await state()).made).toBe(1)
    expect(Object.values((await gist()).files)).toEqual(['text'])
  })

  it('waits for content that KV does not show yet', async () => {
    const { create, gist, key } = await author()
    const { id } = await create('before')
    contentCache.clear()
    let hidden = true
    const bindings = gitHubBindingsWith(async (call, run) =>
      call === 'CONTENTS.get' && hidden ? null : run(),
    )
    await editBy({ id, content: 'another length' }, { key, bindings, settle: true })
    expect(Object.values((await gist()).files)).toEqual(['before'])
    hidden = false
    await runDue(2 * MINUTE_MS, { bindings })
    expect(Object.values((await gist()).files)).toEqual(['another length'])
  })

  it('carries a text of megabytes', async () => {
    const { create, gist, key } = await author()
    const { id } = await create('short')
    const long = 'Ünïcödé\u0000 😀\r\n'.repeat(100_000)
    await edit({ id, content: long }, key)
    expect((await gist()).files[`${id}.txt`] === long).toBe(true)
  })
})

describe('a document that becomes public, or secret,', () => {
  it('gets a gist that is likewise, in place of the one it had', async () => {
    const { create, gist, key, state } = await author()
    const { id, gist_url } = await create('text')
    for (const isPublic of [true, false]) {
      await edit({ id, settings: { public: isPublic } }, key)
      const now = await gist()
      expect(now.public).toBe(isPublic)
      expect(now.url).not.toBe(gist_url)
      expect((await read(id)).body.data.gist_url).toBe(now.url)
    }
    expect((await state()).made).toBe(3)
  })

  it.each([
    ['the old gist can not be deleted', 'DELETE', false],
    ['the old gist is deleted and nobody says so', 'DELETE', true],
    ['the new gist is not made', 'POST', false],
    ['the new gist is made and nobody says so', 'POST', true],
  ])('has one gist at last when %s', async (_, on, takesEffect) => {
    const { create, fail, gist, key, state } = await author()
    const { id } = await create('text')
    await fail({ on, takesEffect, answer: { status: 500 } })
    await edit({ id, settings: { public: true } }, key)
    await runDue(2 * MINUTE_MS)
    expect((await gist()).public).toBe(true)
    expect((await read(id)).body.data.gist_url).toBe((await gist()).url)
    expect((await state()).made).toBe(2)
  })

  it('has one gist at last when it changes its mind while nobody knows of the new gist', async () => {
    const { create, fail, gist, key } = await author()
    const { id } = await create('text')
    await fail({ on: 'POST', takesEffect: true, answer: 'drop' })
    await edit({ id, settings: { public: true } }, key)
    await edit({ id, settings: { public: false } }, key)
    await runDue(2 * MINUTE_MS)
    await runDue(10 * MINUTE_MS)
    expect((await gist()).public).toBe(false)
    expect((await read(id)).body.data.gist_url).toBe((await gist()).url)
  })
})

describe('instant_delete', () => {
  it('that is turned on deletes the gist for good', async () => {
    const { create, key, state } = await author()
    const { id } = await create('text')
    const edited = await edit({ id, settings: { instant_delete: true } }, key)
    expect(edited.body.data.gist_url).toBeNull()
    expect((await state()).gists).toEqual([])
    expect(await rowOf(id)).toBeNull()
    await edit({ id, settings: { instant_delete: false } }, key)
    await runDue(HOUR_MS)
    expect((await read(id)).body.data.gist_url).toBeNull()
    expect((await state()).made).toBe(1)
  })

  it('that is turned on hides the gist even while GitHub does not answer', async () => {
    const { create, fail, key, state } = await author()
    const { id } = await create('text')
    await fail({ on: 'DELETE', answer: 'drop' })
    expect((await edit({ id, settings: { instant_delete: true } }, key)).body.data.gist_url).toBeNull()
    expect((await read(id, { key })).body.data.gist_url).toBeNull()
    await runDue(2 * MINUTE_MS)
    expect((await state()).gists).toEqual([])
  })

  it('that is turned on while the gist is being made leaves none', async () => {
    const { create, fail, key, state } = await author()
    await fail({ on: 'POST', takesEffect: true, answer: 'drop' })
    const { id } = await create('text')
    await edit({ id, settings: { instant_delete: true } }, key)
    await runDue(2 * MINUTE_MS)
    expect(await state()).toMatchObject({ gists: [], made: 1 })
    expect(await rowOf(id)).toBeNull()
  })
})

describe('a gist goes', () => {
  it('when its document is deleted', async () => {
    const { create, key, state } = await author()
    const { id } = await create('text')
    expect((await remove(id, key)).status).toBe(204)
    expect((await state()).gists).toEqual([])
    expect(await rowOf(id)).toBeNull()
  })

  it('when its document expires, before the row of that does', async () => {
    const { create, state } = await author()
    const { id } = await create('text', { expiration: 1 / 24 })
    await runDue(HOUR_MS - MINUTE_MS)
    expect((await state()).gists).toHaveLength(1)
    await runDue(HOUR_MS + 1_000)
    expect((await state()).gists).toEqual([])
    expect(await rowOf(id)).toBeNull()
  })

  it('at the new time when the expiration was moved', async () => {
    const { create, key, state } = await author()
    const { id } = await create('text', { expiration: 1 / 24 })
    await edit({ id, settings: { expiration: 2 / 24 } }, key)
    await runDue(HOUR_MS + MINUTE_MS)
    expect((await state()).gists).toHaveLength(1)
    await runDue(2 * HOUR_MS + MINUTE_MS)
    expect((await state()).gists).toEqual([])
  })

  it('when its document is cleaned up or removed, whoever does that', async () => {
    const { create, state } = await author()
    const [expired, removed] = [await create('text', { expiration: 1 / 24 }), await create('text')]
    const contents = new ContentStore(env.CONTENTS, 5_000)
    await cleanup({ db, contents }, { now: Date.now() + 2 * HOUR_MS, budgetMs: MINUTE_MS, clock: () => 0 })
    await env.DB.prepare('DELETE FROM documents WHERE id = ?1').bind(removed.id).run()
    await runDue()
    expect((await state()).gists).toEqual([])
    for (const { id } of [expired, removed]) expect(await rowOf(id)).toBeNull()
  })

  it.each([
    ['answers 500', { status: 500 }, false],
    ['answers 500 after it did', { status: 500 }, true],
    ['closes the connection', 'drop', true],
    ['asks for a pause', { status: 429, headers: { 'Retry-After': '60' } }, false],
  ] as const)('at last when GitHub %s', async (_, answer, takesEffect) => {
    const { create, fail, key, state } = await author()
    const { id } = await create('text')
    await fail({ on: 'DELETE', answer, takesEffect })
    expect((await remove(id, key)).status).toBe(204)
    await runDue(2 * MINUTE_MS)
    expect((await state()).gists).toEqual([])
    expect(await rowOf(id)).toBeNull()
  })

  it('when its making was uncertain and the document was deleted since', async () => {
    const { create, fail, key, state } = await author()
    await fail({ on: 'POST', takesEffect: true, answer: { status: 502 } })
    const { id } = await create('text')
    await remove(id, key)
    await runDue(2 * MINUTE_MS)
    expect(await state()).toMatchObject({ gists: [], made: 1 })
    expect(await rowOf(id)).toBeNull()
  })

  it('and stays gone when somebody deletes it at GitHub', async () => {
    const { create, gitHub, key, state } = await author()
    for (const settings of [{ image_embed: true }, { public: true }]) {
      const { id } = await create('text')
      await tell({ do: 'delete gists', login: gitHub.login })
      await edit({ id, settings }, key)
      await runDue(HOUR_MS)
      expect((await read(id)).body.data.gist_url).toBeNull()
      expect(await rowOf(id)).toBeNull()
    }
    expect(await state()).toMatchObject({ gists: [], made: 2 })
  })
})

describe('an account', () => {
  it('whose token was revoked publishes again once it is connected anew', async () => {
    const { create, gist, gitHub, id: userId, key, state } = await author()
    const { id } = await create('before')
    const gone = await create('gone')
    await tell({ do: 'revoke token', token: gitHub.token })
    await edit({ id, content: 'after' }, key)
    await remove(gone.id, key)
    await runDue(HOUR_MS)
    for (const row of [await rowOf(id), await rowOf(gone.id)]) {
      expect(row).toMatchObject({ due_at: null, refusal: 'bad_credentials' })
    }
    expect((await state()).gists).toHaveLength(2)
    const { token } = await tell<{ token: string }>({
      do: 'give token',
      login: gitHub.login,
      scopes: ['gist'],
    })
    await unlink(userId)
    await link(userId, { token, scopes: ['gist'] })
    await retryRefusedGists(db, userId, Date.now())
    await runDue()
    expect(Object.values((await gist()).files)).toEqual(['after'])
    expect((await state()).made).toBe(2)
  })

  it('whose token lost the right to write gists keeps what it has until it is connected anew', async () => {
    const { create, gitHub, id: userId, key, state } = await author()
    const { id } = await create('before')
    const weaker = await tell<{ token: string }>({ do: 'give token', login: gitHub.login, scopes: [] })
    await unlink(userId)
    await link(userId, { token: weaker.token, scopes: ['gist'] })
    await edit({ id, content: 'after' }, key)
    expect(await rowOf(id)).toMatchObject({ due_at: null, refusal: 'no_rights' })
    await remove(id, key)
    expect(await rowOf(id)).toMatchObject({ due_at: null, refusal: 'no_rights' })
    expect((await state()).gists).toHaveLength(1)
  })

  it('that is not linked any more publishes nothing, and its gists are given up', async () => {
    const { create, id: userId, key, state } = await author()
    const { id } = await create('before')
    const { requests } = await state()
    await unlink(userId)
    await edit({ id, content: 'after' }, key)
    expect(await rowOf(id)).toMatchObject({ due_at: null, refusal: 'not_linked' })
    await remove(id, key)
    expect(await rowOf(id)).toBeNull()
    expect((await state()).requests).toEqual(requests)
  })

  it('that is deleted on the site goes when its gists are gone, which only its token can delete', async () => {
    const silent = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
    for (const spy of silent) spy.mockImplementation(() => {})
    const made = await author()
    const [first, second] = [await made.create('first'), await made.create('second')]
    await made.fail({ on: 'DELETE', times: 1, answer: { status: 500 } })
    const headers = await session(made)
    const form = { method: 'POST', body: new URLSearchParams({ documents: 'delete' }), headers }
    const answer = await send('/account/delete', form, { bindings: gitHubBindings, settle: true })
    expect(answer.status).toBe(200)
    for (const { id } of [first, second]) expect((await read(id)).status).toBe(404)
    const isThere = () => env.DB.prepare('SELECT 1 FROM users WHERE id = ?1').bind(made.id).first()
    await worker.scheduled(createScheduledController(), gitHubBindings)
    expect((await made.state()).gists).toHaveLength(1)
    expect(await isThere()).not.toBeNull()
    await env.DB.prepare('UPDATE gists SET due_at = 0, leased_until = 0 WHERE user_id = ?1')
      .bind(made.id)
      .run()
    await worker.scheduled(createScheduledController(), gitHubBindings)
    expect((await made.state()).gists).toHaveLength(0)
    expect(await isThere()).toBeNull()
  })

  it('that is deleted leaves no work', async () => {
    const { create, id: userId, key, gitHub } = await author()
    const [kept, deleted, refused] = [await create('kept'), await create('deleted'), await create('refused')]
    await tell({ do: 'revoke token', token: gitHub.token })
    await remove(refused.id, key)
    expect(await rowOf(refused.id)).toMatchObject({ due_at: null, refusal: 'bad_credentials' })
    await env.DB.batch([
      env.DB.prepare('DELETE FROM documents WHERE id = ?1').bind(deleted.id),
      env.DB.prepare('DELETE FROM users WHERE id = ?1').bind(userId),
    ])
    await runDue(MINUTE_MS)
    expect(await rowOf(deleted.id)).toBeNull()
    expect(await rowOf(refused.id)).toBeNull()
    expect((await read(kept.id)).status).toBe(200)
    const due = env.DB.prepare('SELECT due_at FROM gists WHERE user_id = ?1 AND due_at < ?2')
    expect((await due.bind(userId, Date.now() + HOUR_MS).all()).results).toEqual([])
  })
})
