import { createReadStream } from 'node:fs'
import { chmod, open, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import { CommandError } from '../support/command-error.ts'
import type { BackupPart, BackupProgress } from './write-backup.ts'

const compress = promisify(gzip)

/** A backup holds email addresses and hashes of keys: only its owner may read it. */
const PRIVATE = 0o600

interface SavedProgress {
  /** Bytes of the file up to the last whole part. */
  readonly bytes: number
  readonly progress: BackupProgress
}

/**
 * A backup while it's written: parts are appended to FILE.partial, and FILE.progress says how far it got. The file
 * gets its own name when it's complete.
 */
export class BackupFile {
  readonly #path: string
  #bytes = 0

  constructor(path: string) {
    this.#path = path
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Returns how far an interrupted backup got, and cuts off what was written after that. Null if there is none. */
  async resume(): Promise<BackupProgress | null> {
    const saved = await readFile(this.#progressPath, 'utf8').catch(() => null)
    if (saved === null) return null
    const { bytes, progress }: SavedProgress = JSON.parse(saved)
    await truncate(this.#partialPath, bytes)
    this.#bytes = bytes
    return progress
  }

  /** Tells how to give up an interrupted backup. */
  get howToBeginAgain(): string {
    return `Use the same options, or delete ${this.#partialPath} and ${this.#progressPath} to begin again.`
  }

  async begin(): Promise<void> {
    await writeFile(this.#partialPath, '', { mode: PRIVATE })
    await chmod(this.#partialPath, PRIVATE)
  }

  async append({ chunks, progress }: BackupPart): Promise<void> {
    const compressed = await compress(Buffer.concat(chunks))
    const file = await open(this.#partialPath, 'a', PRIVATE)
    try {
      await file.appendFile(compressed)
      await file.sync()
    } finally {
      await file.close()
    }
    this.#bytes += compressed.length
    const saved: SavedProgress = { bytes: this.#bytes, progress }
    // Renaming replaces the file at once: an interruption leaves the old one or the new one.
    await writeFile(`${this.#progressPath}.new`, JSON.stringify(saved), { mode: PRIVATE })
    await rename(`${this.#progressPath}.new`, this.#progressPath)
  }

  async finish(): Promise<void> {
    await rename(this.#partialPath, this.#path)
    await rm(this.#progressPath, { force: true })
  }

  get #partialPath(): string {
    return `${this.#path}.partial`
  }

  get #progressPath(): string {
    return `${this.#path}.progress`
  }
}

/** Opens a backup and decompresses it. Throws a CommandError if it isn't compressed properly. */
export async function* readBackupFile(path: string): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(path)
  const decompressed = stream.pipe(createGunzip())
  stream.once('error', (error) => decompressed.destroy(error))
  try {
    for await (const chunk of decompressed) yield chunk as Uint8Array
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.startsWith('Z_')) throw new CommandError(`The file is damaged or incomplete (${message}).`)
    throw error
  } finally {
    stream.destroy()
  }
}
