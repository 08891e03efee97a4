import { env } from 'cloudflare:workers'
import type { BackupKind } from '../../../scripts/backup/format.ts'
import { beginBackup, recordBackup, writeBackup } from '../../../scripts/backup/write-backup.ts'
import type { Bindings } from '../../../scripts/support/storage.ts'

/** Who the audit log names. */
export const ACTOR = 'cli:test'

/** Backs up the storage, which remembers that, and returns the decompressed file. */
export async function backUp({
  bindings = env,
  kind = 'full',
  burnAfterReading = false,
  now = Date.now(),
}: {
  bindings?: Bindings
  kind?: BackupKind
  burnAfterReading?: boolean
  now?: number
} = {}): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const begun = beginBackup({ kind, now, burnAfterReading })
  await recordBackup(env.DB, begun, { actor: ACTOR, now })
  for await (const part of writeBackup(bindings, begun)) {
    chunks.push(...part.chunks)
  }
  return joinChunks(chunks)
}

/** Returns the bytes of all chunks. */
export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Returns a backup's bytes in chunks of a size that splits lines and characters. */
export const opener = (file: Uint8Array, chunkBytes = 1_000) =>
  async function* open(): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < file.length; start += chunkBytes) {
      yield file.subarray(start, start + chunkBytes)
    }
  }
