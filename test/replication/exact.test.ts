import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { visibleDocument } from '../../src/documents/read.ts'
import { Database } from '../../src/platform/database.ts'
import { NearestCopy } from '../../src/platform/nearest-copy.ts'
import { type Account, account, session } from '../support/accounts.ts'
import { create, createAnonymous, edit, ORIGIN, read, remove, send } from '../support/client.ts'
import { LaggingCopy } from '../support/storage/lagging-copy.ts'

let copy: LaggingCopy
let creator: Account

beforeEach(async () => {
  copy = new LaggingCopy()
  creator = await account()
})

/** Every address at which people without a credential see a document. */
const READS = ['/v1/document/ID', '/ID', '/r/ID', '/raw/ID', '/ID.md', '/ID/embed'] as const

const readStatuses = (id: string) =>
  Promise.all(
    READS.map(async (path) => {
      const { status } = await send(path.replace('ID', id), {}, copy)
      return `${path} ${status}`
    }),
  )

const nowhere = READS.map((path) => `${path} 404`)

describe('a burn-after-reading document, with a copy that is behind', () => {
  it('has exactly one reader', async () => {
    const { id } = await create('once', { instant_delete: true }, { key: creator.key })
    await copy.catchUp()
    const answers = await Promise.all(Array.from({ length: 16 }, () => read(id, copy)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(404)])
  })

  it('is gone at once for everybody when it has burned', async () => {
    const { id } = await create('once', { instant_delete: true }, { key: creator.key })
    await copy.catchUp()
    expect((await read(id, copy)).body.data.content).toBe('once')
    expect(await readStatuses(id)).toEqual(nowhere)
    expect((await send(`/v1/document/${id}`, { method: 'HEAD' }, copy)).status).toBe(404)
    expect((await send(`/${id}`, { method: 'POST', headers: { Origin: ORIGIN } }, copy)).status).toBe(404)
  })

  it('is gone at once when its creator has deleted it', async () => {
    const { id } = await create('once', { instant_delete: true }, { key: creator.key })
    await copy.catchUp()
    expect((await remove(id, { key: creator.key, ...copy })).status).toBe(204)
    expect(await readStatuses(id)).toEqual(nowhere)
  })

  it('doesn’t burn once it’s an ordinary one', async () => {
    const { id } = await create('kept', { instant_delete: true }, { key: creator.key })
    await copy.catchUp()
    await edit({ id, settings: { instant_delete: false } }, { key: creator.key, ...copy })
    for (const _ of [1, 2]) expect((await read(id, copy)).body.data.content).toBe('kept')
  })

  it('keeps its JWE from people without the password', async () => {
    const settings = { instant_delete: true, encrypted: true, password: 'opensesame' }
    const { id } = await create('once', settings, { key: creator.key })
    await copy.catchUp()
    expect((await read(id, copy)).status).toBe(400)
    const headers = { 'X-Document-Password': 'opensesame' }
    expect((await read(id, { headers, ...copy })).body.data.content).toBe('once')
    expect((await read(id, { headers, ...copy })).status).toBe(404)
  })
})

