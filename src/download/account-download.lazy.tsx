import type { Context } from 'hono'
import { isDocumentId } from '../documents/document.ts'
import { type ExportPosition, findExportParts } from '../documents/export.ts'
import type { UserEnv } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { answer } from '../http/answers.ts'
import { formatSize } from '../shared/format.ts'
import { Notice } from '../site/layout/layout.tsx'
import { PRIVATE_HEADERS, privatePage } from '../site/layout/page.tsx'
import { formatDocuments } from './zip-files.ts'

const formatPosition = ({ createdAt, id }: ExportPosition): string => `${createdAt}-${id}`

/** Returns the position in an address. Throws `not_found` if it isn't one. */
function parsePosition(text: string): ExportPosition {
  const [, createdAt, id = ''] = /^(\d{1,15})-(\w+)$/.exec(text) ?? []
  if (createdAt === undefined || !isDocumentId(id)) throw routeNotFound()
  return { createdAt: Number(createdAt), id }
}

const getPartPath = (after: ExportPosition | null, number: number): string =>
  `/account/download/zip?${new URLSearchParams({ part: String(number), ...(after && { after: formatPosition(after) }) })}`

/** Links to the parts of an account's data. */
export async function showDownload(c: Context<UserEnv>): Promise<Response> {
  const { now, store, user } = c.var
  const parts = await findExportParts(store.db, user, now)
  const page = (
    <Notice title="Download your data" signedIn>
      <p>
        A ZIP file with your account, and with the text, the settings and the editors of each of your
        documents. Encrypted documents stay encrypted.
      </p>
      {parts.length > 1 && <p>You have many documents, so there are {parts.length} files.</p>}
      <ul class="rows">
        {parts.map(({ after, documents, bytes }, index) => (
          <li>
            <span>
              {formatDocuments(documents)}, {formatSize(bytes)}
            </span>
            <a href={getPartPath(after, index + 1)} class={index === 0 ? 'button' : 'button quiet'} download>
              {parts.length === 1 ? 'Download' : `Download part ${index + 1}`}
            </a>
          </li>
        ))}
      </ul>
      <p>
        <a href="/account">Back to your account</a>
      </p>
    </Notice>
  )
  return privatePage(c, page)
}

/** Sends one part of an account's data as a ZIP file. */
export async function downloadZip(c: Context<UserEnv>): Promise<Response> {
  const { now, siteUrl, store, user } = c.var
  const after = c.req.query('after')
  const part = c.req.query('part') ?? '1'
  if (!/^\d{1,5}$/.test(part)) throw routeNotFound()
  const position = after === undefined ? null : parsePosition(after)
  const { createAccountZip } = await import('./account-zip.lazy.ts')
  const zip = c.req.method === 'HEAD' ? null : createAccountZip({ store, user, siteUrl, now }, position)
  const day = new Date(now).toISOString().slice(0, 10)
  const headers = {
    ...PRIVATE_HEADERS,
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="regent-${user.username}-${day}-part-${part}.zip"`,
  }
  return answer(c, zip, { headers })
}
