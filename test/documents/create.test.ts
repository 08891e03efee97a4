import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { DocumentWrite } from '../../src/documents/document.ts'
import { ROW_MEMORY_MS } from '../../src/documents/recent-documents.ts'
import { insertDocument } from '../../src/documents/write.ts'
import { Database } from '../../src/platform/database.ts'
import { account, session, suspend } from '../support/accounts.ts'
import {
  type Answer,
  type CallOptions,
  call,
  create,
  createAnonymous,
  type DocumentBody,
  edit,
  read,
  remove,
} from '../support/client.ts'
import { parseForm, sendForm, visit } from '../support/site/forms.ts'
import { findDocument, NO_QUOTAS } from '../support/storage/contents.ts'

const duplicate = (original: string, settings?: Record<string, unknown>, options?: CallOptions) =>
  call('POST', '/v1/document', { content: 'a copy', duplicated_from: original, settings }, options)

/** Creates a duplicate without an account. Returns its id. */
async function createDuplicate(original: string): Promise<string> {
  const { status, body } = await duplicate(original)
  expect(status).toBe(200)
  return body.data.id
}

const getOriginal = ({ body }: Answer) =>
  (body.data as DocumentBody & { duplicated_from?: string }).duplicated_from

/** Returns what a read of the document says that it was duplicated from, and whether its page does. */
async function findShown(id: string, options: CallOptions & { cookies?: Record<string, string> } = {}) {
  const { cookies = {}, ...call } = options
  const api = getOriginal(await read(id, call))
  const { html } = await visit(`/${id}`, { headers: { ...call.headers, ...cookies } })
  return { api, page: html.includes('duplicated from') }
}

const HIDDEN = { api: undefined, page: false }

const update = (id: string, change: string) =>
  env.DB.prepare(`UPDATE documents SET ${change} WHERE id = ?1`).bind(id).run()

