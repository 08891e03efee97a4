import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { deleteExpiredKeys } from '../../src/documents/idempotent-create.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith, withFailing } from '../support/bindings.ts'
import {
  type Answer,
  type CallOptions,
  call,
  edit,
  isolate,
  read,
  remove,
  send,
  withVars,
} from '../support/client.ts'
import { listReferencedKeys, listStoredKeys } from '../support/storage/contents.ts'
import { setUpFaults } from '../support/storage/faults.ts'

setUpFaults()

let keys = 0
const newKey = () => `key-${++keys}`

/** Sends a create with an `Idempotency-Key`. */
const createWith = (
  idempotencyKey: string,
  body: unknown = { content: 'text' },
  { headers = {}, ...options }: CallOptions = {},
): Promise<Answer> =>
  call('POST', '/v1/document', body, {
    ...options,
    headers: { ...headers, 'Idempotency-Key': idempotencyKey },
  })

const countDocuments = () => env.DB.prepare('SELECT count(*) AS n FROM documents').first<number>('n')

const from = (address: string) => ({ headers: { 'CF-Connecting-IP': address } })

/** Returns an answer without what differs for each request. */
const toComparable = ({ status, body, headers }: Answer) => ({
  status,
  body,
  token: headers.get('X-Document-Token'),
  etag: headers.get('ETag'),
})

const EXISTS_NO_MORE = {
  status: 409,
  body: {
    success: false,
    error: {
      code: 'conflict',
      message: 'The document that this Idempotency-Key created has been deleted or belongs to an account now',
    },
  },
}

describe('a create with the same Idempotency-Key', () => {
  it('gets the same document of an account, with its settings', async () => {
    const owner = await account()
    const editor = await account()
    const key = newKey()
    const body = {
      content: '# Hi',
      settings: { language: 'markdown', expiration: 2, editors: [editor.username], title: 'Hello' },
    }
    const first = await createWith(key, body, owner)
    expect(first.status).toBe(200)
    const repeated = await createWith(key, body, owner)
    expect(toComparable(repeated)).toEqual(toComparable(first))
    expect(repeated.body.data.settings).toMatchObject({ title: 'Hello', editors: [editor.username] })
  })

  it('makes one document and equal answers, 20 at once', async () => {
    const owner = await account()
    for (const options of [{}, owner]) {
      const before = Number(await countDocuments())
      const key = newKey()
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          createWith(key, undefined, { ...options, bindings: isolate(), settle: true }),
        ),
      )
      const [first] = answers
      expect(first?.status).toBe(200)
      for (const answer of answers) expect(toComparable(answer)).toEqual(toComparable(first as Answer))
      expect(await countDocuments()).toBe(before + 1)
      expect(await listStoredKeys()).toEqual(await listReferencedKeys())
    }
  })

  it('gets the document if the first answer was lost after D1 stored it', async () => {
    const key = newKey()
    const bindings = bindingsWith(async (name, run) => {
      const result = await run()
      if (name === 'DB.batch' && (result as D1Result[]).length > 2) throw new Error('a crash')
      return result
    })
    expect((await createWith(key, undefined, { bindings })).status).toBe(500)
    const before = await countDocuments()
    const repeated = await createWith(key)
    expect(repeated.status).toBe(200)
    expect(await countDocuments()).toBe(before)
    const token = repeated.headers.get('X-Document-Token') ?? ''
    expect((await remove(repeated.body.data.id, { headers: { 'X-Document-Token': token } })).status).toBe(204)
  })

  it('makes the document if the first failed before D1 stored it', async () => {
    const key = newKey()
    const bindings = withFailing('CONTENTS.put', 'a crash')
    expect((await createWith(key, undefined, { bindings })).status).toBe(503)
    expect((await createWith(key)).status).toBe(200)
  })

  it('works with burn after reading, a given password and text that the client encrypted', async () => {
    const owner = await account()
    const encrypted = { encrypted: true, password: 'a password' }
    const jwe = (
      await read((await createWith(newKey(), { content: 'secret', settings: encrypted }, owner)).body.data.id)
    ).body.data.content
    for (const body of [
      { content: 'once', settings: { instant_delete: true } },
      { content: 'secret', settings: encrypted },
      { content: 'secret', settings: { ...encrypted, instant_delete: true } },
      { content: jwe, settings: { encrypted: true, client_encrypted: true } },
    ]) {
      const key = newKey()
      const first = await createWith(key, body, owner)
      expect(first.status).toBe(200)
      expect(toComparable(await createWith(key, body, owner))).toEqual(toComparable(first))
      expect(first.body.data.content).toBe(body.content)
    }
  })
})

