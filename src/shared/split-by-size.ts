interface Limits {
  readonly maxItems?: number
  readonly maxBytes: number
}

/** At most this many items, and this many bytes unless one item has more. */
export function splitBySize<Item>(
  items: Iterable<Item>,
  getBytes: (item: Item) => number,
  { maxItems = Number.POSITIVE_INFINITY, maxBytes }: Limits,
): Item[][] {
  const groups: Item[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const item of items) {
    const size = getBytes(item)
    if (bytes + size > maxBytes || (groups.at(-1)?.length ?? 0) >= maxItems) {
      groups.push([])
      bytes = 0
    }
    bytes += size
    groups.at(-1)?.push(item)
  }
  return groups
}