describe('a duplicate', () => {
  it('shows a public original, with its title, to everybody', async () => {
    const owner = await account()
    const original = await create('x', { public: true, title: '<b>Notes</b>' }, { key: owner.key })
    const id = await createDuplicate(original.id)
    expect(await findShown(id)).toEqual({ api: original.id, page: true })
    const { html } = await visit(`/${id}`)
    expect(html).toContain(`duplicated from <a href="/${original.id}" dir="auto">`)
    expect(html).toMatch(/&lt;b&gt;Notes&lt;\/b&gt;<\/a>/)
  })

  it('shows an unlisted original only to its creator and its editors', async () => {
    const [owner, editor, stranger] = [await account(), await account(), await account()]
    const settings = { editors: [editor.username] }
    const original = await create('x', settings, { key: owner.key })
    const id = await createDuplicate(original.id)
    expect(await findShown(id)).toEqual(HIDDEN)
    expect(await findShown(id, { key: stranger.key, cookies: await session(stranger) })).toEqual(HIDDEN)
    for (const person of [owner, editor]) {
      const shown = await findShown(id, { key: person.key, cookies: await session(person) })
      expect(shown).toEqual({ api: original.id, page: true })
    }
  })

  it('shows an anonymous original to the holder of its token alone', async () => {
    const original = await createAnonymous('x')
    const id = await createDuplicate(original.id)
    expect(await findShown(id)).toEqual(HIDDEN)
    expect(await findShown(id, { headers: original.headers })).toEqual({ api: original.id, page: true })
  })

  it.each([
    ['has become unlisted', 'public = 0'],
    ['has expired', 'expires_at = 1'],
    ['is encrypted', 'encrypted = 1'],
    ['burns after reading', 'instant_delete = 1'],
    ['belongs to a deleted account', 'creator_id = NULL'],
  ])('hides an original that %s', async (_, change) => {
    const { key } = await account()
    const original = await create('x', { public: true }, { key })
    const id = await createDuplicate(original.id)
    await update(original.id, change)
    expect(await findShown(id)).toEqual(HIDDEN)
  })

  it('hides an original that its creator could see if it is expired, encrypted or burns after reading', async () => {
    const owner = await account()
    const options = { key: owner.key, cookies: await session(owner) }
    for (const change of ['expires_at = 1', 'encrypted = 1', 'instant_delete = 1']) {
      const original = await create('x', {}, options)
      const id = await createDuplicate(original.id)
      await update(original.id, change)
      expect(await findShown(id, options)).toEqual(HIDDEN)
    }
  })

  it('hides a deleted original, one of a suspended account, and one that never existed', async () => {
    const [owner, suspended] = [await account(), await account()]
    const deleted = await create('x', { public: true }, owner)
    const ofSuspended = await create('x', { public: true }, suspended)
    const ids = await Promise.all([deleted.id, ofSuspended.id, 'nothing1'].map(createDuplicate))
    await remove(deleted.id, owner)
    await suspend(suspended)
    for (const id of ids) expect(await findShown(id)).toEqual(HIDDEN)
  })

  it('keeps its original when it is edited, and hides it while it burns after reading', async () => {
    const owner = await account()
    const original = await create('x', { public: true }, owner)
    const { id } = (await duplicate(original.id, {}, owner)).body.data
    await edit({ id, content: 'another text' }, owner)
    expect(getOriginal(await read(id))).toBe(original.id)
    await edit({ id, settings: { instant_delete: true } }, owner)
    expect(await findShown(id, { key: owner.key, cookies: await session(owner) })).toEqual(HIDDEN)
  })

  it('has no original if it is encrypted or burns after reading', async () => {
    const owner = await account()
    const original = await create('x', { public: true }, owner)
    for (const settings of [{ encrypted: true }, { instant_delete: true }]) {
      const { status, body } = await duplicate(original.id, settings, owner)
      expect(status).toBe(200)
      const stored = env.DB.prepare('SELECT duplicated_from FROM documents WHERE id = ?1').bind(body.data.id)
      expect(await stored.first('duplicated_from')).toBeNull()
    }
  })

  it('is named by the read of one document, and not by lists', async () => {
    const owner = await account()
    const original = await create('x', { public: true }, owner)
    const answer = await duplicate(original.id, {}, owner)
    expect(getOriginal(answer)).toBeUndefined()
    const list = await call<{ documents: object[] }>('GET', '/v1/users/@me/documents', undefined, owner)
    expect(list.body.data.documents).toHaveLength(2)
    expect(JSON.stringify(list.body)).not.toContain('duplicated_from')
  })

  it('has a page that browsers load again when its original can no longer be seen', async () => {
    const owner = await account()
    const original = await create('x', { public: true }, owner)
    const id = await createDuplicate(original.id)
    const tag = (await visit(`/${id}`)).headers.get('ETag') ?? ''
    const revalidate = () => visit(`/${id}`, { headers: { 'If-None-Match': tag } })
    expect((await revalidate()).status).toBe(304)
    await edit({ id: original.id, settings: { public: false } }, owner)
    // The row of the duplicate itself hasn't changed: it's remembered for a second.
    vi.setSystemTime(Date.now() + ROW_MEMORY_MS)
    onTestFinished(() => void vi.useRealTimers())
    expect(await revalidate()).toMatchObject({
      status: 200,
      html: expect.not.stringContaining('duplicated from'),
    })
  })
})

describe('the id of the original', () => {
  it.each(['', 'abc', 'x'.repeat(37), 'abcd/efg', 'ábcdefgh', 5, ['abcdefgh'], {}])(
    'is refused if no document can have it: %j',
    async (original) => {
      const { status, body } = await call('POST', '/v1/document', { content: 'x', duplicated_from: original })
      expect(status).toBe(400)
      expect(body.error.errors).toMatchObject([{ path: ['duplicated_from'] }])
    },
  )

  it('may be null', async () => {
    const { status, body } = await call('POST', '/v1/document', { content: 'x', duplicated_from: null })
    expect(status).toBe(200)
    expect(await findShown(body.data.id)).toEqual(HIDDEN)
  })

  it('is part of what a repeated create must ask for', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    expect((await duplicate('abcd2345', undefined, { headers })).status).toBe(200)
    expect((await duplicate('abcd2345', undefined, { headers })).status).toBe(200)
    expect((await duplicate('efgh2345', undefined, { headers })).status).toBe(409)
  })
})

describe('the form for a new document', () => {
  it('stores the original, and keeps it if the form comes back', async () => {
    const owner = await account()
    const original = await create('x', { public: true }, owner)
    const fields = await parseForm((await visit('/')).html, '/')
    expect(fields.duplicated_from).toBe('')
    const sent = { ...fields, content: 'a copy', duplicated_from: original.id }
    const failed = await sendForm('/', { ...sent, expires: 'wrong' })
    expect(failed.status).toBe(400)
    expect((await parseForm(failed.html, '/')).duplicated_from).toBe(original.id)
    const { location } = await sendForm('/', sent)
    expect(getOriginal(await read(location?.slice(1) ?? ''))).toBe(original.id)
  })

  it('ignores what is not an id', async () => {
    const fields = await parseForm((await visit('/')).html, '/')
    const { status } = await sendForm('/', { ...fields, content: 'x', duplicated_from: '"><script>' })
    expect(status).toBe(303)
  })
})

