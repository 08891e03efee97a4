import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ContentStore, contentCache } from '../../src/documents/content-store.ts'
import {
  leaseGist,
  postponeGist,
  recordGistDeleted,
  recordGistPublished,
  recordGistRefused,
} from '../../src/gists/gist-store.ts'
import { publishGist } from '../../src/gists/publish-gist.lazy.ts'
import { Database } from '../../src/platform/database.ts'
import type { StorageCall } from '../support/bindings.ts'
import { call, edit, read } from '../support/client.ts'
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

const SETTINGS = { create_gist: true }

const post = (key: string, bindings: Env) =>
  call('POST', '/v1/document', { content: 'text', settings: SETTINGS }, { key, bindings, settle: true })

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

/** Runs the scheduled trigger several times over some hours. */
async function runForHours(): Promise<void> {
  for (const later of [5 * MINUTE_MS, 20 * MINUTE_MS, HOUR_MS, 8 * HOUR_MS]) await runDueGists(later)
}

describe('exactly one gist is created', () => {
  it('when many scheduled runs start at once', async () => {
    const { create, fail, gist, state } = await createAuthor()
    await fail({ on: 'POST', answer: { status: 500 } })
    const { id } = await create('text')
    const reports = await Promise.all(Array.from({ length: 8 }, () => runDueGists(2 * MINUTE_MS)))
    expect(reports.reduce((sum, { published }) => sum + published, 0)).toBe(1)
    expect((await state()).created).toBe(1)
    expect((await read(id)).body.data.gist_url).toBe((await gist()).url)
  })

  it.each([1, 2, 3])('when the scheduled trigger runs after transaction %s of the create', async (nth) => {
    const { gist, key, state } = await createAuthor()
    let batches = 0
    const bindings = gitHubBindingsWith(async (name, run) => {
      const result = await run()
      if (name === 'DB.batch' && ++batches === nth) await runDueGists()
      return result
    })
    const { status, body } = await post(key, bindings)
    expect(status).toBe(200)
    expect(batches).toBeGreaterThanOrEqual(nth)
    expect((await state()).created).toBe(1)
    // If the trigger is first, it publishes the gist, and the create doesn't wait for it.
    expect(body.data.gist_url).toBe(nth === 1 ? null : (await gist()).url)
    expect((await read(body.data.id)).body.data.gist_url).toBe((await gist()).url)
  })

  it('when the request is cut off before recording it, while the scheduled trigger keeps running', async () => {
    const { gist, key, state } = await createAuthor()
    let created = false
    const bindings = gitHubBindingsWith(async (name, run) => {
      if (name !== 'DB.batch') return run()
      created ||= (await state()).created > 0
      // Simulates the end of the isolate: nothing more is written.
      if (created) throw new Error('Network connection lost')
      return run()
    })
    const { status, body } = await post(key, bindings)
    expect({ status, gist_url: body.data.gist_url }).toEqual({ status: 200, gist_url: null })
    for (const later of [0, 1, 2, 2.5]) {
      await runDueGists(later * MINUTE_MS)
      expect(await findGistRow(body.data.id)).toMatchObject({ gist_id: null, attempts: 1 })
    }
    await runForHours()
    expect((await state()).created).toBe(1)
    expect((await read(body.data.id)).body.data.gist_url).toBe((await gist()).url)
  })

  it.each([false, true])(
    'when any storage call of the create fails after taking effect (and all later ones: %s)',
    async (stays) => {
      const calls: StorageCall[] = []
      const counting = await createAuthor()
      await post(
        counting.key,
        gitHubBindingsWith((name, run) => {
          calls.push(name)
          return run()
        }),
      )
      expect(calls.length).toBeGreaterThan(6)
      for (let nth = 1; nth <= calls.length; nth++) {
        const { key, state, id: userId } = await createAuthor()
        let called = 0
        const bindings = gitHubBindingsWith(async (_, run) => {
          const strikes = stays ? ++called >= nth : ++called === nth
          const result = await run()
          if (strikes) throw new Error('Network connection lost')
          return result
        })
        const { status } = await post(key, bindings)
        await runForHours()
        const stored = await env.DB.prepare('SELECT count(*) AS n FROM documents WHERE creator_id = ?1')
          .bind(userId)
          .first<number>('n')
        if (status === 200) expect(stored).toBe(1)
        const { gists, created } = await state()
        expect({ nth, created, kept: gists.length }).toEqual({ nth, created: stored, kept: stored })
      }
    },
  )

  it("right away, even if D1's response to the create is lost", async () => {
    const { gist, key, state } = await createAuthor()
    let batches = 0
    const bindings = gitHubBindingsWith(async (name, run) => {
      const result = await run()
      if (name === 'DB.batch' && ++batches === 1) throw new Error('Network connection lost')
      return result
    })
    const { status, body } = await post(key, bindings)
    expect({ status, gist_url: body.data.gist_url }).toEqual({ status: 200, gist_url: (await gist()).url })
    expect((await state()).created).toBe(1)
  })

  it('when GitHub loses several responses', async () => {
    const { create, fail, gist, key, state } = await createAuthor()
    await fail({ on: 'POST', takesEffect: true, answer: 'drop' })
    await fail({ on: 'PATCH', takesEffect: true, times: 3, answer: { status: 500 } })
    await fail({ on: 'GET', times: 2, answer: 'drop' })
    const { id } = await create('text')
    await edit({ id, content: 'after' }, { key, bindings: gitHubBindings, settle: true })
    for (let hour = 1; hour < 12; hour++) await runDueGists(hour * HOUR_MS)
    expect((await state()).created).toBe(1)
    expect(Object.values((await gist()).files)).toEqual(['after'])
  })

  it('even if an edit arrives while GitHub may still be creating it', async () => {
    const { create, fail, gist, key, state } = await createAuthor()
    await fail({ on: 'POST', answer: 'drop' })
    const { id } = await create('text')
    const { requests } = await state()
    await edit({ id, content: 'after' }, { key, bindings: gitHubBindings, settle: true })
    await runDueGists(30_000)
    expect((await state()).requests).toEqual(requests)
    await runDueGists(90_000)
    expect(Object.values((await gist()).files)).toEqual(['after'])
  })

  it('among hundreds of gists with similar descriptions', async () => {
    const { create, fail, gitHub, state } = await createAuthor()
    await fail({ on: 'POST', takesEffect: true, answer: 'drop' })
    const { id } = await create('text')
    const { login } = gitHub
    const alike = [`Regent document ${id}x`, `Regent document ${id} `, `not Regent document ${id}`, id]
    for (let n = 0; n < 230; n++) {
      await controlGitHub({ do: 'create gist', login, description: alike[n % alike.length] ?? '' })
    }
    await runDueGists(2 * MINUTE_MS)
    const { gists, created, requests } = await state()
    expect(created).toBe(231)
    expect(requests.filter((request) => request === 'GET /gists')).toHaveLength(3)
    const ours = gists.filter(({ files }) => Object.keys(files).includes(`${id}.txt`))
    expect(ours).toHaveLength(1)
    expect((await read(id)).body.data.gist_url).toBe(ours[0]?.url)
  })

  it('for each document, even if the title of one mentions the other', async () => {
    const { create, fail, key, state } = await createAuthor()
    await fail({ on: 'POST', takesEffect: true, answer: 'drop' })
    const first = await create('text')
    const second = await create('text')
    const content = `Regent document ${first.id}`
    await edit({ id: second.id, content }, { key, bindings: gitHubBindings, settle: true })
    await runDueGists(2 * MINUTE_MS)
    const { gists, created } = await state()
    expect(created).toBe(2)
    expect(gists.flatMap(({ files }) => Object.keys(files)).sort()).toEqual(
      [`${first.id}.txt`, `${second.id}.txt`].sort(),
    )
  })
})

