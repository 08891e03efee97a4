import type { DocumentStorage } from '../../documents/document-store.ts'
import { openDocument } from '../../documents/export.ts'
import { findHeldDocuments, type HeldDocument } from '../../documents/held-documents.ts'
import { DECRYPTING, streamZip, toFiles, type ZipFile } from './zip-files.ts'

const README = `This ZIP file contains documents that you created without an account.

list.txt                 each of the documents, and whether it's in this file
documents/ID/            one folder for each document
  document.json          its settings and times
  (the other file)       its text

${DECRYPTING}`

const GONE = 'not in this file: it expired, or somebody read or deleted it'

interface ZipContext {
  readonly store: DocumentStorage
  readonly siteUrl: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Returns documents without an account as a ZIP file, given their tokens. Counts no views and burns nothing. It's
 * streamed: neither the file nor the content of any document is held in memory. The list at its end names the documents
 * that are gone.
 *
 * @throws AppError `bad_request` for too many documents.
 */
export async function createDeviceZip(
  { store, siteUrl, now }: ZipContext,
  held: readonly HeldDocument[],
): Promise<ReadableStream<Uint8Array>> {
  const documents = await findHeldDocuments(store, held, now)
  async function* getFiles(): AsyncGenerator<ZipFile> {
    const lastModified = new Date(now)
    yield { name: 'README.txt', lastModified, input: README }
    const outcomes = new Map(held.map(({ id }) => [id, GONE]))
    for (const document of documents) {
      const opened = await openDocument(store, document, now)
      if (!opened) continue
      const folder = `documents/${document.id}`
      outcomes.set(document.id, opened.content ? folder : `${folder}, but its text couldn't be read`)
      yield* toFiles(opened, siteUrl)
    }
    const lines = [...outcomes].map(([id, outcome]) => `${id}  ${outcome}\n`)
    yield { name: 'list.txt', lastModified, input: lines.join('') }
  }
  return streamZip(getFiles())
}
