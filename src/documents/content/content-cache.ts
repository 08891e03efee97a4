const MiB = 1024 * 1024

/** V8 stores a string in one or two bytes per character. Counting two never underestimates. */
const getSizeInMemory = (text: string): number => text.length * 2

/** An LRU cache of document content, limited by bytes. Content keys are immutable, so an entry is never stale. */
export class ContentCache {
  readonly #texts = new Map<string, string>()
  readonly #maxBytes: number
  readonly #maxEntryBytes: number
  #bytes = 0

  constructor(maxBytes: number, maxEntryBytes: number) {
    this.#maxBytes = maxBytes
    this.#maxEntryBytes = maxEntryBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): string | undefined {
    const text = this.#texts.get(key)
    if (text === undefined) return undefined
    // A Map iterates in insertion order: inserting the entry again makes it the most recently used.
    this.#texts.delete(key)
    this.#texts.set(key, text)
    return text
  }

  /** Stores a text, unless it is larger than an entry may be. Evicts the least recently used entries. */
  set(key: string, text: string): void {
    const bytes = getSizeInMemory(text)
    if (bytes > this.#maxEntryBytes) return
    this.delete(key)
    this.#texts.set(key, text)
    this.#bytes += bytes
    for (const oldest of this.#texts.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const text = this.#texts.get(key)
    if (text === undefined) return
    this.#texts.delete(key)
    this.#bytes -= getSizeInMemory(text)
  }

  clear(): void {
    this.#texts.clear()
    this.#bytes = 0
  }
}

/** The cache of this isolate, which has 128 MiB of memory in all. */
export const contentCache = new ContentCache(16 * MiB, 1 * MiB)
