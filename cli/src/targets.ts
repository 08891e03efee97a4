import { isDocumentId } from '../../src/shared/document-ids.ts'
import { parseFragmentPassword } from '../../src/shared/password-link.ts'
import { CliError } from './exit-codes.ts'

export interface Target {
  /** Null if only an id was given. */
  readonly server: string | null
  readonly id: string
  readonly password: string | null
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/

/**
 * Without a scheme, the address is https, or http on this machine.
 *
 * @returns its origin.
 * @throws CliError `usage` if it isn't an address.
 */
export function parseServer(typed: string): string {
  const hasScheme = /^https?:\/\//i.test(typed)
  const address = hasScheme ? typed : `${LOOPBACK.test(typed) ? 'http' : 'https'}://${typed}`
  if (!URL.canParse(address)) throw new CliError('usage', `"${typed}" isn’t the address of a server`)
  return new URL(address).origin
}

export const isUnprotected = (server: string): boolean => {
  const { protocol, host } = new URL(server)
  return protocol === 'http:' && !LOOPBACK.test(host)
}

/** Paths of a document besides `/ID`: the raw text, and the links of earlier services. */
const PREFIXES = ['r', 'raw', 'p']

/**
 * @param typed an id, or a link with or without a password.
 * @throws CliError `usage` if it's neither.
 */
export function parseTarget(typed: string): Target {
  if (isDocumentId(typed)) return { server: null, id: typed, password: null }
  const refusal = new CliError('usage', 'Name a document by its id or link')
  if (!/^https?:\/\//i.test(typed) || !URL.canParse(typed)) throw refusal
  const { origin, pathname, hash } = new URL(typed)
  const [first = '', second = ''] = pathname.slice(1).split('/')
  const [id = ''] = (PREFIXES.includes(first) ? second : first).split('.')
  if (!isDocumentId(id)) throw refusal
  return { server: origin, id, password: parseFragmentPassword(hash) }
}
