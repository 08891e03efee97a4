import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { restoreBackup, verifyBackup } from '../../src/backup/restore-backup.ts'
import { readTables } from '../../src/backup/tables.ts'
import { beginBackup, writeBackup } from '../../src/backup/write-backup.ts'
import { insertStatement } from '../../src/backup/write-rows.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { create, edit, read, remove } from '../support/client.ts'
import { backUp, joinChunks, opener, startEmpty } from '../support/storage/backups.ts'

const restore = async (file: Uint8Array) => {
  await startEmpty()
  return restoreBackup(env, opener(file), { now: Date.now(), merge: false })
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
      Object.keys((await verifyBackup(opener(new TextEncoder().encode(text)))).header.tables),
    ).not.toContain('sessions')
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

  it('adds no revisions to a document that exists already', async () => {
    const { key } = await account()
    const { id } = await create('one', {}, { key })
    await edit({ id, content: 'two' }, { key })
    const file = await backUp()
    await env.DB.prepare('DELETE FROM revisions').run()
    await restoreBackup(env, opener(file), { now: Date.now(), merge: true })
    expect(await env.DB.prepare('SELECT count(*) AS n FROM revisions').first('n')).toBe(0)
  })

  it('of an earlier release gets the defaults of columns that it lacks', async () => {
    const { key } = await account()
    const { id } = await create('one', {}, { key })
    const before = new TextDecoder().decode(await backUp())
    // Without checksums, which the changed lines wouldn't have.
    const rows = before
      .split('\n')
      .flatMap((line) => (line.includes('"table":"documents"') ? [JSON.parse(line)] : []))
    const { revision, keep_revisions, ...values } = rows[0].values
    const [table] = (await readTables(env.DB, 'full')).filter(({ name }) => name === 'documents')
    await env.DB.prepare('DELETE FROM documents').run()
    if (table)
      await env.DB.prepare(insertStatement(table))
        .bind(JSON.stringify([values]))
        .run()
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
    expect(await restore(file)).toMatchObject({ documents: 3 })
    for (const [n, { id }] of documents.entries()) {
      expect((await read(id)).body.data.content).toBe(`${n}`.repeat(3_000_000))
    }
  })
})
