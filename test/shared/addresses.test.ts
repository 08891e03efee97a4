import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAddress, parseAddressRange, toStoredAddress } from '../../src/platform/addresses.ts'

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