describe('a create with an Idempotency-Key that was used for another request', () => {
  const first = { content: 'text', settings: { language: 'json' } }

  it.each([
    { name: 'other content', body: { ...first, content: 'other' } },
    { name: 'another setting', body: { ...first, settings: { language: 'yaml' } } },
    { name: 'one more setting', body: { ...first, settings: { language: 'json', expiration: null } } },
    { name: 'inferred settings', body: { ...first, infer_settings: true } },
  ])('is refused: $name', async ({ body }) => {
    const owner = await account()
    const key = newKey()
    await createWith(key, first, owner)
    const before = await countDocuments()
    expect(await createWith(key, body, owner)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', message: 'This Idempotency-Key was used for another request' } },
    })
    expect(await countDocuments()).toBe(before)
  })

  it('is refused if both come at once', async () => {
    const key = newKey()
    const contents = Array.from({ length: 10 }, (_, n) => `text ${n}`)
    const answers = await Promise.all(
      contents.map((content) => createWith(key, { content }, { bindings: isolate(), settle: true })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect(await listStoredKeys()).toEqual(await listReferencedKeys())
  })

  it('counts settings in any order as the same', async () => {
    const owner = await account()
    const key = newKey()
    const body = (settings: string) => `{"content": "text", "settings": {${settings}}}`
    await createWith(key, body('"language": "json", "expiration": 3'), owner)
    const repeated = await createWith(key, body('"expiration": 3, "language": "json"'), owner)
    expect(repeated.status).toBe(200)
  })
})

describe('the same Idempotency-Key from somebody else', () => {
  it('makes another document: of another account, or of none', async () => {
    const key = newKey()
    const [a, b] = [await account(), await account()]
    const answers = [
      await createWith(key, undefined, a),
      await createWith(key, undefined, b),
      await createWith(key),
    ]
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(3)
  })

  it('makes another document from another address, but not from the same IPv6 network', async () => {
    const key = newKey()
    const idFrom = async (address: string) => (await createWith(key, undefined, from(address))).body.data.id
    const id = await idFrom('2001:db8:1:2::1')
    expect(await idFrom('2001:db8:1:2:ffff::9')).toBe(id)
    expect(await idFrom('2001:db8:1:3::1')).not.toBe(id)
    expect(await idFrom('192.0.2.1')).not.toBe(id)
    expect(await idFrom('192.0.2.1')).toBe(await idFrom('192.0.2.1'))
  })
})

describe('a repeat after the document has changed', () => {
  it('is refused once the document was deleted, burned or has expired', async () => {
    const owner = await account()
    const ends: Record<string, (id: string) => Promise<unknown>> = {
      deleted: (id) => remove(id, owner),
      burned: (id) => read(id),
      expired: (id) => env.DB.prepare('UPDATE documents SET expires_at = 1 WHERE id = ?1').bind(id).run(),
    }
    const body = { content: 'once', settings: { instant_delete: true } }
    for (const end of Object.values(ends)) {
      const key = newKey()
      await end((await createWith(key, body, owner)).body.data.id)
      const before = await countDocuments()
      expect(await createWith(key, body, owner)).toMatchObject(EXISTS_NO_MORE)
      expect(await countDocuments()).toBe(before)
    }
  })

  it('gets the document as it is now', async () => {
    const owner = await account()
    const key = newKey()
    const { id } = (await createWith(key, undefined, owner)).body.data
    await edit({ id, content: 'edited', settings: { language: 'json' } }, owner)
    await read(id, { settle: true })
    const { body, headers } = await createWith(key, undefined, owner)
    expect(body.data).toMatchObject({ id, content: 'edited', views: 1, settings: { language: 'json' } })
    expect(headers.get('ETag')).toBe((await read(id)).headers.get('ETag'))
  })

  it('is refused once an account has taken over the document', async () => {
    const key = newKey()
    const { id } = (await createWith(key)).body.data
    const { id: creatorId } = await account()
    await env.DB.prepare('UPDATE documents SET creator_id = ?2, token_hash = NULL WHERE id = ?1')
      .bind(id, creatorId)
      .run()
    expect(await createWith(key)).toMatchObject(EXISTS_NO_MORE)
  })

  it('makes another document after 24 hours', async () => {
    const key = newKey()
    const { id } = (await createWith(key)).body.data
    await env.DB.prepare('UPDATE idempotency_keys SET expires_at = expires_at - 86400000').run()
    const later = await createWith(key)
    expect(later.status).toBe(200)
    expect(later.body.data.id).not.toBe(id)
    expect((await createWith(key)).body.data.id).toBe(later.body.data.id)
  })
})

describe('an Idempotency-Key', () => {
  it('has 1 to 255 characters', async () => {
    expect((await createWith('k'.repeat(255))).status).toBe(200)
    for (const key of ['k'.repeat(256), '']) {
      expect(await createWith(key)).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request', message: 'Idempotency-Key must have 1 to 255 characters' } },
      })
    }
  })

  it('is stored as a hash, and with it neither token nor password nor text', async () => {
    const owner = await account()
    const key = newKey()
    const { headers } = await createWith(key)
    await createWith(key, { content: 'text', settings: { encrypted: true, password: 'hunter2' } }, owner)
    const { results } = await env.DB.prepare('SELECT * FROM idempotency_keys').all()
    const stored = JSON.stringify(results)
    for (const secret of [`"${key}"`, headers.get('X-Document-Token') ?? '?', 'hunter2', '"text"']) {
      expect(stored).not.toContain(secret)
    }
  })

  it('is another key for a service with another secret', async () => {
    const key = newKey()
    const { id } = (await createWith(key)).body.data
    const bindings = withVars({ AUTH_SECRET: 'another secret, long enough for the tests to run' })
    expect((await createWith(key, undefined, { bindings })).body.data.id).not.toBe(id)
  })

  it('is deleted once it has expired', async () => {
    await env.DB.prepare('DELETE FROM idempotency_keys').run()
    await createWith(newKey())
    const db = new Database(env.DB, 5_000)
    const count = () => env.DB.prepare('SELECT count(*) AS n FROM idempotency_keys').first<number>('n')
    await deleteExpiredKeys(db, Date.now())
    expect(await count()).toBe(1)
    await deleteExpiredKeys(db, Date.now() + 25 * 3_600_000)
    expect(await count()).toBe(0)
  })

  it('works for text that curl sends', async () => {
    const put = (key: string, body: string) =>
      send('/', { method: 'PUT', body, headers: { 'Idempotency-Key': key } })
    const key = newKey()
    const [first, repeated] = [await put(key, 'text'), await put(key, 'text')]
    expect(first.status).toBe(201)
    expect(await repeated.text()).toBe(await first.text())
    expect(repeated.headers.get('X-Document-Token')).toBe(first.headers.get('X-Document-Token'))
    const other = await put(key, 'other')
    expect(other.status).toBe(409)
    expect(await other.text()).toBe(
      'This Idempotency-Key was used for another request. Send another key with another text\n',
    )
  })
})
