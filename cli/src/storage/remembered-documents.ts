import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instant } from '../../../src/shared/instant.ts'
import { getStateFolder, type Surroundings } from './folders.ts'
import { readPrivateFile, writePrivateFile } from './private-files.ts'

/** A document that was created on this machine without an account. */
export interface RememberedDocument {
  readonly server: string
  readonly id: string
  readonly token: string
  /** Null if it has none, like every encrypted document. */
  readonly title: string | null
  /** Bytes of UTF-8. */
  readonly size: number
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

const getFolder = (surroundings: Surroundings): string => join(getStateFolder(surroundings), 'documents')

/**
 * Each document has a file of its own, so that programs that run at the same time don't overwrite each other's. Ids are
 * case-sensitive, but file names may not be.
 */
const getFile = (surroundings: Surroundings, server: string, id: string): string => {
  const name = createHash('sha256').update(`${server}\n${id}`).digest('hex').slice(0, 32)
  return join(getFolder(surroundings), `${name}.json`)
}

function parseDocument(text: string | null): RememberedDocument | null {
  try {
    const document = JSON.parse(text ?? 'null')
    const valid =
      ['server', 'id', 'token'].every((name) => typeof document?.[name] === 'string') &&
      ['size', 'createdAt', 'expiresAt'].every((name) => typeof document[name] === 'number') &&
      (document.title === null || typeof document.title === 'string')
    return valid ? document : null
  } catch {
    return null
  }
}

export const rememberDocument = (surroundings: Surroundings, document: RememberedDocument): Promise<void> =>
  writePrivateFile(
    getFile(surroundings, document.server, document.id),
    `${JSON.stringify(document, null, 2)}\n`,
  )

export const forgetDocument = (surroundings: Surroundings, server: string, id: string): Promise<void> =>
  rm(getFile(surroundings, server, id), { force: true })

export async function findRememberedDocument(
  surroundings: Surroundings,
  server: string,
  id: string,
): Promise<RememberedDocument | null> {
  return parseDocument(await readPrivateFile(getFile(surroundings, server, id)))
}

/** Newest first. Deletes the files of all documents that have expired. */
export async function listRememberedDocuments(
  surroundings: Surroundings,
  server: string,
  now: Instant,
): Promise<readonly RememberedDocument[]> {
  const folder = getFolder(surroundings)
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => {
        const path = join(folder, name)
        const document = parseDocument(await readPrivateFile(path))
        if (!document || document.expiresAt > now) return document
        await rm(path, { force: true })
        return null
      }),
  )
  return found
    .filter((document) => document !== null)
    .filter((document) => document.server === server)
    .sort((one, other) => other.createdAt - one.createdAt)
}
