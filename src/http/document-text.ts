import type { Document, Viewer } from '../documents/document.ts'
import { burnsFor, deliverBody, type Proof, retryWhileStale, StoredContent } from '../documents/read.ts'
import { countView } from '../documents/views.ts'
import type { AppContext } from '../env.ts'
import { AppError, fileNotFound, passwordRequired } from '../errors.ts'
import { fromChunks } from '../platform/streaming.ts'
import { formatFileName, getFileName } from '../shared/derive-title.ts'
import { encodeText } from '../shared/encodings.ts'
import { findFiles, mayHaveFiles } from '../shared/find-files.ts'
import { formatCount } from '../shared/format.ts'
import { findLanguageOfFile, PLAIN_TEXT } from '../shared/languages.ts'
import { answer, answerText, documentHeaders, isFresh, VARY_BY_FORM } from './answers.ts'
import { type ByteRange, formatLastModified, isUnmodified, parseRange } from './byte-range.ts'
import { findDocumentToRead } from './find-document.ts'
import { readDocumentPassword } from './identity.ts'
import { limitDelivery, limitLongText } from './limits.ts'
import { type LineRange, parseLinesParameter, selectLines } from './line-range.ts'

const getHeaders = (document: Document) => ({ ...documentHeaders(document, 'raw'), ...VARY_BY_FORM })

/** Part of an encrypted text is of no use, and part of one that burns would be all that anybody gets. */
const hasRanges = (document: Document): boolean => !document.encrypted && !document.burnAfterReading

/** Keeps browsers from running anything in the text, even if they mistake it for a page. */
const textHeaders = (document: Document) => ({
  ...getHeaders(document),
  'Content-Security-Policy': "default-src 'none'; sandbox",
  ...(hasRanges(document) && { 'Accept-Ranges': 'bytes', ...formatLastModified(document, Date.now()) }),
  ...(document.givenTitle !== null && {
    'Content-Disposition': `inline; ${formatFileName(getFileName(document))}`,
  }),
})

/** An entity tag says more than a date (RFC 9110 §13.2.2). */
function isKnown(c: AppContext, document: Document): boolean {
  const ifNoneMatch = c.req.header('If-None-Match')
  if (ifNoneMatch !== undefined) return isFresh(ifNoneMatch, document, 'raw')
  return hasRanges(document) && isUnmodified(c.req.header('If-Modified-Since'), document)
}

async function* sliceChunks(body: ReadableStream<Uint8Array>, { from, to }: ByteRange) {
  let at = 0
  for await (const chunk of body) {
    const part = chunk.subarray(Math.max(0, from - at), Math.max(0, to + 1 - at))
    at += chunk.byteLength
    if (part.byteLength > 0) yield part
    if (at > to) return
  }
}

const sliceBody = (body: string | ReadableStream<Uint8Array>, range: ByteRange) =>
  typeof body === 'string'
    ? encodeText(body).subarray(range.from, range.to + 1)
    : fromChunks(sliceChunks(body, range))

/** Answers with the bytes of a `Range` (RFC 9110 §14). Only who asks for the first one views the document. */
async function answerBytes(
  c: AppContext,
  found: Document,
  { viewer, range }: { readonly viewer: Viewer; readonly range: ByteRange },
): Promise<Response> {
  // All of the text is fetched, however short the answer is.
  await limitLongText(c, found.contentBytes)
  const reader = { viewer, proof: {}, now: c.var.now, counts: range.from === 0, mayBurn: false }
  const { document, body } = await deliverBody(c.var.store, found, reader)
  // The bytes of two versions don't belong together.
  if (document.version !== found.version) return answerText(c, body, { headers: textHeaders(document) })
  return answerText(c, sliceBody(body, range), {
    status: 206,
    headers: {
      ...textHeaders(document),
      'Content-Range': `bytes ${range.from}-${range.to}/${document.contentBytes}`,
    },
  })
}

const answerUnsatisfiable = (c: AppContext, document: Document): Response =>
  answerText(
    c,
    `This document has ${document.contentBytes} bytes. Ask for some of them, or leave out Range\n`,
    {
      status: 416,
      headers: {
        ...textHeaders(document),
        'Cache-Control': 'no-store',
        'Content-Range': `bytes */${document.contentBytes}`,
      },
    },
  )

/** Counts a view, and burns. @throws AppError as `deliver` does, and `bad_request` for an invalid `?lines=`. */
export async function answerContent(
  c: AppContext,
  found: Document,
  { viewer, proof }: { readonly viewer: Viewer; readonly proof: Proof },
): Promise<Response> {
  const { now, store } = c.var
  const asked = c.req.query('lines')
  const range = asked === undefined ? null : parseLinesParameter(asked)
  const reader = { viewer, proof, now, mayBurn: c.req.method !== 'GET' }
  await limitDelivery(c, found, reader)
  if (range === null && hasRanges(found)) {
    const bytes = parseRange(c.req, found)
    if (bytes === 'unsatisfiable') return answerUnsatisfiable(c, found)
    if (bytes !== null) return answerBytes(c, found, { viewer, range: bytes })
  }
  if (range !== null) {
    await limitLongText(c, found.contentBytes)
    if (found.encrypted && proof.password === undefined) throw passwordRequired()
    if (burnsFor(found, viewer))
      throw new AppError('bad_request', 'Reading this document deletes it, so you can only read all of it', {
        nextStep: 'Leave out lines',
      })
  }
  const { document, body } = await deliverBody(store, found, reader)
  if (range === null) return answerText(c, body, { headers: textHeaders(document) })
  // A long text has been kept nowhere yet.
  if (typeof body !== 'string')
    await c.var.memory.reserveForAnswer(document.contentBytes, { encrypted: false })
  return answerLines(c, document, new Uint8Array(await new Response(body).arrayBuffer()), range)
}

