import { Hono } from 'hono'

/** Reads one D1 row. */
export default new Hono<{ Bindings: Env }>().get('/:id', async (c) => {
  const row = await c.env.DB.prepare('SELECT * FROM documents WHERE id = ?1').bind(c.req.param('id')).first()
  return c.json(row)
})
