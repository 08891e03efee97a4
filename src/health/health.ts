import { Hono } from 'hono'
import type { AppEnv } from '../env.ts'

/** Tells monitors whether the service works. Comes before all else, so that it answers whatever is broken. */
export const health = new Hono<AppEnv>().get('/health', async (c) => {
  const { answerHealth } = await import('./answer-health.ts')
  return answerHealth(c)
})
