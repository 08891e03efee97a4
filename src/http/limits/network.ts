/** How many 16-bit groups of an IPv6 address name the network. A client can use any address of its /64. */
const NETWORK_GROUPS = 4
const ADDRESS_GROUPS = 8

const splitGroups = (part: string): string[] => (part === '' ? [] : part.split(':'))

/** Returns the IPv4 address that an IPv6 address such as `::ffff:192.0.2.1` stands for; otherwise null. */
const findMappedAddress = (address: string): string | null =>
  /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? null

/**
 * Returns what limits count an address by: an IPv4 address itself, and the /64 of an IPv6 address.
 *
 * @example
 * toNetwork('2001:db8::1') // '2001:db8:0:0::/64'
 */
export function toNetwork(address: string): string {
  if (!address.includes(':')) return address
  const mapped = findMappedAddress(address)
  if (mapped !== null) return mapped
  const [start = '', end] = address.split('::', 2)
  const left = splitGroups(start)
  const right = splitGroups(end ?? '')
  const omitted = end === undefined ? 0 : Math.max(0, ADDRESS_GROUPS - left.length - right.length)
  const groups = [...left, ...Array<string>(omitted).fill('0'), ...right].slice(0, NETWORK_GROUPS)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
