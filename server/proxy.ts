import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'

/**
 * Finds out who sent a request, and to which address: as the connection says, or as a proxy says that the operator
 * trusts.
 */

export type Networks = BlockList

/** The parts of Node's request that matter here. */
interface Incoming {
  readonly headers: IncomingHttpHeaders
  rawHeaders: string[]
  url?: string | undefined
  readonly socket: { readonly remoteAddress?: string | undefined }
}

const toFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Node listens on IPv6 for both, and writes IPv4 addresses like this (RFC 4291 §2.5.5.2). */
const unmap = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

/** Parses addresses and networks such as `10.0.0.0/8`, separated by commas or spaces. Returns null if one isn't valid. */
export function parseNetworks(text: string): Networks | null {
  const networks = new BlockList()
  for (const entry of text.split(/[\s,]+/).filter((entry) => entry !== '')) {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
    const bits = isIP(address) === 6 ? 128 : 32
    if (isIP(address) === 0 || Number(prefix ?? bits) > bits) return null
    networks.addSubnet(address, Number(prefix ?? bits), toFamily(address))
  }
  return networks
}

const includes = (networks: Networks, address: string): boolean =>
  isIP(address) !== 0 && networks.check(address, toFamily(address))

/** Removes a port, brackets and quotes, which `Forwarded` has (RFC 7239 §6) and some proxies write elsewhere, too. */
function parseNode(text: string): string | null {
  const node = text.trim().replace(/^"|"$/g, '')
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(node)?.[1] ?? /^([\d.]+):\d+$/.exec(node)?.[1] ?? node
  return isIP(address) === 0 ? null : unmap(address)
}

interface Hop {
  readonly for?: string | undefined
  readonly proto?: string | undefined
  readonly host?: string | undefined
}

/**
 * Splits a list at its commas, except those in quotes. It begins at the end, which the last proxy has written: a quote that a
 * client leaves open doesn't reach it.
 */
function splitFromEnd(text: string): string[] {
  const hops: string[] = []
  let end = text.length
  let isQuoted = false
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (text[at] === '"') isQuoted = !isQuoted
    if (text[at] !== ',' || isQuoted) continue
    hops.push(text.slice(at + 1, end))
    end = at
  }
  hops.push(text.slice(0, end))
  return hops.reverse()
}

/** Pairs may be empty, as in `for=192.0.2.9;;proto=https` (RFC 7239 §4). */
const HOP = /^(?:\s*(?:[\w-]+=(?:"[^"\\]*"|[^\s",;\\]*)\s*)?(?:;|$))*$/
const PAIR = /([\w-]+)=(?:"([^"]*)"|([^\s;]*))/g

/**
 * The addresses go from the client to the last proxy. A hop that isn't well-formed says nothing, and neither does one with a
 * backslash, which could hide where its quotes end.
 */
function readForwarded(text: string): Hop[] {
  return splitFromEnd(text)
    .filter((hop) => hop.trim() !== '')
    .map((hop) => {
      if (!HOP.test(hop)) return {}
      const pairs = [...hop.matchAll(PAIR)]
      return Object.fromEntries(
        pairs.map(([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain]),
      )
    })
}

const getHeader = ({ headers }: Incoming, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Reads what proxies have added. They add only some of the headers, and pass on what a client has sent in the others: so
 * `Forwarded` counts only if no `X-Forwarded-…` is there.
 */
function readHops(request: Incoming): Hop[] {
  const [addresses, proto, host] = ['for', 'proto', 'host'].map((name) =>
    getHeader(request, `x-forwarded-${name}`),
  )
  if (addresses === undefined && proto === undefined && host === undefined)
    return readForwarded(getHeader(request, 'forwarded') ?? '')
  const last = (list: string | undefined) => list?.split(',').at(-1)?.trim()
  const hops: Hop[] = (addresses ?? '').split(',').map((address) => ({ for: address }))
  const hop = hops.pop()
  return [...hops, { ...hop, proto: last(proto), host: last(host) }]
}

/** The first address, from the server on, that isn't a trusted proxy's. What is before it may be made up. */
function findClient(connection: string, hops: readonly Hop[], trusted: Networks): string {
  let client = connection
  for (const hop of hops.toReversed()) {
    if (!includes(trusted, client)) break
    const address = parseNode(hop.for ?? '')
    if (address === null) break
    client = address
  }
  return client
}

/** Headers that only a proxy may send. They are dropped once they have been read. */
const CLAIMS = /^(?:cf-|x-forwarded-|x-real-ip$|forwarded$)/i

const HOST = /^[a-z\d.[\]:-]{1,255}$/i

/**
 * Gives a request the headers and the address that it would have at Cloudflare, so that the app reads the client's address
 * where it always does.
 */
export function acceptRequest(request: Incoming, trusted: Networks): void {
  const connection = unmap(request.socket.remoteAddress ?? '')
  const isFromProxy = includes(trusted, connection)
  const hops = isFromProxy ? readHops(request) : []
  const { proto, host } = hops.at(-1) ?? {}
  const raw: string[] = []
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2)
    if (!CLAIMS.test(name)) raw.push(name, value)
  }
  const client = findClient(connection, hops, trusted)
  raw.push('CF-Connecting-IP', client)
  request.rawHeaders = raw
  for (const name of Object.keys(request.headers)) if (CLAIMS.test(name)) delete request.headers[name]
  request.headers['cf-connecting-ip'] = client
  // A request to a proxy has the whole address. Which one a client writes there doesn't count.
  const target = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '')
  request.url = target.startsWith('?') || target === '' ? `/${target}` : target
  if (!isFromProxy || !request.url.startsWith('/')) return
  const claimedHost = host !== undefined && HOST.test(host) ? host : undefined
  if (claimedHost !== undefined) request.headers.host = claimedHost
  if (proto?.toLowerCase() === 'https') request.url = `https://${request.headers.host ?? ''}${request.url}`
}
