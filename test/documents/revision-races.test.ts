import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { addDocumentsByTokenHash } from '../../src/documents/document-tokens.ts'
import { Database } from '../../src/platform/database.ts'
import { hashSecret } from '../../src/shared/hashing.ts'
import { type Account, account } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { call, create, createAnonymous, edit, isolate } from '../support/client.ts'
import { NO_QUOTAS } from '../support/storage/contents.ts'
import { runCleanup } from '../support/storage/faults.ts'

interface ListedRevision {
  readonly number: number
  readonly current: boolean
  readonly size: number
}

const path = (id: string, rest = '') => `/v1/document/${id}/revisions${rest}`

const list = async (id: string, { key }: Account) =>
  (await call<{ revisions: ListedRevision[] }>('GET', path(id), undefined, { key })).body.data.revisions

const restore = (id: string, number: number, { key }: Account) =>
  call('POST', path(id, `/${number}/restore`), undefined, { key, bindings: isolate() })

const clear = (id: string, { key }: Account) =>
  call('DELETE', path(id), undefined, { key, bindings: isolate(), settle: true })

/** Stores as many revisions of a document as if it had been edited so often. */
async function seed(id: string, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const metadata = { document: id, putAt: Date.now() }
  await Promise.all(
    numbers.map((n) => env.CONTENTS.put(`content/${id}-${n}`, `${n}`.padStart(6), { metadata })),
  )
  await env.DB.batch([
    ...numbers.map((n) =>
      env.DB.prepare(
        `INSERT INTO revisions (document_id, number, content_key, content_bytes, content_until, language,
            language_chosen, created_at) VALUES (?1, ?2, ?3, 6, 253402300799999, 'plaintext', 0, 0)`,
      ).bind(id, n, `content/${id}-${n}`),
    ),
    env.DB.prepare('UPDATE documents SET revision = ?2 WHERE id = ?1').bind(id, count + 1),
    env.DB.prepare(
      `UPDATE usage SET bytes = bytes + 6 * ?2
        WHERE account_id IN ('', (SELECT creator_id FROM documents WHERE id = ?1))`,
    ).bind(id, count),
  ])
}

/** Checks that each key is in one row, that no row's content is pending deletion, and that every content can be read. */
async function expectSound(id: string, creator: Account): Promise<void> {
  const { results } = await env.DB.prepare(
    `SELECT content_key FROM documents WHERE id = ?1
      UNION ALL SELECT content_key FROM revisions WHERE document_id = ?1`,
  )
    .bind(id)
    .all<{ content_key: string }>()
  const keys = results.map(({ content_key }) => content_key)
  expect(new Set(keys).size).toBe(keys.length)
  await runCleanup(env, Date.now() + 10 * 60_000)
  const contents = await Promise.all(keys.map((key) => env.CONTENTS.get(key)))
  expect(contents).not.toContain(null)
  const revisions = await list(id, creator)
  expect(revisions).toHaveLength(keys.length)
  for (const { number } of revisions) {
    expect((await call('GET', path(id, `/${number}`), undefined, { key: creator.key })).status).toBe(200)
  }
  const bytes = contents.reduce((sum, content) => sum + (content ?? '').length, 0)
  const usage = env.DB.prepare('SELECT bytes FROM usage WHERE account_id = ?1').bind(creator.id)
  expect(await usage.first('bytes')).toBe(bytes)
}

