import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unstable_readConfig as readConfig } from 'wrangler'
import { LIMITS } from '../../src/http/limits-table.ts'
import { toNetwork } from '../../src/http/network.ts'
import {
  formatAddress,
  parseAddressRange,
  toStoredAddress,
  truncateAddress,
} from '../../src/platform/addresses.ts'

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

describe('stored addresses', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:DB8::1', '2001:db8::'],
    ['::1', '::'],
  ])('keep of %s only %s', (address, kept) => {
    expect(formatAddress(toStoredAddress(address) ?? '')).toBe(kept)
  })

  it.each(['', 'unknown', '1.2.3', '1.2.3.256', '1:2:3', '1::2::3', '1:2:3:4:5:6:7:8:9', 'g::', '1.2.3.4/8'])(
    'are null for %j',
    (address) => {
      expect(toStoredAddress(address)).toBeNull()
    },
  )

  it('of IPv6 are written and read back unchanged', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const stored = toStoredAddress(address)
        if (stored !== null) expect(toStoredAddress(formatAddress(stored))).toBe(stored)
      }),
    )
  })
})

describe('ranges of addresses', () => {
  it.each([
    ['192.0.2.77/24', '192.0.2.0/24', '192.0.2.0', '192.0.2.255'],
    ['192.0.2.77', '192.0.2.77', '192.0.2.77', '192.0.2.77'],
    ['0.0.0.0/0', '0.0.0.0/0', '0.0.0.0', '255.255.255.255'],
    ['2001:db8::/32', '2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    // Of an address only the /64 is stored.
    ['2001:db8::1', '2001:db8::/64', '2001:db8::', '2001:db8::ffff:ffff:ffff:ffff'],
    ['2001:db8::1/128', '2001:db8::/64', '2001:db8::', '2001:db8::ffff:ffff:ffff:ffff'],
  ])('%s is %s', (text, value, first, last) => {
    const range = parseAddressRange(text)
    expect(
      range && { value: range.value, ends: [formatAddress(range.first), formatAddress(range.last)] },
    ).toEqual({
      value,
      ends: [first, last],
    })
  })

  it.each(['192.0.2.0/33', '2001:db8::/129', '/24', '192.0.2.0/', '192.0.2.0/-1', 'example.org'])(
    'refuses %j',
    (text) => {
      expect(parseAddressRange(text)).toBeNull()
    },
  )
})
