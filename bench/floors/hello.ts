import { Hono } from 'hono'

/** What a request costs that touches no storage. */
export default new Hono().get('*', (c) => c.text('hello'))
