import { makeZip } from 'client-zip'
import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { type AccountExportRow, selectAccountExport } from '../accounts/export-account.ts'
import type { User } from '../accounts/user.ts'
import type { Document } from '../documents/document.ts'
import { type DocumentToken, findDocumentsByToken, parseDocumentToken } from '../documents/document-tokens.ts'
import {
  divideIntoParts,
  type ExportPosition,
  type ExportRange,
  exportDocuments,
  findExportParts,
  openDocument,
} from '../documents/export.ts'
import type { AppContext, UserEnv } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { answer } from '../http/answers.ts'
import { fromChunks } from '../platform/streaming.ts'
import { isDocumentId } from '../shared/document-ids.ts'
import { formatSize } from '../shared/format.ts'
import { BackLink, Item, Items } from '../ui/fields.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/layout.tsx'
import { PRIVATE_HEADERS, page, privatePage } from '../ui/page.tsx'
import { readFields } from '../ui/submitted-form.ts'
import { ACCOUNT_README, DECRYPTING, toAccountJson, toFiles, type ZipFile } from './zip-files.ts'

// The files

type ZipContext = Pick<AppContext['var'], 'store' | 'siteUrl' | 'now'>

/**
 * Reads each file only while it is sent. When the client goes away, nothing reads on, and no more content is fetched.
 * client-zip answers being canceled with a rejection that nobody can handle.
 */
const streamZip = (files: AsyncIterable<ZipFile>): ReadableStream<Uint8Array> =>
  fromChunks(makeZip(files).values({ preventCancel: true }))

function answerZip(
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

interface Part {
  readonly documents: number
  readonly bytes: number
}

interface PartsProps<Of extends Part> {
  readonly parts: readonly Of[]
  readonly toButton: (part: Of, button: { number: number; label: string; quiet: boolean }) => Child
}

const formatDocuments = (count: number): string => (count === 1 ? '1 document' : `${count} documents`)

const Parts = <Of extends Part>({ parts, toButton }: PartsProps<Of>) => (
  <Items>
    {parts.map((part, index) => (
      <Item title={formatDocuments(part.documents)} text={formatSize(part.bytes)}>
        {toButton(part, {
          number: index + 1,
          label: parts.length === 1 ? 'Download' : `Download part ${index + 1}`,
          quiet: index > 0,
        })}
      </Item>
    ))}
  </Items>
)

// The documents of an account

const formatPosition = ({ createdAt, id }: ExportPosition): string => `${createdAt}-${id}`

function parsePosition(text: string | undefined): ExportPosition | null {
  if (text === undefined) return null
  const [, createdAt, id = ''] = /^(\d{1,15})-(\w+)$/.exec(text) ?? []
  if (createdAt === undefined || !isDocumentId(id)) throw routeNotFound()
  return { createdAt: Number(createdAt), id }
}

function getPartPath({ after, until }: ExportRange, number: number): string {
  const query = new URLSearchParams({
    part: String(number),
    ...(after && { after: formatPosition(after) }),
    ...(until && { until: formatPosition(until) }),
  })
  return `/account/download/zip?${query}`
}

export async function showDownload(c: Context<UserEnv>): Promise<Response> {
  const { now, store, user } = c.var
  const parts = await findExportParts(store.db, user, now)
  const downloadPage = (
    <Notice title="Download your data">
      <p>
        A ZIP file with your account, and with the text, the settings and the editors of each of your
        documents. Encrypted documents stay encrypted.
      </p>
      {parts.length > 1 && <p>You have many documents, so there are {parts.length} files.</p>}
      <Parts
        parts={parts}
        toButton={(part, { number, label, quiet }) => (
          <a href={getPartPath(part, number)} class={quiet ? 'button quiet' : 'button'} download>
            {label}
          </a>
        )}
      />
      <BackLink to="/account">Back to your account</BackLink>
    </Notice>
  )
  return privatePage(c, downloadPage)
}

/** Holds neither the file nor a content in memory. The first part, without `after`, has the account, too. */
function createAccountZip(
  { store, user, siteUrl, now }: ZipContext & { readonly user: User },
  range: ExportRange,
): ReadableStream<Uint8Array> {
  async function* getFiles(): AsyncGenerator<ZipFile> {
    const lastModified = new Date(now)
    yield { name: 'README.txt', lastModified, input: ACCOUNT_README }
    if (range.after === null) {
      const row = await store.db.first<AccountExportRow>(selectAccountExport(user.id))
      yield { name: 'account.json', lastModified, input: toAccountJson(row, now) }
    }
    for await (const exported of exportDocuments(store, user, { ...range, now }))
      yield* toFiles(exported, siteUrl)
  }
  return streamZip(getFiles())
}

export async function answerAccountZip(c: Context<UserEnv>): Promise<Response> {
  const part = c.req.query('part') ?? '1'
  if (!/^\d{1,5}$/.test(part)) throw routeNotFound()
  const [after, until] = ['after', 'until'].map((name) => parsePosition(c.req.query(name)))
  const zip =
    c.req.method === 'HEAD' ? null : createAccountZip(c.var, { after: after ?? null, until: until ?? null })
  return answerZip(c, zip, { name: c.var.user.username, part })
}

// The documents that a device has the tokens of

const DEVICE_README = `This ZIP file contains documents that you created without an account.

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
    yield { name: 'README.txt', lastModified, input: DEVICE_README }
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

/** The first part also gets the documents that are gone, to list them. */
function divide(documents: readonly Document[], held: readonly DocumentToken[]) {
  const found = new Set(documents.map(({ id }) => id))
  return divideIntoParts(documents).map((part, index) => {
    const ids = new Set(part.items.map(({ id }) => id))
    return { ...part, held: held.filter(({ id }) => ids.has(id) || (index === 0 && !found.has(id))) }
  })
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
        <Parts
          parts={parts}
          toButton={({ held }, { number, label, quiet }) => (
            <Form
              action="/device/download/zip"
              layout="inline"
              hidden={{
                [FIELD]: held.map(({ id, token }) => `${id}.${token}`).join(' '),
                part: String(number),
              }}
              button={label}
              look={quiet ? 'quiet' : undefined}
            />
          )}
        />
      )}
      <BackLink to="/device">Back to this device</BackLink>
    </Notice>,
    { headers: PRIVATE_HEADERS },
  )
}

export async function downloadDeviceZip(c: AppContext): Promise<Response> {
  const held = await readHeld(c)
  const part = /^[1-9]\d{0,2}$/.exec((await readFields(c)).get('part') ?? '')?.[0] ?? '1'
  const zip = await createDeviceZip(c.var, held)
  return answerZip(c, zip, { name: 'documents', part })
}
