import { findHeldDocuments, type HeldDocument } from '../../documents/held-documents.ts'
import type { Document } from '../../documents/model/document.ts'
import { isFull } from '../../documents/sql/export-parts.ts'
import type { AppContext } from '../../env.ts'
import { formatSize } from '../../shared/format.ts'
import { answer } from '../layout/answer.ts'
import { readFields } from '../layout/form.ts'
import { Notice } from '../layout/layout.tsx'
import { page } from '../layout/page.tsx'
import { PRIVATE_HEADERS } from '../layout/private-page.tsx'
import { createDeviceZip } from './device-zip.ts'
import { formatDocuments } from './format-documents.ts'

/** The field of the forms: ids and tokens, as `id.token` with spaces between them. A form may have only few fields. */
const FIELD = 'documents'

const formatHeld = (held: readonly HeldDocument[]): string =>
  held.map(({ id, token }) => `${id}.${token}`).join(' ')

async function readHeld(c: AppContext): Promise<HeldDocument[]> {
  const text = (await readFields(c)).get(FIELD) ?? ''
  return text.split(/\s+/).flatMap((pair) => {
    const [id = '', token = ''] = pair.split('.')
    return id === '' ? [] : [{ id, token }]
  })
}

interface Part {
  readonly held: readonly HeldDocument[]
  readonly documents: number
  readonly bytes: number
}

/** Divides documents into parts. The first one also gets those that are gone, to list them. */
function divide(documents: readonly Document[], held: readonly HeldDocument[]): Part[] {
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

/** Offers the documents that a browser created without an account as ZIP files. */
export async function showDeviceDownload(c: AppContext): Promise<Response> {
  const held = await readHeld(c)
  const documents = await findHeldDocuments(c.var.store, held, c.var.now)
  const parts = documents.length === 0 ? [] : divide(documents, held)
  const gone = new Set(held.map(({ id }) => id)).size - documents.length
  return page(
    c,
    <Notice title="Download your documents" signedIn={c.var.hasSessionCookie}>
      {parts.length > 0 && (
        <p>
          A ZIP file with the text and the settings of each document. Encrypted documents stay encrypted.
          {parts.length > 1 && ` Your documents are large, so there are ${parts.length} files.`}
        </p>
      )}
      {gone > 0 && <p>{describeGone(gone)}</p>}
      {parts.length === 0 && gone === 0 && <p>There are no documents to download.</p>}
      {parts.length > 0 && (
        <ul class="rows">
          {parts.map(({ held, documents, bytes }, index) => (
            <li>
              <span>
                {formatDocuments(documents)}, {formatSize(bytes)}
              </span>
              <form method="post" action="/device/download/zip">
                <input type="hidden" name={FIELD} value={formatHeld(held)} />
                <input type="hidden" name="part" value={String(index + 1)} />
                <button type="submit" class={index === 0 ? '' : 'quiet'}>
                  {parts.length === 1 ? 'Download' : `Download part ${index + 1}`}
                </button>
              </form>
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href="/device">Back to this device</a>
      </p>
    </Notice>,
    { headers: PRIVATE_HEADERS },
  )
}

/** Sends documents that a browser created without an account as a ZIP file. */
export async function downloadDeviceZip(c: AppContext): Promise<Response> {
  const { now, siteUrl, store } = c.var
  const held = await readHeld(c)
  const part = /^[1-9]\d{0,2}$/.exec((await readFields(c)).get('part') ?? '')?.[0] ?? '1'
  const zip = await createDeviceZip({ store, siteUrl, now }, held)
  const day = new Date(now).toISOString().slice(0, 10)
  const headers = {
    ...PRIVATE_HEADERS,
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="regent-documents-${day}-part-${part}.zip"`,
  }
  return answer(c, zip, { headers })
}
