import { expect, it } from 'vitest'
import { unstable_readConfig as readConfig } from 'wrangler'
import { LIMITS } from '../../../src/http/limits-table.ts'

interface RateLimitConfig {
  readonly name: string
  readonly namespace_id: string
  readonly simple: { readonly limit: number; readonly period: number }
}

it('says the same as wrangler.toml', () => {
  const configured: readonly RateLimitConfig[] = readConfig({ config: 'wrangler.toml' }).ratelimits ?? []
  expect(Object.fromEntries(configured.map(({ name, simple }) => [name, simple]))).toEqual(
    Object.fromEntries(
      Object.values(LIMITS).map(({ binding, limit, period }) => [binding, { limit, period }]),
    ),
  )
  const ids = configured.map(({ namespace_id }) => namespace_id)
  expect(new Set(ids).size).toBe(ids.length)
})
