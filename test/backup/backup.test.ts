import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { restoreBackup, verifyBackup } from '../../src/backup/restore-backup.ts'
import { beginBackup, writeBackup } from '../../src/backup/write-backup.ts'
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
