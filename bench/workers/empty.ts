import { Hono } from 'hono'

/** Does nothing: what every Worker with Hono needs to start. */
export default new Hono().get('/', (c) => c.text('hello'))
