import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { call, create, createAnonymous, edit, read } from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'

const DAY_MS = 86_400_000

const row = (id: string) => env.DB.prepare('SELECT * FROM documents WHERE id = ?1').bind(id).first()

describe('PATCH /v1/document', () => {
  it('changes the expiration, and moves the content if KV would delete it too early', async () => {
    const { key } = await account()
    const { id, timestamps } = await create('x', { expiration: 1 }, { key })
    const before = await row(id)
    const later = await edit({ id, settings: { expiration: 30 } }, { key })
    const moved = Date.parse(later.body.data.timestamps.expiration) - Date.parse(timestamps.creation)
    expect(moved).toBeGreaterThanOrEqual(30 * DAY_MS)
    const after = await row(id)
    expect(after?.content_key).not.toBe(before?.content_key)
    const { keys } = await env.CONTENTS.list({ prefix: String(after?.content_key) })
    expect(Number(keys[0]?.expiration) * 1000).toBeGreaterThan(
      Date.parse(later.body.data.timestamps.expiration),
    )

    const sooner = await edit({ id, settings: { expiration: 2 } }, { key })
    expect(Date.parse(sooner.body.data.timestamps.expiration)).toBeLessThan(Date.now() + 3 * DAY_MS)
    expect((await row(id))?.content_key).toBe(after?.content_key)

    const never = await edit({ id, settings: { expiration: null } }, { key })
    expect(never.body.data.timestamps.expiration).toBe('9999-12-31T23:59:59.999Z')
    const kept = await env.CONTENTS.list({ prefix: String((await row(id))?.content_key) })
    expect(kept.keys[0]).toMatchObject({ name: expect.any(String) })
    expect(kept.keys[0]?.expiration).toBeUndefined()
    expect((await read(id)).body.data.content).toBe('x')
  })

  it('keeps replaced content for five minutes if it keeps no revisions', async () => {
    const { key } = await account()
    const { id } = await create('before', { revisions: false }, { key })
    const before = await row(id)
    await edit({ id, content: 'after' }, { key })
    const pendingDeletion = await env.DB.prepare(
      'SELECT removable_at FROM detached_contents WHERE content_key = ?1',
    )
      .bind(before?.content_key)
      .first<{ removable_at: number }>()
    expect(pendingDeletion?.removable_at).toBe(Number((await row(id))?.updated_at) + 5 * 60_000)
    expect(await env.CONTENTS.get(String(before?.content_key))).toBe('before')
  })

  it('detects the language of each text until somebody names one, which a client that sends its own back does not', async () => {
    const { key } = await account()
    const { id, settings } = await create('{"a": 1}', { language: 'auto' }, { key })
    const save = async (content: string, language?: string) =>
      (await edit({ id, content, settings: { language } }, { key })).body.data.settings.language
    expect(settings.language).toBe('json')
    expect(await save('{"a": 2}', 'json')).toBe('json')
    expect(await save('<?xml version="1.0"?>\n<a />\n')).toBe('xml')
    expect(await save('{"a": 3}', 'yaml')).toBe('yaml')
    expect(await save('<?xml version="1.0"?>\n<b />\n')).toBe('yaml')
    expect(await save('<?xml version="1.0"?>\n<c />\n', 'auto')).toBe('xml')
    await edit({ id, settings: { title: 'main.rs' } }, { key })
    expect((await read(id)).body.data.settings.language).toBe('rust')
  })

  it.each([
    [{ password: 'secret' }, ['password']],
    [{ settings: { claim_hash: 'A'.repeat(43) } }, ['settings', 'claim_hash']],
  ])('refuses to encrypt an existing document: %j', async (body, path) => {
    const { key } = await account()
    const { id } = await create('before', {}, { key })
    expectInvalid(await edit({ id, content: 'now secret', ...body }, { key }), path)
    expect((await read(id)).body.data.content).toBe('before')
  })

  it('detects no other language because of a title that is no file name', async () => {
    const { key } = await account()
    const language = async (id: string, title: string) =>
      (await edit({ id, settings: { title } }, { key })).body.data.settings.language
    const file = { name: 'notes.md', content: 'a few words' }
    const { id } = (await call('POST', '/v1/document', { files: [file] }, { key })).body.data
    expect(await language(id, 'My notes')).toBe('markdown')
    expect(await language(id, 'notes.csv')).toBe('csv')
    const twice = '-- a.py --\nx\n-- a.py --\ny\n'
    const named = await create(twice, { language: 'txtar' }, { key })
    expect(await language(named.id, 'My files')).toBe('txtar')
    const { body } = await edit({ id: named.id, content: `${twice}z\n` }, { key })
    expect(body.data.settings.language).toBe('txtar')
  })

  it('detects the language of the content that is there', async () => {
    const { key } = await account()
    const { id } = await create('{"a": 1}', {}, { key })
    const { body } = await edit({ id, settings: { language: 'auto' } }, { key })
    expect(body.data.settings.language).toBe('json')
  })

  it('refuses a password beside content that the client encrypted', async () => {
    const { key } = await account()
    const body = { id: 'xxxx', password: 'x', settings: { client_encrypted: true } }
    expectInvalid(await edit(body, { key }), ['settings', 'client_encrypted'])
  })

  it('reports an editor who does not exist', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    expectInvalid(await edit({ id, settings: { editors: ['nobody'] } }, { key }), ['settings', 'editors', 0])
  })
})

