interface Entry<Value> {
  readonly value: Value
  readonly bytes: number
}

interface LruLimits<Value> {
  readonly maxBytes: number
  /** Larger values aren't kept. */
  readonly maxEntryBytes?: number
  readonly getBytes: (value: Value) => number
}

/** Forgets what was used longest ago once its values take more than `maxBytes`. */
export class LruCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #maxBytes: number
  readonly #maxEntryBytes: number
  readonly #getBytes: (value: Value) => number
  #bytes = 0

  constructor({ maxBytes, maxEntryBytes = maxBytes, getBytes }: LruLimits<Value>) {
    this.#maxBytes = maxBytes
    this.#maxEntryBytes = maxEntryBytes
    this.#getBytes = getBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // A Map iterates in the order of insertion.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: Value): void {
    const bytes = this.#getBytes(value)
    this.delete(key)
    if (bytes > this.#maxEntryBytes) return
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }
}

/** V8 stores a string in one or two bytes per character. Counting two never underestimates. */
export const getSizeInMemory = (text: string): number => text.length * 2
