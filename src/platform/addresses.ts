import {
  convertIPv4BinaryToString,
  convertIPv4MappedIPv6ToIPv4,
  convertIPv4ToBinary,
  convertIPv6BinaryToString,
  convertIPv6ToBinary,
  isIPv4MappedIPv6,
} from 'hono/utils/ipaddr'

const LOOPBACK = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

export const isLocal = (siteUrl: string): boolean => LOOPBACK.test(siteUrl)

/** Tells whether the site is on this machine, without TLS: then browsers keep no secure cookies. */
export const isLoopback = (siteUrl: string): boolean => isLocal(siteUrl) && siteUrl.startsWith('http:')

const IPV4_BITS = 32n
const IPV6_BITS = 128n

/** The bits that precede an IPv4 address that is mapped to IPv6 (RFC 4291 §2.5.5.2). */
const MAPPED = 0xffff00000000n

function parseAddress(text: string) {
  // Hono's error takes longer than all else that a request does with its address.
  if (!/[.:]/.test(text)) return null
  try {
    const address = text.includes(':') ? convertIPv6ToBinary(text) : MAPPED | convertIPv4ToBinary(text)
    return { address, bits: isIPv4MappedIPv6(address) ? IPV4_BITS : IPV6_BITS }
  } catch {
    return null
  }
}

type ParsedAddress = NonNullable<ReturnType<typeof parseAddress>>

const toHex = (address: bigint): string => address.toString(16).padStart(32, '0')

/** The part of an IPv6 address that identifies a connection. The rest changes from day to day. */
const STORED_IPV6_PREFIX = 64n

export function toStoredAddress(text: string | undefined): string | null {
  const parsed = parseAddress(text ?? '')
  if (parsed === null) return null
  const hidden = parsed.bits === IPV6_BITS ? IPV6_BITS - STORED_IPV6_PREFIX : 0n
  return toHex((parsed.address >> hidden) << hidden)
}

function toRange({ address, bits }: ParsedAddress, length: bigint) {
  const hidden = bits - length
  const first = (address >> hidden) << hidden
  const last = first | ((1n << hidden) - 1n)
  const text = formatAddress(toHex(first))
  // In CIDR notation, with the bits after the prefix set to zero.
  const value = bits === IPV6_BITS || length < bits ? `${text}/${length}` : text
  return { value, first: toHex(first), last: toHex(last) }
}

/** Takes CIDR notation or one address. An IPv6 range has at least the size of a /64, which is what is stored. */
export function parseAddressRange(text: string) {
  const [, written = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? []
  const parsed = parseAddress(written)
  if (parsed === null) return null
  const wanted = prefix === undefined ? parsed.bits : BigInt(prefix)
  if (wanted > parsed.bits) return null
  const isStored = parsed.bits === IPV4_BITS || wanted <= STORED_IPV6_PREFIX
  return toRange(parsed, isStored ? wanted : STORED_IPV6_PREFIX)
}

/** Writes a network in CIDR notation: `192.0.2.0/24`, `2001:db8::/48`. `lengths` are how many bits name the network. */
export function findNetwork(text: string, lengths: { ipv4: bigint; ipv6: bigint }): string | null {
  const parsed = parseAddress(text)
  return parsed && toRange(parsed, parsed.bits === IPV4_BITS ? lengths.ipv4 : lengths.ipv6).value
}

/** Names a network in logs: 256 addresses of IPv4, or a /48 of IPv6, which providers assign to a site. */
export const truncateAddress = (address: string): string =>
  findNetwork(address, { ipv4: 24n, ipv6: 48n }) ?? 'unknown'

/** An IPv6 address is stored as the start of its /64. */
export function formatAddress(stored: string): string {
  const address = BigInt(`0x${stored}`)
  return isIPv4MappedIPv6(address)
    ? convertIPv4BinaryToString(convertIPv4MappedIPv6ToIPv4(address))
    : convertIPv6BinaryToString(address)
}