describe('an editor', () => {
  it('may send the present list of editors but no other', async () => {
    const creator = await account()
    const [a, b] = [await account(), await account()]
    const { id } = await create('x', { editors: [a.username, b.username] }, { key: creator.key })
    const editors = [b.username.toUpperCase(), a.username]
    expect((await edit({ id, content: 'y', settings: { editors } }, { key: a.key })).status).toBe(200)
    const withCreator = [...editors, creator.username]
    expect(
      (await edit({ id, content: 'y', settings: { editors: withCreator } }, { key: a.key })).status,
    ).toBe(200)
    for (const other of [[], [a.username], [...editors, 'nobody'], ['nobody']]) {
      const body = { id, content: 'z', settings: { editors: other } }
      const answer = await edit(body, { key: a.key })
      expectError(answer, 403, 'Only the creator can change the editors')
      const outdated = await edit(body, { key: a.key, headers: { 'If-Match': '"json-outdated"' } })
      expectError(outdated, 403, 'Only the creator can change the editors')
    }
    expect((await read(id)).body.data).toMatchObject({
      content: 'y',
      settings: { editors: [a.username, b.username] },
    })
  })
})

const CREATOR_ONLY = 'Only the creator can do that'

/** Creates a document with an editor. Returns the keys of both. */
async function sharedDocument(settings: Record<string, unknown> = {}) {
  const [creator, editor] = [await account(), await account()]
  const document = await create('shared', { editors: [editor.username], ...settings }, { key: creator.key })
  return { ...document, creator, editor }
}

describe('an editor', () => {
  it.each([
    ['days from now that end before the present expiry', 6.9],
    ['a minute', 1.1 / 1440],
    ['an earlier date', new Date(Date.now() + 86_400_000).toISOString()],
  ])('cannot make a document expire earlier: %s', async (_, expiration) => {
    const { id, editor, timestamps } = await sharedDocument()
    expectError(await edit({ id, settings: { expiration } }, editor), 403, CREATOR_ONLY)
    const { data } = (await read(id, editor)).body
    expect(data.timestamps).toEqual(timestamps)
  })

  it('cannot give a document an expiry that never expires', async () => {
    const { id, editor } = await sharedDocument({ expiration: null })
    expectError(await edit({ id, settings: { expiration: 3650 } }, editor), 403, CREATOR_ONLY)
  })

  it('can make a document expire later, and send the present expiry', async () => {
    const { id, editor, timestamps } = await sharedDocument({ expiration: 2 })
    const same = await edit({ id, settings: { expiration: timestamps.expiration } }, editor)
    expect(same.body.data.timestamps).toEqual(timestamps)
    expect((await edit({ id, settings: { expiration: 3 } }, editor)).status).toBe(200)
    const never = await edit({ id, settings: { expiration: 0 } }, editor)
    expect(never.body.data.timestamps.expiration).toBe('9999-12-31T23:59:59.999Z')
    const again = await edit({ id, settings: { expiration: null } }, editor)
    expect(again.status).toBe(200)
  })

  it('can send the present burn after reading, and turn it off', async () => {
    const { id, editor } = await sharedDocument({ instant_delete: true })
    expect((await edit({ id, settings: { instant_delete: true } }, editor)).status).toBe(200)
    const off = await edit({ id, settings: { instant_delete: false } }, editor)
    expect(off.body.data.settings.instant_delete).toBe(false)
    expectError(await edit({ id, settings: { instant_delete: true } }, editor), 403, CREATOR_ONLY)
  })

  it('changes nothing at all with an edit that is refused', async () => {
    const { id, editor } = await sharedDocument()
    expectError(
      await edit({ id, content: 'replaced', settings: { expiration: 0.5, language: 'css' } }, editor),
      403,
      CREATOR_ONLY,
    )
    const { content, settings } = (await read(id, editor)).body.data
    expect({ content, language: settings.language }).toEqual({ content: 'shared', language: 'plaintext' })
  })

  it('is refused before the version is compared', async () => {
    const { id, editor } = await sharedDocument()
    const answer = await edit(
      { id, settings: { expiration: 1 } },
      { ...editor, headers: { 'If-Match': '"json-outdated"' } },
    )
    expectError(answer, 403, CREATOR_ONLY)
  })
})

describe('the creator of a document', () => {
  it('can make a document expire earlier and burn after reading, with its token', async () => {
    const { id, headers } = await createAnonymous('mine')
    const answer = await edit({ id, settings: { expiration: 1, instant_delete: true } }, { headers })
    expect(answer.body.data.settings.instant_delete).toBe(true)
  })
})
