import { type AppError, blockedAddress, blockedContent, blockedDomain } from '../errors.ts'
import type { Statement } from '../shared/statement.ts'
import { hashContent } from './content.ts'
import type { BlockCheck } from './document.ts'
import type { DocumentStore } from './document-store.ts'
import { findLinkDomains } from './link-domains.ts'

/**
 * Returns the statements that make a transaction fail if something in it is blocked: one, or none if there is nothing to
 * check. They change nothing. Checking in the transaction itself costs no round trip, and blocks take effect at once.
 */
export const blockCheckStatements = ({ address, contentHash, domains }: BlockCheck): Statement[] =>
  address === null && contentHash === null
    ? []
    : [
        [
          'INSERT INTO block_checks (address, content_hash, domains) VALUES (?1, ?2, ?3)',
          address,
          contentHash,
          JSON.stringify(domains),
        ],
      ]

/** By the messages of the trigger `block_checks_refuse`. */
const ERRORS: Readonly<Record<string, (cause: unknown) => AppError>> = {
  'blocked address': blockedAddress,
  'blocked content': blockedContent,
  'blocked domain': blockedDomain,
}

/** Throws the AppError for a transaction that failed because something in it is blocked, or else the error itself. */
export function throwBlockError(error: unknown): never {
  const [found = ''] =
    error instanceof Error ? (/blocked (?:address|content|domain)/.exec(error.message) ?? []) : []
  throw ERRORS[found]?.(error) ?? error
}

/**
 * Returns what the block lists are asked about a create or an edit.
 *
 * @param content the new content; null if it stays as it is, or if the client has encrypted it.
 */
export async function createBlockCheck(
  store: DocumentStore,
  content: { readonly text: string; readonly bytes: Uint8Array } | null,
): Promise<BlockCheck> {
  return {
    address: store.getClientAddress?.() ?? null,
    contentHash: content && (await hashContent(content.bytes)),
    domains: content ? findLinkDomains(content.text) : [],
  }
}
