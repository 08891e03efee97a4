import { Hono } from 'hono'
import { selectUserByKey } from '../../src/accounts/find-user.ts'
import type { DocumentWrite } from '../../src/documents/document.ts'
import { requireFound, visibleDocument } from '../../src/documents/read.ts'
import { insertDocument, updateDocument } from '../../src/documents/write.ts'
import { toStoredAddress } from '../../src/platform/addresses.ts'
import { Database } from '../../src/platform/database.ts'

const WEEK_SECONDS = 604_800
const TIMEOUT_MS = 5_000

const SELECT = 'SELECT id, content_key FROM documents WHERE id = ?1 AND expires_at > ?2'

interface Row {
  readonly id: string
  readonly content_key: string
}

/** Where all of them come from, as it's stored. */
const ADDRESS = toStoredAddress('198.51.100.1')

/** A document as the service stores one that nobody has chosen anything for. */
const newDocument = (content: string, creatorId: string | null): DocumentWrite => {
  const id = crypto.randomUUID()
  const now = Date.now()
  return {
    id,
    creatorId,
    editorIds: [],
    contentKey: `content/${id}`,
    contentBytes: content.length,
    contentExpiresAt: now + WEEK_SECONDS * 1000,
    revision: 1,
    title: content.slice(0, 60),
    givenTitle: null,
    name: null,
    lastEditedById: null,
    language: 'plaintext',
    languageChosen: false,
    languageDetected: false,
    imageEmbed: false,
    burnAfterReading: false,
    encrypted: false,
    public: false,
    keepRevisions: true,
    claim: null,
    proofHash: null,
    tokenHash: creatorId === null ? id : null,
    contentHash: id,
    creatorAddress: creatorId === null ? ADDRESS : null,
    blockCheck: { address: ADDRESS, contentHash: id, domains: [] },
    version: id.slice(0, 12),
    createdAt: now,
    updatedAt: now,
    expiresAt: now + WEEK_SECONDS * 1000,
  }
}

const NO_LIMIT = { documents: null, bytes: null, writesPerDay: null }
const quotas = { account: NO_LIMIT, server: NO_LIMIT }

const put = (env: Env, { contentKey }: DocumentWrite, content: string) =>
  env.CONTENTS.put(contentKey, content, { expirationTtl: WEEK_SECONDS })

async function insertOwn(env: Env, content: string, creatorId: string | null) {
  const db = new Database(env.DB, TIMEOUT_MS)
  const write = newDocument(content, creatorId)
  await Promise.all([
    creatorId && db.ask(selectUserByKey('no such key', write.createdAt)),
    put(env, write, content),
  ])
  await insertDocument(db, write, { editors: [], withGist: false, idempotent: null, quotas })
  return { id: write.id }
}

/**
 * The storage calls of the service, and nothing else: each statement names only an id and a key. Under `/own`, they are the
 * service's own statements.
 */
export default new Hono<{ Bindings: Env }>()
  .get('/hello', (c) => c.text('hello'))
  .get('/row/:id', async (c) =>
    c.json(await c.env.DB.prepare(SELECT).bind(c.req.param('id'), Date.now()).first<Row>()),
  )
  .get('/row-and-content/:id', async (c) => {
    const row = await c.env.DB.prepare(SELECT).bind(c.req.param('id'), Date.now()).first<Row>()
    return c.text((await c.env.CONTENTS.get(row?.content_key ?? '')) ?? '')
  })
  .post('/create', async (c) => {
    const { content } = await c.req.json<{ content: string }>()
    return c.json(await insert(c.env, content))
  })
  .post('/create-with-key', async (c) => {
    const { content } = await c.req.json<{ content: string }>()
    const account = c.env.DB.prepare('SELECT user_id FROM api_keys WHERE id = ?1')
      .bind('bench')
      .first<string>('user_id')
    return c.json(await insert(c.env, content, account))
  })
  .post('/edit', async (c) => {
    const { id, content } = await c.req.json<{ id: string; content: string }>()
    await c.env.DB.batch([
      c.env.DB.prepare('SELECT user_id FROM api_keys WHERE id = ?1').bind('bench'),
      c.env.DB.prepare(SELECT).bind(id, Date.now()),
    ])
    const key = `content/${crypto.randomUUID()}`
    await c.env.CONTENTS.put(key, content, { expirationTtl: WEEK_SECONDS })
    const now = Date.now()
    await c.env.DB.batch([
      c.env.DB.prepare(
        `UPDATE documents SET content_key = ?2, content_bytes = ?3, revision = revision + 1, updated_at = ?4
          WHERE id = ?1`,
      ).bind(id, key, content.length, now),
    ])
    return c.json({ id })
  })
  .get('/own/row/:id', async (c) => {
    const db = new Database(c.env.DB, TIMEOUT_MS)
    const [document] = await db.ask(visibleDocument(c.req.param('id'), Date.now()))
    return c.json({ id: document?.id, content_key: document?.contentKey })
  })
  .post('/own/create', async (c) => {
    const { content } = await c.req.json<{ content: string }>()
    return c.json(await insertOwn(c.env, content, null))
  })
  .post('/own/create-with-key', async (c) => {
    const { content } = await c.req.json<{ content: string }>()
    return c.json(await insertOwn(c.env, content, 'bench'))
  })
  .post('/own/edit', async (c) => {
    const { id, content } = await c.req.json<{ id: string; content: string }>()
    const db = new Database(c.env.DB, TIMEOUT_MS)
    const now = Date.now()
    const [, found] = await db.ask(selectUserByKey('no such key', now), visibleDocument(id, now))
    const from = requireFound(found)
    const write = { ...newDocument(content, 'bench'), id, revision: from.revision + 1 }
    await put(c.env, write, content)
    await updateDocument(db, from, write, { quotas })
    return c.json({ id })
  })
  // A service that knows nothing but KV: no expiry to the millisecond, no owners, no lists.
  .get('/kv-only/:id', async (c) => c.text((await c.env.CONTENTS.get(`kv-only/${c.req.param('id')}`)) ?? ''))
  .put('/kv-only/:id', async (c) => {
    await c.env.CONTENTS.put(`kv-only/${c.req.param('id')}`, await c.req.text())
    return c.text('')
  })
  .post('/kv-only', async (c) => {
    const { content } = await c.req.json<{ content: string }>()
    const id = crypto.randomUUID()
    await c.env.CONTENTS.put(`kv-only/${id}`, content, { expirationTtl: WEEK_SECONDS })
    return c.json({ id })
  })

async function insert(env: Env, content: string, account: Promise<string | null> | null = null) {
  const id = crypto.randomUUID()
  const key = `content/${id}`
  const [creator] = await Promise.all([
    account,
    env.CONTENTS.put(key, content, { expirationTtl: WEEK_SECONDS }),
  ])
  const now = Date.now()
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language,
          image_embed, instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
        VALUES (?1, ?6, ?2, ?3, ?5, 'plaintext', 0, 0, 0, 0, ?1, ?4, ?4, ?5)`,
    ).bind(id, key, content.length, now, now + WEEK_SECONDS * 1000, creator),
  ])
  return { id }
}
