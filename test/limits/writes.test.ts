import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Account, account, session } from '../support/accounts.ts'
import { bindingsWith, countCalls } from '../support/bindings.ts'
import { call, create, createAnonymous, edit, ORIGIN, read, send, withVars } from '../support/client.ts'
import { startBeforeMidnight } from '../support/day.ts'
import { sendForm } from '../support/site/forms.ts'
import { createHistory } from '../support/site/history.ts'
import { runCleanup } from '../support/storage/faults.ts'
import { LIMITED, repeat } from './support.ts'

const DAY_MS = 86_400_000

beforeEach(startBeforeMidnight)

beforeEach(async () => {
  await env.DB.prepare("UPDATE usage SET created = 0 WHERE account_id = ''").run()
})

/** How many writes of an account, or of the whole server, count today. */
const countWrites = ({ id }: Pick<Account, 'id'> = { id: '' }) =>
  env.DB.prepare('SELECT created FROM usage WHERE account_id = ?1 AND day = ?2')
    .bind(id, Math.floor(Date.now() / DAY_MS))
    .first<number>('created')

const findContent = (id: string) =>
  env.DB.prepare('SELECT content_key AS key, content_until AS until FROM documents WHERE id = ?1')
    .bind(id)
    .first<{ key: string; until: number }>()

const restore = (id: string, key: string, bindings?: Env) =>
  call('POST', `/v1/document/${id}/revisions/1/restore`, undefined, { key, ...(bindings && { bindings }) })

const extend = (id: string, days: number | null, key: string, bindings: Env = env) =>
  edit({ id, settings: { expiration: days } }, { key, bindings, settle: true })

describe('the writes of a day', () => {
  it('are creates, edits and restores, and no changes of settings, deletions or adoptions', async () => {
    const { creator, id } = await createHistory(['one', 'two'])
    const { key } = creator
    expect([await countWrites(creator), await countWrites()]).toEqual([2, 2])
    await restore(id, key)
    // As long as the old text, and without a revision.
    await edit({ id, settings: { revisions: false } }, { key })
    await edit({ id, content: 'six' }, { key })
    expect([await countWrites(creator), await countWrites()]).toEqual([4, 4])
    await edit({ id, content: 'six', settings: { image_embed: true, language: 'go' } }, { key })
    await edit({ id, settings: { expiration: 1 } }, { key })
    const { token, id: anonymous } = await createAnonymous('x')
    const devices = { documents: JSON.stringify([{ id: anonymous, token }]) }
    await sendForm('/device', devices, { headers: await session(creator) })
    await call('DELETE', `/v1/document/${id}`, undefined, { key })
    expect([await countWrites(creator), await countWrites()]).toEqual([4, 5])
  })

  it('end for creates, edits and restores together, until the next day', async () => {
    const { creator, id } = await createHistory(['one', 'two'])
    const { key } = creator
    const bindings = withVars({ ACCOUNT_MAX_WRITES_PER_DAY: '3' })
    expect((await edit({ id, content: 'three' }, { key, bindings })).status).toBe(200)
    const refused = await edit({ id, content: 'four' }, { key, bindings })
    expect([refused.status, (await restore(id, key, bindings)).status]).toEqual([429, 429])
    expect((await call('POST', '/v1/document', { content: 'x' }, { key, bindings })).status).toBe(429)
    const seconds = Number(refused.headers.get('Retry-After'))
    expect(Math.abs(86_400 - ((Date.now() / 1_000) % 86_400) - seconds)).toBeLessThan(20)
    expect((await read(id)).body.data.content).toBe('three')
    // What stores nothing in KV still works.
    expect((await edit({ id, settings: { image_embed: true } }, { key, bindings })).status).toBe(200)
    await env.DB.prepare('UPDATE usage SET day = day - 1').run()
    expect((await edit({ id, content: 'four' }, { key, bindings })).status).toBe(200)
    expect(await countWrites(creator)).toBe(1)
  })

  it('count for the editor who makes them, even one who has created nothing', async () => {
    const { creator, editor, id } = await createHistory(['one'])
    const bindings = withVars({ ACCOUNT_MAX_WRITES_PER_DAY: '2' })
    for (const [content, status] of [
      ['two', 200],
      ['three', 200],
      ['four', 429],
    ] as const) {
      expect((await edit({ id, content }, { key: editor.key, bindings })).status).toBe(status)
    }
    expect([await countWrites(creator), await countWrites(editor)]).toEqual([1, 2])
    expect((await edit({ id, content: 'four' }, { key: creator.key, bindings })).status).toBe(200)
    const usage = env.DB.prepare('SELECT documents, bytes FROM usage WHERE account_id = ?1')
    expect(await usage.bind(editor.id).first()).toEqual({ documents: 0, bytes: 0 })
    expect(await usage.bind(creator.id).first()).toEqual({ documents: 1, bytes: 'onetwothreefour'.length })
  })

  it('of a document token count for the share of the server that needs no account', async () => {
    const bindings = withVars({ SERVER_MAX_WRITES_PER_DAY: '10' })
    const { id, headers } = await createAnonymous('0', undefined, { bindings })
    const statuses: number[] = []
    for (let number = 1; number <= 9; number++)
      statuses.push((await edit({ id, content: String(number) }, { headers, bindings })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 429])
    const { key } = await account()
    expect((await call('POST', '/v1/document', { content: 'x' }, { key, bindings })).status).toBe(200)
  })

  it('are exact while edits run side by side', async () => {
    const { key, ...user } = await account()
    const documents = await Promise.all(['a', 'b', 'c', 'd'].map((text) => create(text, {}, { key })))
    const answers = await Promise.all(
      documents.map(({ id }) => {
        const bindings = withVars({ ACCOUNT_MAX_WRITES_PER_DAY: '6' })
        return edit({ id, content: 'changed' }, { key, bindings })
      }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429])
    expect(await countWrites(user)).toBe(6)
  })

  it('count once if the answer of D1 is lost', async () => {
    const { creator, id } = await createHistory(['one'])
    let lost = false
    const bindings = bindingsWith(async (name, run) => {
      const result = await run()
      if (name !== 'DB.batch' || lost) return result
      lost = true
      throw new Error('Network connection lost')
    })
    expect((await edit({ id, content: 'two' }, { key: creator.key, bindings })).status).toBe(200)
    expect([lost, await countWrites(creator)]).toEqual([true, 2])
  })
})

