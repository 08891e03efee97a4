import type { Context } from 'hono'
import { exportAccount } from '../accounts/export-account.ts'
import type { User } from '../accounts/user.ts'
import { isDocumentId } from '../documents/document.ts'
import { type ExportPosition, exportDocuments, findExportParts } from '../documents/export.ts'
import type { UserEnv } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { formatSize } from '../shared/format.ts'
import { Item, Items } from '../site/components/fields.tsx'
import { Notice } from '../site/layout/layout.tsx'
import { privatePage } from '../site/layout/page.tsx'
import {
  answerZip,
  DECRYPTING,
  formatDocuments,
  formatTime,
  streamZip,
  toFiles,
  toJson,
  type ZipContext,
  type ZipFile,
} from './zip-files.ts'

const README = `This ZIP file contains what Regent stores about you and your documents.

account.json             your account, API keys (without the keys), sessions, defaults and removed documents.
                         Only the first part has it.
documents/ID/            one folder for each document
  document.json          its settings, editors and times
  (the other file)       its text

${DECRYPTING}
Reports aren't in it: Regent doesn't store who sent them.
`

const formatPosition = ({ createdAt, id }: ExportPosition): string => `${createdAt}-${id}`

function parsePosition(text: string): ExportPosition {
  const [, createdAt, id = ''] = /^(\d{1,15})-(\w+)$/.exec(text) ?? []
  if (createdAt === undefined || !isDocumentId(id)) throw routeNotFound()
  return { createdAt: Number(createdAt), id }
}

const getPartPath = (after: ExportPosition | null, number: number): string =>
  `/account/download/zip?${new URLSearchParams({ part: String(number), ...(after && { after: formatPosition(after) }) })}`

export async function showDownload(c: Context<UserEnv>): Promise<Response> {
  const { now, store, user } = c.var
  const parts = await findExportParts(store.db, user, now)
  const page = (
    <Notice title="Download your data">
      <p>
        A ZIP file with your account, and with the text, the settings and the editors of each of your
        documents. Encrypted documents stay encrypted.
      </p>
      {parts.length > 1 && <p>You have many documents, so there are {parts.length} files.</p>}
      <Items>
        {parts.map(({ after, documents, bytes }, index) => (
          <Item title={formatDocuments(documents)} text={formatSize(bytes)}>
            <a href={getPartPath(after, index + 1)} class={index === 0 ? 'button' : 'button quiet'} download>
              {parts.length === 1 ? 'Download' : `Download part ${index + 1}`}
            </a>
          </Item>
        ))}
      </Items>
      <p>
        <a href="/account">Back to your account</a>
      </p>
    </Notice>
  )
  return privatePage(c, page)
}

/** Holds neither the file nor a content in memory. The first part, without `after`, has the account, too. */
function createAccountZip(
  { store, user, siteUrl, now }: ZipContext & { readonly user: User },
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

export async function downloadZip(c: Context<UserEnv>): Promise<Response> {
  const { now, siteUrl, store, user } = c.var
  const after = c.req.query('after')
  const part = c.req.query('part') ?? '1'
  if (!/^\d{1,5}$/.test(part)) throw routeNotFound()
  const position = after === undefined ? null : parsePosition(after)
  const zip = c.req.method === 'HEAD' ? null : createAccountZip({ store, user, siteUrl, now }, position)
  return answerZip(c, zip, { name: user.username, part })
}
