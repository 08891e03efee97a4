import { Hono } from 'hono'

/** One row of D1. */
export default new Hono<{ Bindings: Env }>().get('/:id', async (c) => {
  const row = await c.env.DB.prepare('SELECT * FROM documents WHERE id = ?1').bind(c.req.param('id')).first()
  return c.json(row)
})
