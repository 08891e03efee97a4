const LOOPBACK = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

export const isLocal = (siteUrl: string): boolean => LOOPBACK.test(siteUrl)

/** Without TLS, browsers keep no secure cookies. */
export const isLoopback = (siteUrl: string): boolean => isLocal(siteUrl) && siteUrl.startsWith('http:')

/** The database stores and compares network addresses as 32 hexadecimal digits, with IPv4 mapped to IPv6. */

const IPV4_BITS = 32n
const IPV6_BITS = 128n

/** What precedes an IPv4 address that is mapped to IPv6 (RFC 4291 §2.5.5.2). */
const MAPPED = 0xffff00000000n

function parseIpv4(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) return null
  return parts.reduce((address, part) => (address << 8n) | BigInt(part), 0n)
}

function parseIpv6(text: string): bigint | null {
  const [head = '', tail, ...rest] = text.split('::')
  if (rest.length > 0) return null
  const toGroups = (part: string) => (part === '' ? [] : part.split(':'))
  const [before, after] = [toGroups(head), toGroups(tail ?? '')]
  const missing = 8 - before.length - after.length
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...after]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null
  return groups.reduce((address, group) => (address << 16n) | BigInt(`0x${group}`), 0n)
}

type ParsedAddress = NonNullable<ReturnType<typeof parseAddress>>

function parseAddress(text: string) {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1]
  const ipv4 = parseIpv4(mapped ?? text)
  if (ipv4 !== null) return { address: MAPPED | ipv4, bits: IPV4_BITS }
  const ipv6 = parseIpv6(text)
  return ipv6 === null ? null : { address: ipv6, bits: IPV6_BITS }
}

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

/** Writes an address as RFC 5952 §4.2 and the URL Standard do. */
function formatIpv6(address: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((address >> BigInt(16 * (7 - index))) & 0xffffn).toString(16),
  ).join(':')
  return new URL(`http://[${groups}]`).hostname.slice(1, -1)
}

/** An IPv6 address is stored as the start of its /64. */
export function formatAddress(stored: string): string {
  const address = BigInt(`0x${stored}`)
  if (address >> IPV4_BITS !== MAPPED >> IPV4_BITS) return formatIpv6(address)
  return [24n, 16n, 8n, 0n].map((shift) => String((address >> shift) & 0xffn)).join('.')
}
