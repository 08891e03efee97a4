import { Hono } from 'hono'

/** Reads one KV value. */
export default new Hono<{ Bindings: Env }>().get('/content/:name', async (c) => {
  const text = await c.env.CONTENTS.get(`content/${c.req.param('name')}`)
  return c.text(text ?? '')
})
