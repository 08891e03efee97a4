/** A map that forgets the entry that was set longest ago once it has more than `maxEntries`. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    super()
    this.#maxEntries = maxEntries
  }

  override set(key: Key, value: Value): this {
    // A Map iterates in the order of insertion, and setting an entry again doesn't move it.
    this.delete(key)
    super.set(key, value)
    const oldest = this.keys().next()
    if (this.size > this.#maxEntries && !oldest.done) this.delete(oldest.value)
    return this
  }
}
