import { findNetwork } from '../../platform/addresses.ts'

/**
 * Returns what limits count an address by: an IPv4 address itself, and the /64 of an IPv6 address, because a client can
 * use any address of it.
 *
 * @example
 * toNetwork('2001:db8::1') // '2001:db8::/64'
 */
export const toNetwork = (address: string): string =>
  findNetwork(address, { ipv4: 32n, ipv6: 64n }) ?? address
