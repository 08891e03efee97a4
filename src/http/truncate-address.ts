/** Returns the 16-bit groups of an IPv6 address, or null if it isn't one. */
function parseIpv6(address: string): string[] | null {
  const [head = '', tail, ...rest] = address.split('::')
  if (rest.length > 0) return null
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':'))
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const missing = 8 - before.length - after.length
  if (tail === undefined ? missing !== 0 : missing < 0) return null
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...after]
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) ? groups : null
}

/**
 * Returns the network of a client's address, for logs: 256 addresses of IPv4 (`203.0.113.0/24`), or a /48 of IPv6,
 * which providers assign to a site (`2001:db8:1::/48`). Returns "unknown" if it isn't an address.
 */
export function truncateAddress(address: string): string {
  // An IPv4 address may be written as IPv6: ::ffff:203.0.113.9.
  const ipv4 = /^(?:::ffff:)?(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.\d{1,3}$/i.exec(address)
  if (ipv4) return `${ipv4.slice(1, 4).join('.')}.0/24`
  const groups = parseIpv6(address)
  if (groups === null) return 'unknown'
  const network = groups.slice(0, 3).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/48`
}
