import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'

/** The password that a reader offers by query or header; an empty one is none. */
export const offeredPassword = (c: Context<AppEnv>): string | undefined =>
  c.req.query('password') || c.req.header('X-Document-Password') || undefined