const db = new Database(env.DB, 5_000)

/** Returns what to insert for a document with the id of one that exists. */
async function planAgain(id: string, changes: Partial<DocumentWrite>): Promise<DocumentWrite> {
  const found = await findDocument(id)
  if (!found) throw new Error('there is no document')
  return {
    ...found,
    creatorId: null,
    editorIds: [],
    lastEditedById: null,
    contentHash: null,
    blockCheck: { address: null, contentHash: null, domains: [] },
    ...changes,
  }
}

const insert = (write: DocumentWrite, keyHash: string | null) =>
  insertDocument(db, write, {
    editors: [],
    withGist: false,
    idempotent:
      keyHash === null ? null : { keyHash, requestHash: '', encryptedToken: null, expiresAt: 2 ** 50 },
    quotas: NO_QUOTAS,
  })

/** Inserts another document with the id of one that exists. */
const insertAgain = async (id: string, creatorId: string | null, keyHash: string | null) =>
  insert(
    await planAgain(id, { creatorId, tokenHash: null, contentKey: 'content/another', version: 'another' }),
    keyHash,
  )

it.each([false, true])(
  'an id that is taken gives nobody the document that has it (with a key: %s)',
  async (keyed) => {
    const [owner, other] = [await account(), await account()]
    const ids = [(await create('text', {}, { key: owner.key })).id, (await createAnonymous('text')).id]
    for (const id of ids) {
      for (const creatorId of [other.id, null]) {
        const keyHash = keyed ? crypto.randomUUID() : null
        expect(await insertAgain(id, creatorId, keyHash)).toEqual({ kind: 'id-taken' })
        expect((await read(id)).body.data.content).toBe('text')
      }
    }
  },
)

it('a create whose answer was lost finds its own document, however late D1 runs it again', async () => {
  const owner = await account()
  const created = [
    { id: (await create('text', {}, owner)).id, creatorId: owner.id },
    { id: (await createAnonymous('text')).id, creatorId: null },
  ]
  vi.spyOn(Database.prototype, 'deadline').mockReturnValue(Date.now() - 60_000)
  onTestFinished(() => void vi.restoreAllMocks())
  for (const { id, creatorId } of created) {
    const write = await planAgain(id, { creatorId })
    expect(await insert(write, null)).toMatchObject({ kind: 'inserted', document: { id } })
    // Another document, which may have been deleted meanwhile, isn't stored any more.
    expect(await insertAgain(id, creatorId, null)).toEqual({ kind: 'id-taken' })
    expect(await insert({ ...write, id: 'abcd2345efgh' }, null)).toEqual({ kind: 'id-taken' })
    expect(await findDocument('abcd2345efgh')).toBeNull()
  }
})

/** Returns a document's language, and whether somebody chose it. */
async function find(id: string) {
  const document = await findDocument(id)
  return { language: document?.language, chosen: document?.languageChosen }
}

describe('the language of a document', () => {
  it('counts as chosen by nobody if the create names none', async () => {
    const { key } = await account()
    const unchosen = { language: 'plaintext', chosen: false }
    expect(await find((await createAnonymous('x')).id)).toEqual(unchosen)
    expect(await find((await create('x', {}, { key })).id)).toEqual(unchosen)
    expect(await find((await create('x', { language: null, public: true }, { key })).id)).toEqual(unchosen)
  })

  it.each(['plaintext', 'json', 'auto'])('counts as chosen if the create names it: %s', async (language) => {
    const { key } = await account()
    const { id } = await create('Dear all,', { language }, { key })
    expect((await find(id)).chosen).toBe(true)
  })

  it('counts as chosen once an edit names another one', async () => {
    const { id, headers } = await createAnonymous('x')
    await edit({ id, content: 'y', settings: { image_embed: true, language: null } }, { headers })
    expect(await find(id)).toEqual({ language: 'plaintext', chosen: false })
    await edit({ id, settings: { language: 'plaintext' } }, { headers })
    expect(await find(id)).toEqual({ language: 'plaintext', chosen: false })
    await edit({ id, settings: { language: 'rust' } }, { headers })
    await edit({ id, settings: { language: 'plaintext' } }, { headers })
    expect(await find(id)).toEqual({ language: 'plaintext', chosen: true })
    await edit({ id, content: 'z' }, { headers })
    expect((await find(id)).chosen).toBe(true)
  })
})
