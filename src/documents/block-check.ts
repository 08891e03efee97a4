import { blockedDomain } from '../errors.ts'
import { type Database, type Query, query } from '../platform/database.ts'
import { sha256 } from '../shared/hashing.ts'
import type { Statement } from '../shared/statement.ts'
import type { BlockCheck } from './document.ts'
import type { DocumentStore } from './document-store.ts'

/**
 * The table stays empty: a trigger makes the transaction fail, or ignores the row. That costs no round trip, and blocks
 * take effect at once.
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

/** A name has at most 253 characters, so that the row of the check stays under 260 KB. */
const MAX_CHECKED_DOMAINS = 1_000
/** A list of so many domains takes less than 3 MB, even if all names are as long as they can be. */
const MAX_LISTED_DOMAINS = 10_000

const listBlockedDomains = (after: string): Query<string[]> =>
  query(
    [
      "SELECT value FROM blocks WHERE kind = 'domain' AND value > ?1 ORDER BY value LIMIT ?2",
      after,
      MAX_LISTED_DOMAINS,
    ],
    (rows: { value: string }[]) => rows.map(({ value }) => value),
  )

/** It has a table of all named characters, which takes 5 ms, and reading a document needs none. */
const loadLinkDomains = () => import('./link-domains.lazy.ts')

/**
 * Returns the domains for the check in the transaction. A text with more of them is checked here, against the blocked
 * domains, which are fewer: a call for each 10,000 of them.
 *
 * @throws AppError `bad_auth`, and `bad_request` if the text has too many links to check them all.
 */
async function checkDomains(db: Database, text: string): Promise<readonly string[]> {
  const { findLinkDomains, linksToAny } = await loadLinkDomains()
  const domains = findLinkDomains(text, MAX_CHECKED_DOMAINS)
  if (domains) return domains
  for (let last: string | undefined = ''; last !== undefined; ) {
    const [blocked]: [readonly string[]] = await db.ask(listBlockedDomains(last))
    if (blocked.length > 0 && linksToAny(text, new Set(blocked))) throw blockedDomain()
    last = blocked[MAX_LISTED_DOMAINS - 1]
  }
  return []
}

/** Hashes content. The same bytes have the same hash in every document, so a block finds them everywhere. */
export const hashContent = (bytes: Uint8Array): Promise<string> => sha256(bytes)

/**
 * @param content null if it stays as it is, or if the client has encrypted it.
 * @throws AppError `bad_auth` if a text with very many links has one to a blocked domain, and `bad_request` if it has
 * too many to check them all.
 */
export async function createBlockCheck(
  { db, getClientAddress }: Pick<DocumentStore, 'db' | 'getClientAddress'>,
  content: { readonly text: string; readonly bytes: Uint8Array } | null,
): Promise<BlockCheck> {
  return {
    address: getClientAddress(),
    contentHash: content && (await hashContent(content.bytes)),
    domains: content ? await checkDomains(db, content.text) : [],
  }
}
