import { makeZip } from 'client-zip'
import { type Document, neverExpires } from '../documents/document.ts'
import type { DocumentStorage } from '../documents/document-store.ts'
import type { ExportedDocument } from '../documents/export.ts'
import type { AppContext } from '../env.ts'
import { answer } from '../http/answers.ts'
import { getFileName } from '../shared/derive-title.ts'
import type { Instant } from '../shared/instant.ts'
import { SETTINGS, STORED_FLAGS } from '../shared/settings.ts'
import { PRIVATE_HEADERS } from '../site/layout/page.tsx'

export const formatDocuments = (count: number): string => (count === 1 ? '1 document' : `${count} documents`)

export interface ZipContext {
  readonly store: DocumentStorage
  readonly siteUrl: string
  readonly now: Instant
}

export interface ZipFile {
  readonly name: string
  readonly lastModified: Date
  readonly input: string | ReadableStream<Uint8Array>
}

/** For the README of a ZIP file. Python's `jwcrypto` accepts every JWE of Regent. */
export const DECRYPTING = `An encrypted document is a JWE, in a file that ends in .jwe. You need its password to decrypt it, for example with
Python's package jwcrypto:

  PASSWORD='...' python3 -c '
  import os, sys
  from jwcrypto import jwa, jwe
  jwa.default_max_pbkdf2_iterations = 100_000
  token = jwe.JWE()
  token.deserialize(sys.stdin.read(), os.environ["PASSWORD"])
  sys.stdout.buffer.write(token.payload)' < ID.jwe > text
`

export const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

export const formatTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

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

/** Each document has a folder of its own, so that equal names don't meet. */
export function* toFiles({ document, content }: ExportedDocument, siteUrl: string): Generator<ZipFile> {
  const folder = `documents/${document.id}`
  const lastModified = new Date(document.updatedAt)
  yield {
    name: `${folder}/document.json`,
    lastModified,
    input: toJson(describeDocument(document, siteUrl)),
  }
  if (content) {
    const name = document.encrypted ? `${document.id}.jwe` : getFileName(document)
    yield { name: `${folder}/${name}`, lastModified, input: content }
  } else {
    const input = 'The text couldn’t be read. Download this part again.\n'
    yield { name: `${folder}/text-is-missing.txt`, lastModified, input }
  }
}

/** Reads each file only while it is sent. */
export function streamZip(files: AsyncIterable<ZipFile>): ReadableStream<Uint8Array> {
  const zip = makeZip(files).getReader()
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

export function answerZip(
  c: AppContext,
  zip: ReadableStream<Uint8Array> | null,
  { name, part }: { readonly name: string; readonly part: string },
): Response {
  const day = new Date(c.var.now).toISOString().slice(0, 10)
  const headers = {
    ...PRIVATE_HEADERS,
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="regent-${name}-${day}-part-${part}.zip"`,
  }
  return answer(c, zip, { headers })
}