function answerLines(c: AppContext, document: Document, bytes: Uint8Array, range: LineRange): Response {
  const lines = selectLines(bytes, range)
  if (typeof lines !== 'number') return answerText(c, lines, { headers: textHeaders(document) })
  return answerText(
    c,
    `This document has ${formatCount(lines, 'line')}. Ask for some of them, or leave out lines\n`,
    {
      status: 416,
      headers: {
        ...textHeaders(document),
        'Cache-Control': 'no-store',
        'Content-Range': `lines */${lines}`,
      },
    },
  )
}

function formatBurnInstructions(document: Document, siteUrl: string): string {
  const password = document.encrypted ? ' -H "X-Document-Password: PASSWORD"' : ''
  return `Reading this document deletes it. To read it: curl -X POST${password} ${siteUrl}/r/${document.id}\n`
}

type AnswerBeforeBurn = (
  c: AppContext,
  document: Document,
  headers: Record<string, string>,
) => Response | Promise<Response>

const answerBurnInstructions: AnswerBeforeBurn = (c, document, headers) =>
  answerText(c, formatBurnInstructions(document, c.var.siteUrl), { headers })

/** Answers GET and HEAD, which burn nothing: `beforeBurn` answers in place of the content. */
export async function answerDocumentText(
  c: AppContext,
  id: string,
  beforeBurn: AnswerBeforeBurn = answerBurnInstructions,
): Promise<Response> {
  const { document, viewer } = await findDocumentToRead(c, id)
  if (burnsFor(document, viewer)) return beforeBurn(c, document, getHeaders(document))
  if (isKnown(c, document)) return answer(c, null, { status: 304, headers: textHeaders(document) })
  if (c.req.method === 'HEAD') {
    // The length of a JWE isn't in the row.
    const length = hasRanges(document) && c.req.query('lines') === undefined
    return answerText(c, null, {
      headers: { ...textHeaders(document), ...(length && { 'Content-Length': `${document.contentBytes}` }) },
    })
  }
  return answerContent(c, document, { viewer, proof: { password: readDocumentPassword(c, document) } })
}

/**
 * Answers GET and HEAD with one of the files in a document. Nothing burns: `beforeBurn` answers in place of the file.
 *
 * @throws AppError `not_found` for a file that the document doesn't have, `bad_request` without the right password.
 */
export async function answerFileText(
  c: AppContext,
  { id, name }: { readonly id: string; readonly name: string },
  beforeBurn: AnswerBeforeBurn = answerBurnInstructions,
): Promise<Response> {
  const { now, store } = c.var
  const { document: found, viewer } = await findDocumentToRead(c, id)
  if (burnsFor(found, viewer)) return beforeBurn(c, found, getHeaders(found))
  if (!mayHaveFiles(found)) throw fileNotFound()
  const asked = c.req.query('lines')
  const range = asked === undefined ? null : parseLinesParameter(asked)
  const password = readDocumentPassword(c, found)
  await limitDelivery(c, found, { viewer, proof: { password } })
  await limitLongText(c, found.contentBytes)
  const { document, text } = await retryWhileStale(store, found, now, async (document) => {
    // An edit may have made it burn meanwhile.
    const burns = burnsFor(document, viewer)
    return {
      document,
      text: burns ? null : await new StoredContent(store.contents, document).readText(password),
    }
  })
  if (text === null) return beforeBurn(c, document, getHeaders(document))
  const file = findFiles(document, text)?.find((candidate) => candidate.name === name)
  if (!file) throw fileNotFound()
  const bytes = encodeText(file.content)
  const language = file.language ?? findLanguageOfFile(name) ?? PLAIN_TEXT
  const part = { ...document, contentBytes: bytes.byteLength, language, title: name, givenTitle: name }
  const headers = textHeaders(part)
  if (isKnown(c, part)) return answer(c, null, { status: 304, headers })
  if (c.req.method === 'HEAD') {
    const length = range === null && { 'Content-Length': `${bytes.byteLength}` }
    return answerText(c, null, { headers: { ...headers, ...length } })
  }
  const byteRange = range === null && hasRanges(part) ? parseRange(c.req, part) : null
  if (byteRange === 'unsatisfiable') return answerUnsatisfiable(c, part)
  if (byteRange === null || byteRange.from === 0) countView(store, document, now)
  if (range !== null) return answerLines(c, part, bytes, range)
  if (byteRange === null) return answerText(c, bytes, { headers })
  const { from, to } = byteRange
  return answerText(c, bytes.subarray(from, to + 1), {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${from}-${to}/${bytes.byteLength}` },
  })
}
