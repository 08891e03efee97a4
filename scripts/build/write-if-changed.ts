import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file only if it changes: a running service may be reading it, and a watcher would build again. */
export async function writeIfChanged(path: string, contents: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(contents)
  const present = await readFile(path).catch(() => null)
  if (present?.equals(bytes)) return
  await mkdir(dirname(path), { recursive: true })
  // Whoever reads the file meanwhile gets the old one or the new one, whole.
  const beside = `${path}.${randomUUID()}.new`
  await writeFile(beside, bytes)
  await rename(beside, path)
}