describe('revisions', () => {
  it('keep a text whose edit got no answer before another edit replaced it', async () => {
    const creator = await account()
    const { key } = creator
    const { id } = await create('one', {}, { key })
    let puts = 0
    let isLost = false
    const bindings = bindingsWith(async (name, run) => {
      const result = await run()
      if (name === 'CONTENTS.put') puts += 1
      if (name !== 'DB.batch' || puts === 0 || isLost) return result
      isLost = true
      await edit({ id, content: 'another' }, { key })
      throw new Error('Network connection lost')
    })
    expect((await edit({ id, content: 'lost' }, { key, bindings, settle: true })).status).toBe(200)
    expect((await list(id, creator)).map(({ size }) => size)).toEqual([4, 7, 4, 3])
    await expectSound(id, creator)
  })

  it('stay if an account takes the document over while the holder of its token deletes them', async () => {
    const creator = await account()
    const { id, headers, token } = await createAnonymous('one')
    await edit({ id, content: 'two' }, { headers })
    const db = new Database(env.DB, 5_000)
    const taken = { id, tokenHash: await hashSecret(token) }
    let batches = 0
    const bindings = bindingsWith(async (name, run) => {
      if (name === 'DB.batch' && ++batches === 1) {
        await addDocumentsByTokenHash(db, [taken], {
          creatorId: creator.id,
          now: Date.now(),
          quotas: NO_QUOTAS,
        })
      }
      return run()
    })
    expect((await call('DELETE', path(id), undefined, { headers, bindings, settle: true })).status).toBe(404)
    expect(batches).toBe(1)
    expect(await list(id, creator)).toHaveLength(2)
    await expectSound(id, creator)
  })

  it('have the content of each of two edits at once', async () => {
    const creator = await account()
    const { id } = await create('one', {}, { key: creator.key })
    const edits = ['first', 'second!'].map((content) =>
      edit({ id, content }, { key: creator.key, bindings: isolate() }),
    )
    expect((await Promise.all(edits)).map(({ status }) => status)).toEqual([200, 200])
    const revisions = await list(id, creator)
    expect(revisions.map(({ number }) => number)).toEqual([3, 2, 1])
    expect(new Set(revisions.map(({ size }) => size))).toEqual(new Set([3, 5, 7]))
    await expectSound(id, creator)
  })

  it('survive a restore, an edit, a settings change and a deletion of the history at once', async () => {
    const creator = await account()
    const { key } = creator
    for (let run = 0; run < 5; run++) {
      const { id } = await create('one', {}, { key })
      await edit({ id, content: 'two!' }, { key })
      const answers = await Promise.all([
        restore(id, 1, creator),
        edit({ id, content: 'three' }, { key, bindings: isolate() }),
        edit({ id, settings: { expiration: null } }, { key, bindings: isolate() }),
        clear(id, creator),
      ])
      const [restored, ...others] = answers.map(({ status }) => status)
      expect([200, 404]).toContain(restored)
      expect(others).toEqual([200, 200, 204])
      await expectSound(id, creator)
      await call('DELETE', `/v1/document/${id}`, undefined, { key, settle: true })
    }
  })

  it('are never restored once their deletion was acknowledged', async () => {
    const creator = await account()
    const { key } = creator
    const { id } = await create('taken out', {}, { key })
    await edit({ id, content: 'two' }, { key })
    let cleared: Promise<unknown> | null = null
    const bindings = {
      ...env,
      CONTENTS: new Proxy(env.CONTENTS, {
        get: (kv, name) =>
          name === 'put'
            ? async (...parameters: Parameters<KVNamespace['put']>) => {
                // After the restore has read the revision, and before it writes the document.
                cleared ??= clear(id, creator)
                await cleared
                return kv.put(...parameters)
              }
            : Reflect.get(kv, name).bind(kv),
      }),
    }
    const answer = await call('POST', path(id, '/1/restore'), undefined, { key, bindings, settle: true })
    expect(answer.status).toBe(404)
    expect((await call('GET', `/v1/document/${id}`)).body.data.content).toBe('two')
    await expectSound(id, creator)
  })

  it('are gone after burning was turned on, however many edits came in between', async () => {
    const creator = await account()
    const { key } = creator
    const { id } = await create('one', {}, { key })
    await Promise.all([
      edit({ id, content: 'two!' }, { key, bindings: isolate() }),
      edit({ id, settings: { instant_delete: true } }, { key, bindings: isolate() }),
      edit({ id, content: 'three' }, { key, bindings: isolate() }),
    ])
    expect((await list(id, creator)).map(({ current }) => current)).toEqual([true])
    await expectSound(id, creator)
  })

  it('number 50 at most, even if two people restore at once', async () => {
    const creator = await account()
    const editor = await account()
    const { key } = creator
    const { id } = await create('0', { editors: [editor.username] }, { key })
    await seed(id, 49)
    for (let n = 1; n <= 3; n++) await edit({ id, content: 'x'.repeat(n) }, { key })
    expect((await list(id, creator)).map(({ number }) => number)).toEqual(
      Array.from({ length: 51 }, (_, index) => 53 - index),
    )
    const answers = await Promise.all([restore(id, 10, creator), restore(id, 20, editor)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const revisions = await list(id, editor)
    expect(revisions.map(({ number }) => number)).toEqual(
      Array.from({ length: 51 }, (_, index) => 55 - index),
    )
    await expectSound(id, creator)
  })

  it('have 50 MiB at most', async () => {
    const creator = await account()
    const { key } = creator
    const { id } = await create('0', {}, { key })
    // Contents of this size take seconds to store.
    const enlarge = () =>
      env.DB.batch([
        env.DB.prepare(
          `UPDATE usage SET bytes = bytes + 10485760 - (SELECT content_bytes FROM documents WHERE id = ?1)
            WHERE account_id IN ('', ?2)`,
        ).bind(id, creator.id),
        env.DB.prepare('UPDATE documents SET content_bytes = 10485760 WHERE id = ?1').bind(id),
      ])
    for (let n = 1; n <= 6; n++) {
      await enlarge()
      await edit({ id, content: `${n}!`.repeat(n) }, { key })
    }
    await enlarge()
    expect((await list(id, creator)).map(({ number }) => number)).toEqual([7, 6, 5, 4, 3, 2])
    const usage = env.DB.prepare('SELECT bytes FROM usage WHERE account_id = ?1').bind(creator.id)
    expect(await usage.first('bytes')).toBe(60 * 1024 * 1024)
  })
})