describe('a later expiry', () => {
  it('stores the content again only where KV would delete it too early, and then with room to spare', async () => {
    const { key, ...user } = await account()
    const { id } = await create('x'.repeat(1_000), { expiration: 7 }, { key })
    const { bindings, calls } = countCalls()
    const count = (name: string) => calls.filter((called) => called === name).length
    // An hour later with every request.
    for (let hours = 1; hours <= 60; hours++) await extend(id, 7 + hours / 24, key, bindings)
    expect({ puts: count('CONTENTS.put'), writes: await countWrites(user) }).toEqual({ puts: 1, writes: 2 })
    for (const days of [29, 31, 59, 61, 119, 121, 239, 241, 500, 3_000, null])
      await extend(id, days, key, bindings)
    expect({ puts: count('CONTENTS.put'), writes: await countWrites(user) }).toEqual({ puts: 4, writes: 5 })
    expect((await read(id)).body.data.content).toHaveLength(1_000)
  })

  it('counts as a write, and is refused once there is none left', async () => {
    const { key } = await account()
    const { id } = await create('x', { expiration: 7 }, { key })
    const bindings = withVars({ ACCOUNT_MAX_WRITES_PER_DAY: '1' })
    expect((await extend(id, 8, key, bindings)).status).toBe(429)
    expect((await extend(id, 6, key, bindings)).status).toBe(200)
    expect((await extend(id, 6.5, key, bindings)).status).toBe(200)
  })

  it('counts the revisions that cleanup has to copy, each once', async () => {
    const { creator, id } = await createHistory(['one', 'two', 'three'], { expiration: 2 })
    const { key } = creator
    await extend(id, 10, key)
    expect(await countWrites(creator)).toBe(3 + 1 + 2)
    await extend(id, 20, key)
    expect(await countWrites(creator)).toBe(6)
    expect((await runCleanup()).copied).toBe(2)
    // The copies have room to spare, too.
    await extend(id, 25, key)
    expect((await runCleanup(env, Date.now() + DAY_MS)).copied).toBe(0)
    expect(await countWrites(creator)).toBe(6)
  })

  it('counts the text that an edit replaces if cleanup has to copy it', async () => {
    const { key, ...user } = await account()
    const { id } = await create('one', { expiration: 2 }, { key })
    await edit({ id, content: 'two', settings: { expiration: 3 } }, { key })
    expect(await countWrites(user)).toBe(3)
    expect((await runCleanup()).copied).toBe(1)
  })

  it('is refused if only the revisions have to be copied, and no write is left for them', async () => {
    const { key } = await account()
    const { id } = await create('one', { expiration: 7 }, { key })
    await edit({ id, content: 'two', settings: { expiration: 6 } }, { key })
    // From now on, KV keeps the text for 30 days, and its revision for 7.
    await extend(id, 6.5, key)
    expect((await extend(id, 20, key, withVars({ ACCOUNT_MAX_WRITES_PER_DAY: '3' }))).status).toBe(429)
    expect((await extend(id, 20, key, withVars({ ACCOUNT_MAX_WRITES_PER_DAY: '4' }))).status).toBe(200)
  })

  it('is refused if there aren’t enough writes left for the revisions', async () => {
    const { creator, id } = await createHistory(['one', 'two', 'three'], { expiration: 2 })
    const bindings = withVars({ ACCOUNT_MAX_WRITES_PER_DAY: '5' })
    const before = await findContent(id)
    expect((await extend(id, 10, creator.key, bindings)).status).toBe(429)
    expect(await findContent(id)).toEqual(before)
    expect((await runCleanup()).copied).toBe(0)
  })
})

