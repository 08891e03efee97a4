/** Stands in for `caches`, in memory, which holds preview pictures. */

const MAX_BYTES = 16 * 1024 * 1024

interface Entry {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly headers: Headers
  readonly expiresAt: number
}

const getUrl = (request: string | URL | Request): string =>
  request instanceof Request ? request.url : String(request)

const getMaxAgeSeconds = (headers: Headers): number =>
  Number(/\bmax-age=(\d+)/.exec(headers.get('Cache-Control') ?? '')?.[1] ?? 0)

/** Forgets what was used longest ago once it holds more than 16 MiB. */
class MemoryCache {
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  async match(request: string | URL | Request): Promise<Response | undefined> {
    const url = getUrl(request)
    const entry = this.#entries.get(url)
    if (entry === undefined) return undefined
    this.#remove(url)
    if (entry.expiresAt <= Date.now()) return undefined
    this.#add(url, entry)
    return new Response(entry.bytes, { headers: entry.headers })
  }

  async put(request: string | URL | Request, response: Response): Promise<void> {
    const bytes = new Uint8Array(await response.arrayBuffer())
    const headers = new Headers(response.headers)
    const expiresAt = Date.now() + getMaxAgeSeconds(headers) * 1_000
    const url = getUrl(request)
    this.#remove(url)
    if (bytes.byteLength > MAX_BYTES || expiresAt <= Date.now()) return
    this.#add(url, { bytes, headers, expiresAt })
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MAX_BYTES) break
      this.#remove(oldest)
    }
  }

  async delete(request: string | URL | Request): Promise<boolean> {
    return this.#remove(getUrl(request))
  }

  #add(url: string, entry: Entry): void {
    this.#entries.set(url, entry)
    this.#bytes += entry.bytes.byteLength
  }

  #remove(url: string): boolean {
    this.#bytes -= this.#entries.get(url)?.bytes.byteLength ?? 0
    return this.#entries.delete(url)
  }
}

export class MemoryCaches {
  readonly #caches = new Map<string, MemoryCache>()
  readonly default = new MemoryCache()

  async open(name: string): Promise<MemoryCache> {
    const cache = this.#caches.get(name) ?? new MemoryCache()
    this.#caches.set(name, cache)
    return cache
  }
}
