import { Hono } from 'hono'

/** Puts one value into KV, then inserts one row in a D1 batch. */
export default new Hono<{ Bindings: Env }>().post('/v1/document', async (c) => {
  const { content } = await c.req.json<{ content: string }>()
  const id = crypto.randomUUID()
  await c.env.CONTENTS.put(`content/${id}`, content, { expirationTtl: 604_800 })
  const now = Date.now()
  await c.env.DB.batch([
    c.env.DB.prepare(
      `INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language,
          image_embed, instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
        VALUES (?1, NULL, ?2, ?3, ?5, 'plaintext', 0, 0, 0, 0, ?1, ?4, ?4, ?5)`,
    ).bind(id, `content/${id}`, content.length, now, now + 604_800_000),
  ])
  return c.json({ id })
})
