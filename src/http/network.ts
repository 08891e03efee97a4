import type { AppContext } from '../env.ts'
import { findNetwork } from '../platform/addresses.ts'

/** Returns an IPv4 address itself, and the /64 of an IPv6 address: a client can use any address of it. */
export const toNetwork = (address: string): string =>
  findNetwork(address, { ipv4: 32n, ipv6: 64n }) ?? address

/**
 * Clients can't forge `CF-Connecting-IP` on Cloudflare. The local simulator takes it from anyone, so there all clients are
 * one.
 */
export const readClientAddress = (c: AppContext): string | undefined =>
  c.env.LOCAL_SERVER ? undefined : c.req.header('CF-Connecting-IP')

export const getNetwork = (c: AppContext): string => toNetwork(readClientAddress(c) ?? 'unknown')