describe('with a copy that is behind', () => {
  it('a creator sees their edit at once, with a key, in the browser and with a document token', async () => {
    const own = await create('before', {}, { key: creator.key })
    const anonymous = await createAnonymous('before')
    await copy.catchUp()
    await edit({ id: own.id, content: 'after' }, { key: creator.key, ...copy })
    await edit({ id: anonymous.id, content: 'after' }, { headers: anonymous.headers, ...copy })
    expect((await read(own.id, { key: creator.key, ...copy })).body.data.content).toBe('after')
    const { Cookie } = await session(creator)
    for (const path of [`/${own.id}`, `/r/${own.id}`])
      expect(await (await send(path, { headers: { Cookie } }, copy)).text()).toContain('after')
    const { body } = await read(anonymous.id, { headers: anonymous.headers, ...copy })
    expect(body.data.content).toBe('after')
    expect(copy.calls).toBe(0)
  })

  it('an editor reads and edits the newest version, and nothing once they are removed', async () => {
    const editor = await account()
    const { id } = await create('before', { editors: [editor.username] }, { key: creator.key })
    await copy.catchUp()
    await edit({ id, content: 'after' }, { key: creator.key, ...copy })
    expect((await read(id, { key: editor.key, ...copy })).body.data.content).toBe('after')
    await edit({ id, settings: { editors: [] } }, { key: creator.key, ...copy })
    expect((await edit({ id, content: 'mine' }, { key: editor.key, ...copy })).status).toBe(403)
    const { Cookie } = await session(editor)
    expect((await send(`/${id}/edit`, { headers: { Cookie } }, copy)).status).toBe(403)
    expect((await send(`/v1/document/${id}/revisions`, { headers: { Cookie } }, copy)).status).toBe(404)
  })

  it('a revoked key works no more', async () => {
    const { id } = await create('text', {}, { key: creator.key })
    await copy.catchUp()
    await env.DB.prepare('DELETE FROM api_keys WHERE user_id = ?1').bind(creator.id).run()
    expect((await edit({ id, content: 'more' }, { key: creator.key, ...copy })).status).toBe(401)
    expect((await remove(id, { key: creator.key, ...copy })).status).toBe(401)
  })

  it('a new document is found at once', async () => {
    await copy.catchUp()
    const { id } = await create('new', {}, { key: creator.key, ...copy })
    expect(await readStatuses(id)).toEqual(READS.map((path) => `${path} 200`))
  })

  it('the profile of an account is found as soon as it has a public document', async () => {
    const author = await account()
    await copy.catchUp()
    await create('new', { public: true }, { key: author.key, ...copy })
    expect((await send(`/@${author.username}`, {}, copy)).status).toBe(200)
    expect((await send(`/@${author.username}.atom`, {}, copy)).status).toBe(200)
  })

  it('an address that can’t be a document’s asks nobody', async () => {
    await copy.catchUp()
    copy.startIsolate()
    expect((await send('/not_an_id', {}, copy)).status).toBe(404)
    expect(copy.calls).toBe(0)
  })

  it('a document expires to the millisecond', async () => {
    const { id, timestamps } = await create('text', { expiration: 1 }, { key: creator.key })
    await copy.catchUp()
    const expiresAt = Date.parse(timestamps.expiration)
    const find = async (now: number) => {
      const memory = { avoidedUntil: 0 }
      const db = new Database(copy.bindings.DB, 5_000)
      const [found] = await new NearestCopy(db, { bookmark: null, memory, now }).ask(visibleDocument(id, now))
      return found
    }
    expect((await find(expiresAt - 1))?.id).toBe(id)
    expect(await find(expiresAt)).toBeNull()
  })

  it('If-Match compares with the newest version', async () => {
    const { id } = await create('before', {}, { key: creator.key })
    await copy.catchUp()
    const old = (await read(id, copy)).headers.get('ETag') ?? ''
    await edit({ id, content: 'after' }, { key: creator.key, ...copy })
    const headers = { 'If-Match': old }
    const late = await edit({ id, content: 'late' }, { key: creator.key, headers, ...copy })
    expect(late.status).toBe(412)
    const answer = await read(id, { headers, ...copy })
    expect(answer.body.data.content).toBe('after')
    expect(late.headers.get('ETag')).toBe(answer.headers.get('ETag'))
  })

  it('READ_FROM = "primary" reads nothing from it', async () => {
    copy = await new LaggingCopy({ READ_FROM: 'primary' }).catchUp()
    const { id } = await create('text', { public: true }, { key: creator.key, ...copy })
    await readStatuses(id)
    for (const path of ['/v1/public', '/explore', '/sitemap.xml']) {
      expect(await (await send(path, {}, copy)).text()).toContain(id)
    }
    expect(copy.calls).toBe(0)
  })
})
