import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { create, edit, read } from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'

const DAY_MS = 86_400_000

const row = (id: string) => env.DB.prepare('SELECT * FROM documents WHERE id = ?1').bind(id).first()

describe('PATCH /v1/document', () => {
  it('changes the content and returns the whole document with its real view count', async () => {
    const { key } = await account()
    const created = await create('before', { language: 'json' }, { key })
    await read(created.id)
    await read(created.id)
    const answer = await edit({ id: created.id, content: 'after' }, { key })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ success: true, data: { ...created, content: 'after', views: 2 } })
    expect((await read(created.id)).body.data).toEqual({ ...created, content: 'after', views: 3 })
  })

  it('changes each setting by itself and leaves the others alone', async () => {
    const { key } = await account()
    const { username } = await account()
    const created = await create('{"a": 1}', {}, { key })
    const settings = { ...created.settings }
    for (const [name, value] of [
      ['language', 'YAML'],
      ['image_embed', true],
      ['public', true],
      ['instant_delete', true],
      ['editors', [username]],
    ] as const) {
      const answer = await edit({ id: created.id, settings: { [name]: value } }, { key })
      Object.assign(settings, { [name]: name === 'language' ? 'yaml' : value })
      expect(answer.body.data).toEqual({ ...created, settings })
    }
    const back = { instant_delete: false, editors: [], public: false, image_embed: false }
    const answer = await edit({ id: created.id, settings: back }, { key })
    expect(answer.body.data.settings).toEqual({ ...created.settings, language: 'yaml' })
  })

  it('detects the language of the content after the edit', async () => {
    const { key } = await account()
    const { id } = await create('{"a": 1}', {}, { key })
    expect((await edit({ id, settings: { language: 'auto' } }, { key })).body.data.settings.language).toBe(
      'json',
    )
    const edited = await edit({ id, content: '<?php echo 1;', settings: { language: 'auto' } }, { key })
    expect(edited.body.data.settings.language).toBe('php')
  })

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

  it('writes nothing if nothing would change', async () => {
    const { key } = await account()
    const { username } = await account()
    const { id } = await create('same', { language: 'json', editors: [username] }, { key })
    const before = await row(id)
    for (const body of [
      { id },
      { id, settings: null },
      { id, settings: {} },
      { id, content: 'same' },
      { id, settings: { language: 'JSON', public: false, editors: [username.toUpperCase()] } },
      {
        id,
        settings: { encrypted: false, password: '', long_urls: null, short_urls: false, create_gist: false },
      },
    ]) {
      const answer = await edit(body, { key })
      expect(answer.status).toBe(200)
      expect(answer.body.data.content).toBe('same')
    }
    expect(await row(id)).toEqual(before)
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

  it.each([
    ['no id', { content: 'x' }, ['id']],
    ['an id that is a number', { id: 5 }, ['id']],
    ['empty content', { id: 'xxxx', content: '' }, ['content']],
    ['a flag that is a string', { id: 'xxxx', settings: { public: 'no' } }, ['settings', 'public']],
    ['an expiration in the past', { id: 'xxxx', settings: { expiration: -1 } }, ['settings', 'expiration']],
    [
      'a password with client_encrypted',
      { id: 'xxxx', password: 'x', settings: { client_encrypted: true } },
      ['settings', 'client_encrypted'],
    ],
  ])('returns 400 with the path before it looks for the document: %s', async (_, body, path) => {
    const { key } = await account()
    expectInvalid(await edit(body, { key }), path)
  })

  it.each(['xxxxxxxx', 'not an id', '', '😀'])('returns 404 for the id %j', async (id) => {
    const { key } = await account()
    expectError(await edit({ id, content: 'x' }, { key }), 404, 'Document not found')
  })

  it.each([
    ['encrypted', true],
    ['encrypted', 'yes'],
    ['password', 'secret'],
    ['long_urls', true],
    ['short_urls', true],
    ['create_gist', true],
  ])('refuses to change %s to %j and changes nothing else', async (name, value) => {
    const { key } = await account()
    const { id } = await create('before', {}, { key })
    const answer = await edit({ id, content: 'after', settings: { public: true, [name]: value } }, { key })
    expectInvalid(answer, ['settings', name])
    expect((await read(id)).body.data).toMatchObject({ content: 'before', settings: { public: false } })
  })

  it('accepts the present value of encrypted', async () => {
    const { key } = await account()
    const { id } = await create('x', { encrypted: true }, { key })
    const settings = { encrypted: true, public: true }
    expect((await edit({ id, settings }, { key })).body.data.settings.public).toBe(true)
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

  it('accepts the expiration that the API returns for never', async () => {
    const { key } = await account()
    const { id, timestamps } = await create('x', { expiration: null }, { key })
    const settings = { expiration: timestamps.expiration }
    expect((await edit({ id, settings }, { key })).body.data.timestamps).toEqual(timestamps)
  })

  it('reports an editor who does not exist', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    expectInvalid(await edit({ id, settings: { editors: ['nobody'] } }, { key }), ['settings', 'editors', 0])
  })
})

describe('an editor', () => {
  it('may change the content and the settings', async () => {
    const creator = await account()
    const editor = await account()
    const { id } = await create('x', { editors: [editor.username] }, { key: creator.key })
    const settings = {
      language: 'json',
      image_embed: true,
      public: true,
      expiration: 30,
      instant_delete: false,
    }
    const answer = await edit({ id, content: 'y', settings }, { key: editor.key })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({
      content: 'y',
      creator: { username: creator.username },
      settings: { language: 'json', image_embed: true, public: true, editors: [editor.username] },
    })
  })

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

  it('loses access when the creator removes them from the list', async () => {
    const creator = await account()
    const editor = await account()
    const { id } = await create('x', { editors: [editor.username] }, { key: creator.key })
    await edit({ id, settings: { editors: [] } }, { key: creator.key })
    expectError(
      await edit({ id, content: 'y' }, { key: editor.key }),
      403,
      'You are not allowed to edit this document',
    )
  })
})
