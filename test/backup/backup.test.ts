import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { readTables } from '../../scripts/backup/format.ts'
import { recoverDatabase } from '../../scripts/backup/recover.ts'
import { restoreBackup, verifyBackup } from '../../scripts/backup/restore-backup.ts'
import { beginBackup, requireContents, writeBackup } from '../../scripts/backup/write-backup.ts'
import { insertStatements } from '../../scripts/backup/write-rows.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith, countCalls } from '../support/bindings.ts'
import { create, edit, read, remove } from '../support/client.ts'
import { ACTOR, backUp, joinChunks, opener } from '../support/storage/backups.ts'
import { findContentKey, loseContent } from '../support/storage/contents.ts'
import { startEmpty } from '../support/storage/wipe.ts'

const restore = async (file: Uint8Array, chunkBytes?: number) => {
  await startEmpty()
  return restoreBackup(env, opener(file, chunkBytes), { now: Date.now(), actor: ACTOR })
}

beforeEach(startEmpty)

describe('a backup', () => {
  it('holds no session, no link and no key, only the hashes of keys', async () => {
    const { key } = await account()
    await create('text', {}, { key })
    await env.DB.prepare("INSERT INTO verifications VALUES ('v', 'link-hash', 'value', 1, 2)").run()
    const text = new TextDecoder().decode(await backUp())
    expect(text).not.toContain(key)
    expect(text).not.toContain('link-hash')
    expect(
      Object.keys((await verifyBackup(opener(new TextEncoder().encode(text)), Date.now())).header.tables),
    ).not.toContain('sessions')
  })

  it('holds what the operator has switched, but not which Worker the database belongs to', async () => {
    await create('text')
    const switched = { name: 'anonymous_documents', value: 'refuse', changed_at: 0 }
    await env.DB.exec(
      "INSERT INTO switches VALUES ('anonymous_documents', 'refuse', 0), ('worker', 'regent', 0)",
    )
    await restore(await backUp())
    expect((await env.DB.prepare('SELECT * FROM switches').all()).results).toEqual([switched])
  })

  it('takes the present content of a document that is edited while it is read', async () => {
    const { key } = await account()
    const { id } = await create('old', { revisions: false }, { key })
    let edited = false
    const bindings = bindingsWith(async (call, run) => {
      if (call === 'CONTENTS.get' && !edited) {
        edited = true
        await edit({ id, content: 'new' }, { key })
        await env.CONTENTS.delete(
          String(await env.DB.prepare('SELECT content_key FROM detached_contents').first('content_key')),
        )
      }
      return run()
    })
    await restore(await backUp({ bindings }))
    expect((await read(id)).body.data.content).toBe('new')
  })

  it('holds revisions with their content', async () => {
    const { id: accountId, key } = await account()
    const { id } = await create('one', { language: 'json' }, { key })
    await edit({ id, content: 'two' }, { key })
    await edit({ id, content: 'three' }, { key })
    await restore(await backUp())
    const { results } = await env.DB.prepare(
      'SELECT number, content_key FROM revisions ORDER BY number',
    ).all()
    expect(results.map(({ number }) => number)).toEqual([1, 2])
    const contents = await Promise.all(
      results.map(({ content_key }) => env.CONTENTS.get(String(content_key))),
    )
    expect(contents).toEqual(['one', 'two'])
    expect(
      await env.DB.prepare('SELECT bytes FROM usage WHERE account_id = ?1').bind(accountId).first('bytes'),
    ).toBe('onetwothree'.length)
  })

  it('of an earlier release gets the defaults of columns that it lacks', async () => {
    const { key } = await account()
    const { id } = await create('one', {}, { key })
    const before = new TextDecoder().decode(await backUp())
    // Without checksums, which the changed lines wouldn't have.
    const rows = before
      .split('\n')
      .flatMap((line) => (line.includes('"type":"row","table":"documents"') ? [JSON.parse(line)] : []))
    const { revision, keep_revisions, ...values } = rows[0].values
    const [table] = (await readTables(env.DB, 'full')).filter(({ name }) => name === 'documents')
    await env.DB.prepare('DELETE FROM documents').run()
    if (table)
      await env.DB.batch(
        insertStatements(table).map((sql) => env.DB.prepare(sql).bind(JSON.stringify([values]))),
      )
    expect([revision, keep_revisions]).toEqual([1, 1])
    const row = env.DB.prepare('SELECT revision, keep_revisions FROM documents WHERE id = ?1').bind(id)
    expect(await row.first()).toEqual({ revision: 1, keep_revisions: 1 })
  })

  it('leaves out a document that is deleted while it is read', async () => {
    const { key } = await account()
    const { id } = await create('deleted', {}, { key })
    const kept = await create('kept', {}, { key })
    let removal: Promise<unknown> | null = null
    const bindings = bindingsWith(async (call, run) => {
      if (call === 'CONTENTS.get') {
        // Documents are fetched in parallel: all of them wait for the deletion.
        removal ??= remove(id, { key, settle: true })
        await removal
      }
      return run()
    })
    expect(await restore(await backUp({ bindings }))).toMatchObject({ documents: 1 })
    expect((await read(kept.id)).body.data.content).toBe('kept')
  })

  it('of texts with a byte order mark, NULs and CRLFs is the same byte for byte', async () => {
    const { key } = await account()
    const texts = ['\uFEFFmark', 'a\0b\r\nc', '😀'.repeat(30_000), '\uFEFF\uFEFF']
    const ids: string[] = []
    for (const text of texts) ids.push((await create(text, {}, { key })).id)
    const { id } = await create('\uFEFFold', {}, { key })
    await edit({ id, content: 'new' }, { key })
    await restore(await backUp())
    for (const [n, text] of texts.entries()) {
      expect((await read(ids[n] ?? '')).body.data.content).toBe(text)
    }
    const old = await env.DB.prepare('SELECT content_key FROM revisions').first<string>('content_key')
    expect(new Uint8Array((await env.CONTENTS.get(old ?? '', 'arrayBuffer')) ?? [])).toEqual(
      new TextEncoder().encode('\uFEFFold'),
    )
  })

  it('reads content and revisions of a hundred documents in a few calls', async () => {
    const { key } = await account()
    for (let n = 0; n < 30; n++) {
      const { id } = await create(`${n}`, {}, { key })
      await edit({ id, content: `${n} again` }, { key })
    }
    const { bindings, calls } = countCalls()
    const file = await backUp({ bindings })
    expect(calls.filter((call) => call === 'CONTENTS.get')).toHaveLength(1)
    expect(await restore(file)).toMatchObject({ documents: 30 })
  })

  it('continues after its last whole part', async () => {
    const { key } = await account()
    const documents = await Promise.all(
      Array.from({ length: 3 }, (_, n) => create(`${n}`.repeat(3_000_000), {}, { key })),
    )
    const chunks: Uint8Array[] = []
    let progress = beginBackup({ kind: 'full', now: Date.now(), burnAfterReading: false })
    for (let runs = 0; !progress.finished; runs++) {
      expect(runs).toBeLessThan(20)
      // Each run is interrupted after one part.
      for await (const part of writeBackup(env, progress)) {
        chunks.push(...part.chunks)
        progress = JSON.parse(JSON.stringify(part.progress))
        break
      }
    }
    expect(progress.parts).toBeGreaterThan(1)
    const file = joinChunks(chunks)
    expect(await restore(file, 100_000)).toMatchObject({ documents: 3 })
    for (const [n, { id }] of documents.entries()) {
      expect((await read(id)).body.data.content === `${n}`.repeat(3_000_000)).toBe(true)
    }
  })
})

