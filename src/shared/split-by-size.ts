interface Limits {
  readonly maxItems?: number
  readonly maxBytes: number
}

/** Divides items into groups of at most `maxItems`, and of at most `maxBytes` unless one item alone has more. */
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
