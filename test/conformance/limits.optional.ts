import { describe, expect } from 'vitest'
import type { Answer } from './support/answer.ts'
import { type ClauseApi, clause } from './support/clause.ts'
import { DAY_MS } from './support/expect.ts'

/** More wrong passwords than a server with limits takes for a document in a minute. */
const ATTEMPTS = 30

/** Sends wrong passwords until the server takes no more. Skips the clause if it takes them all. */
async function exceedLimit(api: ClauseApi): Promise<{ readonly id: string; readonly refused: Answer }> {
  const { id } = await api.create(api.need('key'), 'secret', { encrypted: true })
  const headers = { 'X-Document-Password': 'wrong' }
  let refused: Answer | null = null
  for (let attempt = 0; attempt < ATTEMPTS && !refused; attempt++) {
    const answer = await api.sendOnce('GET', `/v1/document/${id}`, { headers })
    if (answer.status === 429) refused = answer
    else expect(answer.status).toBe(400)
  }
  api.needServer(refused !== null, 'a server that limits the rate of requests')
  return { id, refused: refused as Answer }
}

/** Checks servers with rate limits. The server of `npm test` has none. */
describe('Rate limits', () => {
  clause('limits.error', 'A request that exceeds a limit gets a 429 rate_limited', async (api) => {
    const { refused } = await exceedLimit(api)
    expect(refused.body).toEqual({
      success: false,
      error: {
        code: 'rate_limited',
        message: expect.stringMatching(/^Rate limit exceeded, retry in \d+ seconds$/),
      },
    })
    expect(refused.header('Cache-Control')).toContain('no-store')
  })

  clause('limits.headers', 'A 429 says when to retry, and which limit it is', async (api) => {
    const { refused } = await exceedLimit(api)
    const seconds = Number(refused.header('Retry-After'))
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds * 1000 < DAY_MS).toBe(true)
    const [, name, left] = /^"([^"]+)";r=(\d+);t=\d+$/.exec(refused.header('RateLimit')) ?? []
    expect(left).toBe('0')
    expect(refused.header('RateLimit-Policy')).toMatch(new RegExp(`^"${name}";q=[1-9]\\d*;w=[1-9]\\d*$`))
  })

  clause('limits.cross-origin', 'Scripts of other origins can read these headers', async (api) => {
    const { refused } = await exceedLimit(api)
    expect(refused.header('Access-Control-Allow-Origin')).toBe('*')
    const exposed = refused
      .header('Access-Control-Expose-Headers')
      .toLowerCase()
      .split(/\s*,\s*/)
    expect(exposed).toEqual(expect.arrayContaining(['retry-after', 'ratelimit', 'ratelimit-policy']))
  })

  clause('limits.passwords', 'The limit of passwords doesn’t hold for reads without one', async (api) => {
    const { id } = await exceedLimit(api)
    expect((await api.read(id)).status).toBe(200)
  })
})