describe('a backup of a service that has lost content', () => {
  /** Creates documents, so that those without content are few. */
  async function createMany(count: number, key: string): Promise<string[]> {
    const ids: string[] = []
    for (let n = 0; n < count; n++) ids.push((await create(`text ${n}`, {}, { key })).id)
    return ids
  }

  it('names each document that is missing, keeps its row, and restores the rest', async () => {
    const { key } = await account()
    const ids = await createMany(12, key)
    const lost = ids.slice(3, 5)
    for (const id of lost) await loseContent(id)
    const file = await backUp()
    const { end, missing } = await verifyBackup(opener(file), Date.now())
    expect(end).toMatchObject({ rows: { documents: 10 }, missing: { documents: 2, revisions: 0 } })
    expect(missing.toSorted((a, b) => (a.document < b.document ? -1 : 1))).toEqual(
      lost.toSorted().map((document) => ({ document, revision: null })),
    )
    expect(new TextDecoder().decode(file)).toMatch(/"type":"missing".*"values":\{.*"language":"plaintext"/)
    expect(await restore(file)).toMatchObject({ documents: 10, missing })
    expect((await read(lost[0] ?? '')).status).toBe(404)
    expect((await read(ids[0] ?? '')).body.data.content).toBe('text 0')
  })

  it('names a revision that is missing, and restores its document with the others', async () => {
    const { key } = await account()
    const { id } = await create('one', {}, { key })
    await edit({ id, content: 'two' }, { key })
    await edit({ id, content: 'three' }, { key })
    const lost = env.DB.prepare('SELECT content_key FROM revisions WHERE number = 1')
    await env.CONTENTS.delete((await lost.first<string>('content_key')) ?? '')
    const file = await backUp()
    expect((await verifyBackup(opener(file), Date.now())).missing).toEqual([{ document: id, revision: 1 }])
    await restore(file)
    expect((await read(id)).body.data.content).toBe('three')
    const { results } = await env.DB.prepare('SELECT number FROM revisions').all()
    expect(results).toEqual([{ number: 2 }])
  })

  it('asks again for content that arrives late', async () => {
    const { key } = await account()
    await createMany(12, key)
    const { id } = await create('late', {}, { key })
    const contentKey = await findContentKey(id)
    await loseContent(id)
    let reads = 0
    const bindings = bindingsWith(async (call, run) => {
      // The bulk read, and a read of its own.
      if (call === 'CONTENTS.get' && ++reads === 3) await env.CONTENTS.put(contentKey ?? '', 'late')
      return run()
    })
    const file = await backUp({ bindings })
    expect((await verifyBackup(opener(file), Date.now())).missing).toEqual([])
    await restore(file)
    expect((await read(id)).body.data.content).toBe('late')
  })

  it('does not take a document for missing that is deleted or burned meanwhile', async () => {
    const { key } = await account()
    await createMany(12, key)
    const { id } = await create('deleted', {}, { key })
    await loseContent(id)
    let reads = 0
    const bindings = bindingsWith(async (call, run) => {
      if (call === 'CONTENTS.get' && ++reads === 1) await remove(id, { key })
      return run()
    })
    expect((await verifyBackup(opener(await backUp({ bindings })), Date.now())).missing).toEqual([])
  })

  it('keeps the list of missing contents when it is interrupted', async () => {
    const { key } = await account()
    const ids = await createMany(3, key)
    const large = await create('x'.repeat(9_000_000), {}, { key })
    for (const id of ids) await loseContent(id)
    const chunks: Uint8Array[] = []
    let progress = beginBackup({ kind: 'full', now: Date.now(), burnAfterReading: false })
    while (!progress.finished) {
      for await (const part of writeBackup(env, progress)) {
        chunks.push(...part.chunks)
        progress = JSON.parse(JSON.stringify(part.progress))
        break
      }
    }
    const { end, missing } = await verifyBackup(opener(joinChunks(chunks), 100_000), Date.now())
    expect(missing.map(({ document }) => document).sort()).toEqual(ids.toSorted())
    expect(end).toMatchObject({ rows: { documents: 1 }, missing: { documents: 3, revisions: 0 } })
    expect(large.id).not.toBe('')
  })

  it('is refused if nearly all is missing, which looks like the wrong namespace', async () => {
    const { key } = await account()
    const ids = await createMany(11, key)
    for (const id of ids.slice(1)) await loseContent(id)
    await expect(requireContents(env, { now: Date.now() })).rejects.toThrow(
      'This looks like the wrong namespace: KV has the content of 1 of 11 documents.',
    )
    await loseContent(ids[0] ?? '')
    const options = { now: Date.now(), actor: ACTOR, apply: true, keepAccounts: false }
    await expect(recoverDatabase(env, null, options)).rejects.toThrow('This looks like the wrong namespace')
    expect(await env.DB.prepare('SELECT count(*) AS n FROM documents').first('n')).toBe(11)
    await recoverDatabase(env, null, { ...options, withoutContent: true })
    expect(await env.DB.prepare('SELECT count(*) AS n FROM documents').first('n')).toBe(0)
  })

  it('of an empty service, or one whose documents are there, goes on', async () => {
    await requireContents(env, { now: Date.now() })
    await create('text')
    await requireContents(env, { now: Date.now() })
  })
})

it.each(['deleted', 'edited', 'edited with a revision'])(
  'does not call content missing when its document is %s at the last look',
  async (change) => {
    const { key } = await account()
    const { id } = await create('old', { revisions: change === 'edited with a revision' }, { key })
    let bulkReads = 0
    const bindings = bindingsWith(async (call, run) => {
      const found = await run()
      if (call !== 'CONTENTS.get' || bulkReads > 3) return found
      // KV finds nothing in three rounds. In the fourth, the document changes after its row was read.
      if (!(found instanceof Map)) return null
      bulkReads += 1
      if (bulkReads > 3) {
        if (change === 'deleted') await remove(id, { key, settle: true })
        else await edit({ id, content: 'new' }, { key })
      }
      for (const name of found.keys()) found.set(name, null)
      const { results } = await env.DB.prepare('SELECT content_key FROM detached_contents').all()
      for (const { content_key } of results) await env.CONTENTS.delete(String(content_key))
      return found
    })
    const file = await backUp({ bindings })
    expect(bulkReads).toBe(4)
    const { end, missing } = await verifyBackup(opener(file), Date.now())
    expect({ missing, documents: end.rows.documents ?? 0 }).toEqual({
      missing: [],
      documents: change === 'deleted' ? 0 : 1,
    })
  },
)
