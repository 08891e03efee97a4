import { type AccountExportRow, parseAccountExport } from '../accounts/export-account.ts'
import { type Document, neverExpires } from '../documents/document.ts'
import { getFileName } from '../shared/derive-title.ts'
import { formatIsoTime } from '../shared/format.ts'
import type { Instant } from '../shared/instant.ts'
import { SETTINGS, STORED_FLAGS } from '../shared/settings.ts'

/* What is in the ZIP files that people download. Also for the command line. */

/** `Content` is what the caller reads texts as. */
export interface ZipFile<Content = ReadableStream<Uint8Array>> {
  readonly name: string
  readonly lastModified: Date
  readonly input: string | Content
}

/** Stands in the README of a ZIP file. Python's `jwcrypto` accepts every JWE of Regent. */
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

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const describeDocument = (document: Document, siteUrl: string) => ({
  id: document.id,
  link: `${siteUrl}/${document.id}`,
  title: document.title,
  given_title: document.givenTitle,
  name: document.name,
  language: document.language,
  ...Object.fromEntries(STORED_FLAGS.map((name) => [name, document[SETTINGS[name].property]])),
  editors: document.editors.map(({ username }) => username),
  gist_url: document.gistUrl,
  size: document.contentBytes,
  views: document.views,
  created: formatIsoTime(document.createdAt),
  edited: document.updatedAt === document.createdAt ? null : formatIsoTime(document.updatedAt),
  last_edited_by: document.lastEditedBy?.username ?? null,
  expires: neverExpires(document) ? null : formatIsoTime(document.expiresAt),
})

/** Each document has a folder of its own, so that equal names don't meet. */
export function* toFiles<Content>(
  { document, content }: { readonly document: Document; readonly content: Content | null },
  siteUrl: string,
): Generator<ZipFile<Content>> {
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

export const ACCOUNT_README = `This ZIP file contains what the server stores about you and your documents.

account.json             your account, API keys (without the keys), sessions, connections, invitations, defaults and
                         removed documents. Only the first part has it.
documents/ID/            one folder for each document
  document.json          its settings, editors and times
  (the other file)       its text

${DECRYPTING}
Reports aren't in it: the server doesn't store who sent them.
`

/** Returns null if the account is gone by now. */
export const toAccountJson = (row: AccountExportRow | null, now: Instant): string =>
  toJson({ exported: formatIsoTime(now), ...(row && parseAccountExport(row)) })
