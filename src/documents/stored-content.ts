import { contentNotText, invalidPassword, passwordRequired } from '../errors.ts'
import { decryptJwe } from '../shared/jwe.ts'
import { decodeText } from './content.ts'
import type { ContentStore } from './content-store.ts'
import type { Document } from './document.ts'

/**
 * Thrown when a row that was read is out of date, or names content that KV doesn't show yet: the row has to be
 * read again.
 */
export class StaleDocumentError extends Error {
  override readonly name = 'StaleDocumentError'
}

/** The content of one version of a document, fetched when first needed and decrypted at most once per password. */
export class StoredContent {
  readonly #contents: ContentStore
  readonly #document: Document
  #stored: Promise<string> | null = null
  #decrypted: { readonly password: string; readonly bytes: Promise<Uint8Array> } | null = null

  constructor(contents: ContentStore, document: Document) {
    this.#contents = contents
    this.#document = document
  }

  /**
   * Returns what KV stores: the text, or the JWE of an encrypted document.
   *
   * @throws StaleDocumentError if KV doesn't have it, AppError `unavailable`.
   */
  async read(): Promise<string> {
    this.#stored ??= this.#fetch()
    return this.#stored
  }

  /**
   * Returns the start of the text, without fetching the rest of a long one.
   *
   * @param maxBytes of UTF-8. A shorter text is returned as a whole.
   * @throws like `read`.
   */
  async readStart(maxBytes: number): Promise<string> {
    const { contentBytes, contentKey, id, updatedAt } = this.#document
    if (contentBytes <= maxBytes) return this.read()
    const stream = await this.#contents.stream(contentKey, { storedAt: updatedAt })
    if (stream === null) throw new StaleDocumentError(`the content of document ${id} is missing`)
    const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader()
    const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
    let text = ''
    for (let bytes = 0; bytes < maxBytes; ) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value.subarray(0, maxBytes - bytes), { stream: true })
      bytes += value.byteLength
    }
    await reader.cancel()
    return text
  }

  /**
   * Returns the bytes inside the JWE of an encrypted document.
   *
   * @throws AppError `bad_request` for a wrong password, and what `read` throws.
   */
  async decrypt(password: string): Promise<Uint8Array> {
    if (this.#decrypted?.password !== password) {
      this.#decrypted = { password, bytes: this.#decrypt(password) }
    }
    return this.#decrypted.bytes
  }

  /**
   * Returns the text.
   *
   * @param password required for an encrypted document, ignored for others.
   * @throws AppError `bad_request` for a missing or wrong password, or if the decrypted bytes aren't UTF-8, and what
   * `read` throws.
   */
  async readText(password: string | undefined): Promise<string> {
    if (!this.#document.encrypted) return this.read()
    if (password === undefined) throw passwordRequired()
    const bytes = await this.decrypt(password)
    try {
      return decodeText(bytes)
    } catch {
      throw contentNotText()
    }
  }

  async #fetch(): Promise<string> {
    const { id, contentBytes, contentKey, encrypted, burnAfterReading, updatedAt } = this.#document
    await this.#contents.memory?.reserve(contentBytes, { encrypted })
    const stored = await this.#contents.get(contentKey, {
      cache: !burnAfterReading,
      storedAt: updatedAt,
    })
    if (stored === null) throw new StaleDocumentError(`the content of document ${id} is missing`)
    return stored
  }

  async #decrypt(password: string): Promise<Uint8Array> {
    const bytes = await decryptJwe(await this.read(), password)
    if (bytes === null) throw invalidPassword()
    return bytes
  }
}
