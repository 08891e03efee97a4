import { type BackupRecord, encoder, hash, LINE_FEED } from './format.ts'

export class PartWriter {
  readonly #chunks: Uint8Array[] = []
  #lines = ''
  #bytes = 0
  #rows = 0

  get bytes(): number {
    return this.#bytes
  }

  get rows(): number {
    return this.#rows
  }

  add(record: BackupRecord, content?: Uint8Array): void {
    if (record.type === 'row') this.#rows += 1
    const line = `${JSON.stringify(record)}\n`
    this.#lines += line
    this.#push(encoder.encode(line))
    if (content) {
      this.#push(content)
      this.#push(Uint8Array.of(LINE_FEED))
    }
  }

  async end(number: number, previous: string): Promise<{ chunks: readonly Uint8Array[]; sha256: string }> {
    const sha256 = await hash(previous + this.#lines)
    this.add({ type: 'part', number, sha256 })
    return { chunks: this.#chunks, sha256 }
  }

  #push(bytes: Uint8Array): void {
    this.#chunks.push(bytes)
    this.#bytes += bytes.length
  }
}
