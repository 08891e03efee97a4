import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { SqliteNamespace } from '../server/contents.ts'
import { SqliteDatabase } from '../server/database.ts'
import { migrate } from '../server/migrations.ts'
import { SqliteFile } from '../server/sqlite.ts'

/**
 * Measures a server that only makes the calls of SQLite that a create and a read make, with the same statements,
 * triggers and guarantees. `GET /empty` makes none. Takes the folder for its data. Each write has a commit of its own,
 * as a plain server would do it: they run one after the other.
 */

const DAY_MS = 86_400_000

const [folder = ''] = process.argv.slice(2)
const file = new SqliteFile(join(folder, 'regent.sqlite'))
await migrate(file, { copyPath: join(folder, 'before') })
const db = new SqliteDatabase(file)
const contents = new SqliteNamespace(new SqliteFile(join(folder, 'contents.sqlite'), { autoVacuum: true }))

let last: Promise<unknown> = Promise.resolve()

/** Begins when all writes before it are on the disk. */
function inTurn<T>(write: () => Promise<T>): Promise<T> {
  const result = last.then(write)
  last = result.catch(() => {})
  return result
}

let made = 0
const generateId = () => `floor${(made++).toString(36).padStart(7, '0')}`

const app = new Hono()
  .get('/empty', (c) => c.text('ok'))
  .get('/r/:id', async (c) => {
    const row = await db
      .prepare(
        `SELECT d.*, u.username FROM documents d LEFT JOIN users u ON u.id = d.creator_id
          WHERE d.id = ?1 AND d.expires_at > ?2`,
      )
      .bind(c.req.param('id'), Date.now())
      .first<{ content_key: string }>()
    const bytes = row && (await contents.get(row.content_key, { type: 'arrayBuffer' }))
    return bytes instanceof ArrayBuffer ? c.body(bytes) : c.notFound()
  })
  .post('/v1/document', async (c) => {
    const { content } = await c.req.json<{ content: string }>()
    const id = generateId()
    const now = Date.now()
    const key = `content/${id}`
    const options = { expirationTtl: 604_800, metadata: { document: id, putAt: now } }
    await inTurn(() => contents.put(key, content, options))
    const statements = [
      db
        .prepare(
          `INSERT INTO documents (id, created_at, content_key, content_bytes, content_until, revision, title, title_key,
            language, expires_at, version, updated_at, content_hash, keep_revisions, creator_address, token_hash,
            image_embed, instant_delete, encrypted, public, language_chosen, has_editors)
            VALUES (?1, ?2, ?3, ?4, ?5, 1, ?1, ?1, 'plaintext', ?5, ?1, ?2, ?1, 1, '00000000000000000000ffff7f000001', ?1,
              0, 0, 0, 0, 0, 0)
            RETURNING id`,
        )
        .bind(id, now, key, content.length, now + 7 * DAY_MS),
      db
        .prepare('INSERT INTO block_checks (address, content_hash, domains) VALUES (?1, ?2, ?3)')
        .bind('00000000000000000000ffff7f000001', id, '[]'),
      db
        .prepare(
          `INSERT INTO quota_checks (account_id, day, account_documents, account_bytes, account_creates,
            server_documents, server_bytes, server_creates, is_edit) VALUES (NULL, ?1, ?2, ?2, ?2, ?2, ?2, ?2, 0)`,
        )
        .bind(Math.floor(now / DAY_MS), 1e12),
    ]
    await inTurn(() => db.batch(statements))
    return c.json({ success: true, data: { id, content } })
  })

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false }, ({ port }) =>
  process.stdout.write(`${JSON.stringify({ event: 'server started', url: `http://127.0.0.1:${port}` })}\n`),
)
