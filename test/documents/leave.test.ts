import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { addEditor } from '../../src/documents/edit.ts'
import { leaveDocument } from '../../src/documents/editors.ts'
import { requireDocument } from '../../src/documents/read.ts'
import { type Account, account } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { create, edit, read } from '../support/client.ts'
import { openStore } from '../support/storage/contents.ts'

const leave = (
  id: string,
  viewer: { id: string },
  { bindings = env, now = Date.now() }: { bindings?: Env; now?: number } = {},
) =>
  requireDocument(openStore(bindings), id, now).then((found) =>
    leaveDocument(openStore(bindings), found, viewer),
  )

/** Returns bindings for somebody else's request, during which an editor leaves. */
function leavingMeanwhile(id: string, editor: Account): { bindings: Env; left: () => boolean } {
  let left = false
  const bindings = bindingsWith(async (call, run) => {
    if (call === 'DB.batch' && !left) {
      left = true
      await leave(id, editor)
    }
    return run()
  })
  return { bindings, left: () => left }
}

async function scene() {
  const [owner, one, two] = [await account(), await account(), await account()]
  const editors = [one.username, two.username]
  const { id } = await create('text', { editors }, { key: owner.key })
  return { owner, one, two, id }
}

const findRow = (id: string) =>
  env.DB.prepare('SELECT has_editors, version, updated_at, saved_by FROM documents WHERE id = ?1')
    .bind(id)
    .first<{ has_editors: number; version: string; updated_at: number; saved_by: string | null }>()

const readEditors = async (id: string): Promise<string[]> => (await read(id)).body.data.settings.editors

describe('leaving a document', () => {
  it('removes the editor who leaves and nobody else', async () => {
    const { id, one, two, owner } = await scene()
    const before = await findRow(id)
    await leave(id, one)
    expect(await readEditors(id)).toEqual([two.username])
    const after = await findRow(id)
    expect(after).toEqual({ ...before, version: expect.any(String) })
    expect(after?.version).not.toBe(before?.version)
    expect((await edit({ id, content: 'x' }, { key: one.key })).status).toBe(403)
    expect((await edit({ id, content: 'y' }, { key: two.key })).status).toBe(200)
    await leave(id, two)
    expect(await findRow(id)).toMatchObject({ has_editors: 0 })
    expect(await readEditors(id)).toEqual([])
    expect((await edit({ id, content: 'z' }, { key: owner.key })).status).toBe(200)
  })

  it('is refused for the creator, for strangers and for editors who have left', async () => {
    const { id, one, owner } = await scene()
    const before = await findRow(id)
    const refused = { code: 'bad_auth', message: 'You are not an editor of this document' }
    await expect(leave(id, owner)).rejects.toMatchObject(refused)
    await expect(leave(id, await account())).rejects.toMatchObject(refused)
    expect(await findRow(id)).toEqual(before)
    await leave(id, one)
    await expect(leave(id, one)).rejects.toMatchObject(refused)
  })

  it('fails for a document that has expired or never existed', async () => {
    const { id, one } = await scene()
    const later = Date.now() + 8 * 86_400_000
    await expect(leave(id, one, { now: later })).rejects.toMatchObject({ code: 'not_found' })
    await expect(leave('xxxxxxxx', one)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('takes effect once if its first response is lost', async () => {
    const { id, one, two } = await scene()
    const versions: (string | undefined)[] = []
    let batches = 0
    const bindings = bindingsWith(async (call, run) => {
      const result = await run()
      if (call !== 'DB.batch') return result
      versions.push((await findRow(id))?.version)
      if (++batches === 1) throw new Error('Network connection lost')
      return result
    })
    await leave(id, one, { bindings })
    expect(batches).toBe(2)
    expect(versions[0]).toBe(versions[1])
    expect(await readEditors(id)).toEqual([two.username])
  })

  it('isn’t undone by a concurrent change of the editors', async () => {
    const { id, one, two, owner } = await scene()
    const third = await account()
    const { bindings, left } = leavingMeanwhile(id, one)
    const now = Date.now()
    const found = await requireDocument(openStore(), id, now)
    await addEditor(openStore(bindings), found, third, { viewer: owner, now })
    expect(left()).toBe(true)
    expect(await readEditors(id)).toEqual([two.username, third.username])
  })

  it('as the last editor isn’t undone by a concurrent edit', async () => {
    const { id, one, two, owner } = await scene()
    await leave(id, two)
    const { bindings, left } = leavingMeanwhile(id, one)
    const { status } = await edit({ id, settings: { public: true } }, { key: owner.key, bindings })
    expect(left()).toBe(true)
    expect(status).toBe(200)
    expect((await read(id)).body.data.settings).toMatchObject({ public: true, editors: [] })
    expect(await findRow(id)).toMatchObject({ has_editors: 0 })
  })

  it('removes all editors if all leave at once', async () => {
    const owner = await account()
    const editors: Account[] = await Promise.all(Array.from({ length: 20 }, () => account()))
    const names = editors.map(({ username }) => username)
    const { id } = await create('x', { editors: names }, { key: owner.key })
    await Promise.all([
      ...editors.map((editor) => leave(id, editor)),
      edit({ id, content: 'meanwhile' }, { key: owner.key }),
    ])
    expect(await readEditors(id)).toEqual([])
    expect(await findRow(id)).toMatchObject({ has_editors: 0 })
    expect((await read(id)).body.data.content).toBe('meanwhile')
  })
})