describe('a lease', () => {
  it('locks the gist until it ends, and later writes change nothing', async () => {
    const { create, fail, gist } = await createAuthor()
    await fail({ on: 'POST', answer: { status: 500 } })
    const { id } = await create('text')
    const db = new Database(env.DB, 5_000)
    const now = Date.now() + 2 * MINUTE_MS
    const lease = await leaseGist(db, id, now)
    expect(lease?.attempts).toBe(2)
    expect(await leaseGist(db, id, now + 3 * MINUTE_MS - 1)).toBeNull()
    const other = await leaseGist(db, id, now + 5 * MINUTE_MS)
    expect(other?.attempts).toBe(3)
    expect(other?.leasedUntil).not.toBe(lease?.leasedUntil)
    if (!lease) throw new Error('there is no lease')
    const before = await findGistRow(id)
    const late = { id: 'late', url: 'https://x.example/late', public: false, description: '', fileNames: [] }
    await recordGistPublished(db, lease, { gist: late, version: lease.version ?? '' })
    await recordGistRefused(db, lease, 'forbidden')
    await postponeGist(db, lease, { at: 1, lockedUntil: 0, wholeAccount: false })
    await recordGistDeleted(db, lease)
    expect(await findGistRow(id)).toEqual(before)
    expect((await read(id)).body.data.gist_url).toBeNull()
    await runDueGists(12 * MINUTE_MS)
    expect((await read(id)).body.data.gist_url).toBe((await gist()).url)
  })

  it('makes no request shortly before it ends', async () => {
    const { create, fail, state } = await createAuthor()
    await fail({ on: 'POST', answer: { status: 500 } })
    const { id } = await create('text')
    const { requests } = await state()
    contentCache.clear()
    // Most of the lease passes while the content is read.
    let elapsed = 2 * MINUTE_MS
    const publisher = {
      db: new Database(env.DB, 5_000),
      contents: new ContentStore(
        gitHubBindingsWith(async (_, run) => {
          elapsed += 3 * MINUTE_MS
          return run()
        }).CONTENTS,
        5_000,
      ),
      apiUrl: gitHubBindings.GITHUB_API_URL,
      secret: env.AUTH_SECRET ?? null,
      siteUrl: null,
      clock: () => Date.now() + elapsed,
    }
    expect(await publishGist(publisher, id)).toEqual({ kind: 'postponed' })
    expect((await state()).requests).toEqual(requests)
  })
})
