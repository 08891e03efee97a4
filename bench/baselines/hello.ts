import { Hono } from 'hono'

/** Touches no storage. */
export default new Hono().get('*', (c) => c.text('hello'))
