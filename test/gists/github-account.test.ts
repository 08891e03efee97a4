import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { retryRefusedGists } from '../../src/gists/gist-store.ts'
import worker from '../../src/index.ts'
import { Database } from '../../src/platform/database.ts'
import { session } from '../support/accounts.ts'
import { edit as editBy, read, remove as removeBy, send } from '../support/client.ts'
import {
  controlGitHub,
  createAuthor,
  findGistRow,
  gitHubBindings,
  HOUR_MS,
  linkGitHub,
  MINUTE_MS,
  runDueGists,
  unlinkGitHub,
} from '../support/github/publishing.ts'

const edit = (body: Record<string, unknown>, key: string) =>
  editBy(body, { key, bindings: gitHubBindings, settle: true })
const remove = (id: string, key: string) => removeBy(id, { key, bindings: gitHubBindings, settle: true })
const db = new Database(env.DB, 5_000)

describe('a GitHub account', () => {
  it('publishes again after reconnecting when its token was revoked', async () => {
    const { create, gist, gitHub, id: userId, key, state } = await createAuthor()
    const { id } = await create('before')
    const gone = await create('gone')
    await controlGitHub({ do: 'revoke token', token: gitHub.token })
    await edit({ id, content: 'after' }, key)
    await remove(gone.id, key)
    await runDueGists(HOUR_MS)
    for (const row of [await findGistRow(id), await findGistRow(gone.id)]) {
      expect(row).toMatchObject({ due_at: null, refusal: 'bad_credentials' })
    }
    expect((await state()).gists).toHaveLength(2)
    const { token } = await controlGitHub<{ token: string }>({
      do: 'issue token',
      login: gitHub.login,
      scopes: ['gist'],
    })
    await unlinkGitHub(userId)
    await linkGitHub(userId, { token, scopes: ['gist'] })
    await retryRefusedGists(db, userId, Date.now())
    await runDueGists()
    expect(Object.values((await gist()).files)).toEqual(['after'])
    expect((await state()).created).toBe(2)
  })

  it('keeps its gists until reconnected when its token has lost the gist scope', async () => {
    const { create, gitHub, id: userId, key, state } = await createAuthor()
    const { id } = await create('before')
    const weaker = await controlGitHub<{ token: string }>({
      do: 'issue token',
      login: gitHub.login,
      scopes: [],
    })
    await unlinkGitHub(userId)
    await linkGitHub(userId, { token: weaker.token, scopes: ['gist'] })
    await edit({ id, content: 'after' }, key)
    expect(await findGistRow(id)).toMatchObject({ due_at: null, refusal: 'no_rights' })
    await remove(id, key)
    expect(await findGistRow(id)).toMatchObject({ due_at: null, refusal: 'no_rights' })
    expect((await state()).gists).toHaveLength(1)
  })

  it('publishes nothing once disconnected, and its gists are left alone', async () => {
    const { create, id: userId, key, state } = await createAuthor()
    const { id } = await create('before')
    const { requests } = await state()
    await unlinkGitHub(userId)
    await edit({ id, content: 'after' }, key)
    expect(await findGistRow(id)).toMatchObject({ due_at: null, refusal: 'not_linked' })
    await remove(id, key)
    expect(await findGistRow(id)).toBeNull()
    expect((await state()).requests).toEqual(requests)
  })

  it("keeps a deleted account's row until its gists are deleted, which takes its token", async () => {
    const silent = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
    for (const spy of silent) spy.mockImplementation(() => {})
    const author = await createAuthor()
    const [first, second] = [await author.create('first'), await author.create('second')]
    await author.fail({ on: 'DELETE', times: 1, answer: { status: 500 } })
    const headers = await session(author)
    const form = { method: 'POST', body: new URLSearchParams({ documents: 'delete' }), headers }
    const answer = await send('/account/delete', form, { bindings: gitHubBindings, settle: true })
    expect(answer.status).toBe(200)
    for (const { id } of [first, second]) expect((await read(id)).status).toBe(404)
    const isThere = () => env.DB.prepare('SELECT 1 FROM users WHERE id = ?1').bind(author.id).first()
    await worker.scheduled(createScheduledController(), gitHubBindings)
    expect((await author.state()).gists).toHaveLength(1)
    expect(await isThere()).not.toBeNull()
    await env.DB.prepare('UPDATE gists SET due_at = 0, leased_until = 0 WHERE user_id = ?1')
      .bind(author.id)
      .run()
    await worker.scheduled(createScheduledController(), gitHubBindings)
    expect((await author.state()).gists).toHaveLength(0)
    expect(await isThere()).toBeNull()
  })

  it('leaves no work behind when its account is gone', async () => {
    const { create, id: userId, key, gitHub } = await createAuthor()
    const [kept, deleted, refused] = [await create('kept'), await create('deleted'), await create('refused')]
    await controlGitHub({ do: 'revoke token', token: gitHub.token })
    await remove(refused.id, key)
    expect(await findGistRow(refused.id)).toMatchObject({ due_at: null, refusal: 'bad_credentials' })
    await env.DB.batch([
      env.DB.prepare('DELETE FROM documents WHERE id = ?1').bind(deleted.id),
      env.DB.prepare('DELETE FROM users WHERE id = ?1').bind(userId),
    ])
    await runDueGists(MINUTE_MS)
    expect(await findGistRow(deleted.id)).toBeNull()
    expect(await findGistRow(refused.id)).toBeNull()
    expect((await read(kept.id)).status).toBe(200)
    const due = env.DB.prepare('SELECT due_at FROM gists WHERE user_id = ?1 AND due_at < ?2')
    expect((await due.bind(userId, Date.now() + HOUR_MS).all()).results).toEqual([])
  })
})
