import { type AppError, blockedAddress, blockedContent, blockedDomain } from '../../errors.ts'
import type { Statement } from '../../platform/statement.ts'
import type { BlockCheck } from '../model/block-check.ts'

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
