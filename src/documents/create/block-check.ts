import type { DocumentStore } from '../document-store.ts'
import type { BlockCheck } from '../model/block-check.ts'
import { hashContent } from '../model/content-hash.ts'
import { findLinkDomains } from '../model/link-domains.ts'

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
