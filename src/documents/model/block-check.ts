/** What a create or an edit is about to store, for the block lists. */
export interface BlockCheck {
  /** Who sends it, as `toStoredAddress` returns it; null if unknown. */
  readonly address: string | null
  /** See `hashContent`; null if the content isn't new, or encrypted by the client. */
  readonly contentHash: string | null
  /** The domains of the links in new content. */
  readonly domains: readonly string[]
}
