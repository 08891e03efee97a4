import { describe, expect, it } from 'vitest'
import { truncateAddress } from '../../src/http/request.ts'

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
