import { exportAccount } from '../accounts/export-account.ts'
import type { User } from '../accounts/user.ts'
import type { DocumentStorage } from '../documents/document-store.ts'
import { type ExportPosition, exportDocuments } from '../documents/export.ts'
import { DECRYPTING, formatTime, streamZip, toFiles, toJson, type ZipFile } from './zip-files.ts'

const README = `This ZIP file contains what Regent stores about you and your documents.

account.json             your account, API keys (without the keys), sessions, defaults and removed documents.
                         Only the first part has it.
documents/ID/            one folder for each document
  document.json          its settings, editors and times
  (the other file)       its text

${DECRYPTING}
Reports aren't in it: Regent doesn't store who sent them.
`

interface ZipContext {
  readonly store: DocumentStorage
  readonly user: User
  readonly siteUrl: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Returns one part of everything that an account owns, as a ZIP file. It's streamed: neither the file nor the content of
 * any document is held in memory.
 *
 * @param after the position after which the part starts; null for the first part, which has the account, too.
 */
export function createAccountZip(
  { store, user, siteUrl, now }: ZipContext,
  after: ExportPosition | null,
): ReadableStream<Uint8Array> {
  async function* getFiles(): AsyncGenerator<ZipFile> {
    const lastModified = new Date(now)
    yield { name: 'README.txt', lastModified, input: README }
    if (after === null) {
      const account = await exportAccount(store.db, user.id)
      yield { name: 'account.json', lastModified, input: toJson({ exported: formatTime(now), ...account }) }
    }
    for await (const exported of exportDocuments(store, user, { after, now }))
      yield* toFiles(exported, siteUrl)
  }
  return streamZip(getFiles())
}