describe('content that KV would keep for longer than its document', () => {
  it('is deleted by cleanup once the document has expired', async () => {
    const { key } = await account()
    const { id } = await create('x', { expiration: 1 }, { key })
    await extend(id, 2, key)
    const content = await findContent(id)
    if (!content) throw new Error('no document')
    const expiresAt = Date.parse((await read(id)).body.data.timestamps.expiration)
    expect(content.until - expiresAt).toBeGreaterThan(27 * DAY_MS)
    const { bindings, calls } = countCalls()
    await runCleanup(bindings, expiresAt + 6 * 60_000)
    expect(calls).toContain('CONTENTS.delete')
    expect(await env.CONTENTS.get(content.key)).toBeNull()
    expect(await env.DB.prepare('SELECT 1 FROM documents WHERE id = ?1').bind(id).first()).toBeNull()
    expect((await send(`/r/${id}`)).status).toBe(404)
  })
})

describe('the previous release', () => {
  it('checks its creates, and its edits count', async () => {
    const { creator, id } = await createHistory(['one'])
    await env.DB.prepare(
      `UPDATE documents SET content_key = 'content/other', content_bytes = 5, revision = 2, version = 'v',
          saved_by = ?2, updated_at = ?3 WHERE id = ?1`,
    )
      .bind(id, creator.id, Date.now())
      .run()
    expect(await countWrites(creator)).toBe(2)
    const check = (creates: number) =>
      env.DB.prepare(
        `INSERT INTO quota_checks (account_id, day, account_documents, account_bytes, account_creates,
            server_documents, server_bytes, server_creates) VALUES (?1, ?2, NULL, NULL, ?3, NULL, NULL, NULL)`,
      )
        .bind(creator.id, Math.floor(Date.now() / DAY_MS), creates)
        .run()
    await check(2)
    await expect(check(1)).rejects.toThrow('quota: account creates')
  })
})

it('limits changes of lists of editors by account, in the API and on the site, and no other edits', async () => {
  const [owner, friend] = [await account(), await account()]
  const { id } = await create('x', {}, { key: owner.key })
  const headers = { ...(await session(owner)), Origin: ORIGIN }
  const setEditors = async (...editors: string[]) =>
    (await edit({ id, settings: { editors } }, { key: owner.key, bindings: LIMITED })).status
  const add = async () =>
    (await sendForm(`/${id}/editors/add`, { username: friend.username }, { headers, bindings: LIMITED }))
      .status
  await repeat(18, () => LIMITED.EDITOR_LIMIT.limit({ key: `account ${owner.id}` }))
  expect([await setEditors(friend.username), await setEditors(), await add()]).toEqual([200, 200, 429])
  // Clients send back the list that they have read.
  expect([await setEditors(), await setEditors(friend.username)]).toEqual([200, 429])
  expect((await edit({ id, content: 'y' }, { key: owner.key, bindings: LIMITED })).status).toBe(200)
  expect((await read(id, { key: owner.key })).body.data.settings.editors).toEqual([])
})
