import { findNetwork } from '../platform/addresses.ts'

/**
 * Returns the network of a client's address, for logs: 256 addresses of IPv4 (`203.0.113.0/24`), or a /48 of IPv6,
 * which providers assign to a site (`2001:db8:1::/48`). Returns "unknown" if it isn't an address.
 */
export const truncateAddress = (address: string): string =>
  findNetwork(address, { ipv4: 24n, ipv6: 48n }) ?? 'unknown'
