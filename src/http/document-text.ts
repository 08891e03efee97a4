import type { Document } from '../documents/document.ts'
import { burnsFor, deliverBody, type Proof } from '../documents/read.ts'
import type { AppContext } from '../env.ts'
import { AppError, passwordRequired } from '../errors.ts'
import { formatFileName, getFileName } from '../shared/derive-title.ts'
import { answer, answerText, documentHeaders, isFresh, VARY_BY_FORM } from './answers.ts'
import { findDocumentToRead } from './find-document.ts'
import { findViewer, readDocumentPassword } from './identity.ts'
import { limitDelivery, limitLongText } from './limits.ts'
import { parseLinesParameter, selectLines } from './line-range.ts'

const getHeaders = (document: Document) => ({ ...documentHeaders(document, 'raw'), ...VARY_BY_FORM })

/** Keeps browsers from running anything in the text, even if they mistake it for a page. */
const textHeaders = (document: Document) => ({
  ...getHeaders(document),
  'Content-Security-Policy': "default-src 'none'; sandbox",
  ...(document.givenTitle !== null && {
    'Content-Disposition': `inline; ${formatFileName(getFileName(document))}`,
  }),
})

/** Counts a view, and burns. @throws AppError as `deliver` does, and `bad_request` for an invalid `?lines=`. */
export async function answerContent(c: AppContext, found: Document, proof: Proof): Promise<Response> {
  const { now, store } = c.var
  const asked = c.req.query('lines')
  const range = asked === undefined ? null : parseLinesParameter(asked)
  const reader = { viewer: () => findViewer(c), proof, now }
  await limitDelivery(c, found, proof)
  if (range !== null) await limitLongText(c, found.contentBytes)
  if (range !== null) {
    if (found.encrypted && proof.password === undefined) throw passwordRequired()
    if (await burnsFor(found, reader.viewer))
      throw new AppError('bad_request', 'Reading this document deletes it, so you can only read all of it')
  }
  const { document, body } = await deliverBody(store, found, reader)
  if (range === null) return answerText(c, body, { headers: textHeaders(document) })
  // A long text has been kept nowhere yet.
  if (typeof body !== 'string') await c.var.memory.reserve(document.contentBytes, { encrypted: false })
  const lines = selectLines(new Uint8Array(await new Response(body).arrayBuffer()), range)
  if (typeof lines !== 'number') return answerText(c, lines, { headers: textHeaders(document) })
  return answerText(c, `This document has ${lines} ${lines === 1 ? 'line' : 'lines'}\n`, {
    status: 416,
    headers: {
      ...textHeaders(document),
      'Cache-Control': 'no-store',
      'Content-Range': `lines */${lines}`,
    },
  })
}

function formatBurnInstructions(document: Document, siteUrl: string): string {
  const password = document.encrypted ? ' -H "X-Document-Password: PASSWORD"' : ''
  return `Reading this document deletes it. To read it: curl -X POST${password} ${siteUrl}/r/${document.id}\n`
}

type AnswerBeforeBurn = (document: Document, headers: Record<string, string>) => Response | Promise<Response>

/** Answers GET and HEAD, which burn nothing: `beforeBurn` answers in place of the content. */
export async function answerDocumentText(
  c: AppContext,
  id: string,
  beforeBurn: AnswerBeforeBurn = (document, headers) =>
    answerText(c, formatBurnInstructions(document, c.var.siteUrl), { headers }),
): Promise<Response> {
  const document = await findDocumentToRead(c, id)
  if (await burnsFor(document, () => findViewer(c))) return beforeBurn(document, getHeaders(document))
  const headers = textHeaders(document)
  if (isFresh(c.req.header('If-None-Match'), document, 'raw'))
    return answer(c, null, { status: 304, headers })
  if (c.req.method === 'HEAD') return answerText(c, null, { headers })
  return answerContent(c, document, { password: readDocumentPassword(c, document) })
}
