import { describe, expect, it } from 'vitest'
import { unstable_readConfig as readConfig } from 'wrangler'
import { toNetwork } from '../../src/http/limits.ts'
import { LIMITS } from '../../src/http/limits-table.ts'
import { truncateAddress } from '../../src/http/request.ts'

interface RateLimitConfig {
  readonly name: string
  readonly namespace_id: string
  readonly simple: { readonly limit: number; readonly period: number }
}

describe('the table of limits', () => {
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
})

describe('toNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:0000:0000:0000:0001', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8::/64'],
    ['2001:db8:1::', '2001:db8:1::/64'],
    ['::1', '::/64'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['unknown', 'unknown'],
  ])('counts %s by %s', (address, network) => {
    expect(toNetwork(address)).toBe(network)
  })
})

describe('a truncated address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.0/24'],
    ['::ffff:203.0.113.9', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8::/48'],
    ['2001:0DB8:00a1::', '2001:db8:a1::/48'],
    ['::1', '::/48'],
    ['', 'unknown'],
    ['1::2::3', 'unknown'],
    ['1:2:3:4:5:6:7', 'unknown'],
    ['1:2:3:4:5:6:7::8:9', 'unknown'],
    ['203.0.113.9, 198.51.100.1', 'unknown'],
    ['imperial_key', 'unknown'],
  ])('of %j is %j', (address, network) => {
    expect(truncateAddress(address)).toBe(network)
  })
})
