import { Hono } from 'hono'

/** One row of D1, then the value of KV that it names. */
export default new Hono<{ Bindings: Env }>().get('/:id', async (c) => {
  const row = await c.env.DB.prepare('SELECT * FROM documents WHERE id = ?1')
    .bind(c.req.param('id'))
    .first<{ content_key: string }>()
  const text = await c.env.CONTENTS.get(row?.content_key ?? '')
  return c.json({ ...row, text })
})
