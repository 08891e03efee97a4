import { makeZip } from 'client-zip'
import { exportAccount } from '../../../accounts/profile/export-account.ts'
import type { User } from '../../../accounts/user.ts'
import type { DocumentStorage } from '../../../documents/document-store.ts'
import { type ExportedDocument, exportDocuments } from '../../../documents/export.ts'
import { type Document, neverExpires } from '../../../documents/model/document.ts'
import type { ExportPosition } from '../../../documents/sql/export-parts.ts'
import { SETTINGS, STORED_FLAGS } from '../../../shared/settings.ts'
import { getDownloadName } from '../../documents/raw/download-name.ts'

const README = `This ZIP file contains what Regent stores about you and your documents.

account.json             your account, API keys (without the keys), sessions, defaults and removed documents.
                         Only the first part has it.
documents/ID/            one folder for each document
  document.json          its settings, editors and times
  (the other file)       its text. An encrypted document is a JWE: any JOSE tool decrypts it with the password.

Reports aren't in it: Regent doesn't store who sent them.
`

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const formatTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** Returns what is stored about a document besides its content. */
const describeDocument = (document: Document, siteUrl: string) => ({
  id: document.id,
  link: `${siteUrl}/${document.id}`,
  title: document.title,
  given_title: document.givenTitle,
  language: document.language,
  ...Object.fromEntries(STORED_FLAGS.map((name) => [name, document[SETTINGS[name].property]])),
  editors: document.editors.map(({ username }) => username),
  gist_url: document.gistUrl,
  size: document.contentBytes,
  views: document.views,
  created: formatTime(document.createdAt),
  edited: document.updatedAt === document.createdAt ? null : formatTime(document.updatedAt),
  last_edited_by: document.lastEditedBy?.username ?? null,
  expires: neverExpires(document) ? null : formatTime(document.expiresAt),
})

/** Returns the files of a document. */
function* toFiles({ document, content }: ExportedDocument, siteUrl: string) {
  const folder = `documents/${document.id}`
  const lastModified = new Date(document.updatedAt)
  yield {
    name: `${folder}/document.json`,
    lastModified,
    input: toJson(describeDocument(document, siteUrl)),
  }
  if (content) {
    const name = document.encrypted ? `${document.id}.jwe` : getDownloadName(document)
    yield { name: `${folder}/${name}`, lastModified, input: content }
  } else {
    const input = 'The text couldn’t be read. Download this part again.\n'
    yield { name: `${folder}/text-is-missing.txt`, lastModified, input }
  }
}

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
  async function* getFiles() {
    const lastModified = new Date(now)
    yield { name: 'README.txt', lastModified, input: README }
    if (after === null) {
      const account = await exportAccount(store.db, user.id)
      yield { name: 'account.json', lastModified, input: toJson({ exported: formatTime(now), ...account }) }
    }
    for await (const exported of exportDocuments(store, user, { after, now }))
      yield* toFiles(exported, siteUrl)
  }
  const zip = makeZip(getFiles()).getReader()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await zip.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      // No `cancel`: client-zip answers that with a rejection that nobody can handle. When the client goes away,
      // nothing reads on, so no more content is fetched.
    },
    { highWaterMark: 0 },
  )
}
