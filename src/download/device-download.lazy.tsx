import { parseDocumentToken } from '../device/device.tsx'
import type { Document } from '../documents/document.ts'
import { type DocumentToken, findDocumentsByToken } from '../documents/document-tokens.ts'
import { isFull, openDocument } from '../documents/export.ts'
import type { AppContext } from '../env.ts'
import { formatSize } from '../shared/format.ts'
import { Item, Items } from '../site/components/fields.tsx'
import { Form } from '../site/components/form.tsx'
import { readFields } from '../site/layout/form.ts'
import { Notice } from '../site/layout/layout.tsx'
import { PRIVATE_HEADERS, page } from '../site/layout/page.tsx'
import {
  answerZip,
  DECRYPTING,
  formatDocuments,
  streamZip,
  toFiles,
  type ZipContext,
  type ZipFile,
} from './zip-files.ts'

const README = `This ZIP file contains documents that you created without an account.

list.txt                 each of the documents, and whether it's in this file
documents/ID/            one folder for each document
  document.json          its settings and times
  (the other file)       its text

${DECRYPTING}`

const GONE = 'not in this file: it expired, or somebody read or deleted it'

/** The list at the end names the documents that are gone. @throws AppError `bad_request` for too many documents. */
async function createDeviceZip(
  { store, siteUrl, now }: ZipContext,
  held: readonly DocumentToken[],
): Promise<ReadableStream<Uint8Array>> {
  const documents = await findDocumentsByToken(store, held, now)
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

/** The field of the forms: ids and tokens, as `id.token` with spaces between them. A form may have only few fields. */
const FIELD = 'documents'

async function readHeld(c: AppContext): Promise<DocumentToken[]> {
  const text = (await readFields(c)).get(FIELD) ?? ''
  return text
    .split(/\s+/)
    .map(parseDocumentToken)
    .filter(({ id }) => id !== '')
}

interface Part {
  readonly held: readonly DocumentToken[]
  readonly documents: number
  readonly bytes: number
}

/** The first part also gets the documents that are gone, to list them. */
function divide(documents: readonly Document[], held: readonly DocumentToken[]): Part[] {
  const tokens = new Map(held.map((one) => [one.id, one]))
  const parts: Part[] = []
  let part: Part = { held: [], documents: 0, bytes: 0 }
  for (const { id, contentBytes } of documents) {
    if (isFull(part, contentBytes)) {
      parts.push(part)
      part = { held: [], documents: 0, bytes: 0 }
    }
    const own = tokens.get(id)
    tokens.delete(id)
    part = {
      held: own ? [...part.held, own] : part.held,
      documents: part.documents + 1,
      bytes: part.bytes + contentBytes,
    }
  }
  const [first = part, ...others] = [...parts, part]
  return [{ ...first, held: [...first.held, ...tokens.values()] }, ...others]
}

const describeGone = (count: number): string =>
  count === 1
    ? 'One document is gone: it expired, or somebody read or deleted it.'
    : `${count} documents are gone: they expired, or somebody read or deleted them.`

export async function showDeviceDownload(c: AppContext): Promise<Response> {
  const held = await readHeld(c)
  const documents = await findDocumentsByToken(c.var.store, held, c.var.now)
  const parts = documents.length === 0 ? [] : divide(documents, held)
  const gone = new Set(held.map(({ id }) => id)).size - documents.length
  return page(
    c,
    <Notice title="Download your documents">
      {parts.length > 0 && (
        <p>
          A ZIP file with the text and the settings of each document. Encrypted documents stay encrypted.
          {parts.length > 1 && ` Your documents are large, so there are ${parts.length} files.`}
        </p>
      )}
      {gone > 0 && <p>{describeGone(gone)}</p>}
      {parts.length === 0 && gone === 0 && <p>There are no documents to download.</p>}
      {parts.length > 0 && (
        <Items>
          {parts.map(({ held, documents, bytes }, index) => (
            <Item title={formatDocuments(documents)} text={formatSize(bytes)}>
              <Form
                action="/device/download/zip"
                layout="inline"
                hidden={{
                  [FIELD]: held.map(({ id, token }) => `${id}.${token}`).join(' '),
                  part: String(index + 1),
                }}
                button={parts.length === 1 ? 'Download' : `Download part ${index + 1}`}
                look={index === 0 ? undefined : 'quiet'}
              />
            </Item>
          ))}
        </Items>
      )}
      <p>
        <a href="/device">Back to this device</a>
      </p>
    </Notice>,
    { headers: PRIVATE_HEADERS },
  )
}

export async function downloadDeviceZip(c: AppContext): Promise<Response> {
  const { now, siteUrl, store } = c.var
  const held = await readHeld(c)
  const part = /^[1-9]\d{0,2}$/.exec((await readFields(c)).get('part') ?? '')?.[0] ?? '1'
  const zip = await createDeviceZip({ store, siteUrl, now }, held)
  return answerZip(c, zip, { name: 'documents', part })
}
