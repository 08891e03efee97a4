import { Hono } from 'hono'

/** Reads one D1 row, then the KV value it refers to. */
export default new Hono<{ Bindings: Env }>().get('/:id', async (c) => {
  const row = await c.env.DB.prepare('SELECT * FROM documents WHERE id = ?1')
    .bind(c.req.param('id'))
    .first<{ content_key: string }>()
  const text = await c.env.CONTENTS.get(row?.content_key ?? '')
  return c.json({ ...row, text })
})
