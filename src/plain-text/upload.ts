import { decodeText, getMaxJweBytes } from '../documents/model/content.ts'
import type { AppContext } from '../env.ts'
import { AppError, contentTooLarge, unreadableForm } from '../errors.ts'
import { requireFewParts } from '../http/bodies/form-bounds.ts'
import { readBody } from '../http/bodies/read-body.ts'
import { findTextField, parseUrlEncoded, startsLikeForm } from './form-fields.ts'
import { announcesJwe } from './options.ts'

/** The text that a request brings, and what it says about it. */
export interface Upload {
  readonly text: string
  /** The name of the file that was sent; null if there is none. */
  readonly fileName: string | null
  /** The media type of the text, in lower case and without parameters; empty if the request doesn't say. */
  readonly mediaType: string
  /** The other fields of a form. */
  readonly fields: ReadonlyMap<string, string>
}

/** Room for the boundaries and the other fields of a form. */
const FORM_BYTES = 64 * 1024
/** In a URL-encoded form, a byte may take three. */
const BYTES_PER_BYTE = 3
/** The bytes of a form and its text are in memory together, and an isolate has 128 MiB. */
const MAX_FORM_BYTES = 48 * 1024 * 1024
/** Up to how many bytes of a body that is too large are read, so that a program gets the answer. */
const MAX_DISCARDED_BYTES = 48 * 1024 * 1024

const notText = () => new AppError('bad_request', "That isn't text. Regent stores UTF-8 text only")

function decode(bytes: Uint8Array): string {
  try {
    return decodeText(bytes)
  } catch {
    throw notText()
  }
}

/** Parses a form. All of it must be UTF-8: the runtime would replace other bytes of a field. */
async function parseMultipart(bytes: Uint8Array, contentType: string): Promise<FormData> {
  decode(bytes)
  requireFewParts(bytes, contentType)
  try {
    return await new Response(bytes, { headers: { 'Content-Type': contentType } }).formData()
  } catch {
    throw unreadableForm()
  }
}

async function readMultipart(bytes: Uint8Array, contentType: string): Promise<Upload> {
  const entries = [...(await parseMultipart(bytes, contentType))]
  const files = entries.flatMap(([name, value]) => (typeof value === 'string' ? [] : [{ name, value }]))
  const fields = new Map(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )
  const found = findTextField([...fields.keys()], files.length)
  if (found === null) {
    const file = files[0]?.value ?? new File([], '')
    const text = decode(new Uint8Array(await file.arrayBuffer()))
    return { text, fileName: file.name, mediaType: toMediaType(file.type), fields }
  }
  const text = fields.get(found) ?? ''
  fields.delete(found)
  return { text, fileName: null, mediaType: '', fields }
}

const toMediaType = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()

/**
 * Reads the text that a request brings: as its body, as a file or field of a multipart form, or as a field of a
 * URL-encoded one. Keeps its bytes, NUL and line breaks included.
 *
 * @throws AppError `content_too_large`, and `bad_request` for bytes that aren't UTF-8, a form without exactly one text,
 * and an upload that breaks off.
 */
export async function readUpload(c: AppContext): Promise<Upload> {
  const { maxContentBytes } = c.var.config
  const contentType = c.req.header('Content-Type') ?? ''
  const mediaType = toMediaType(contentType)
  const maxTextBytes = announcesJwe(c) ? getMaxJweBytes(maxContentBytes) : maxContentBytes
  const read = (getMaxBytes: (start: Uint8Array) => number) =>
    readBody(c.req.raw, { getMaxBytes, maxDiscardedBytes: MAX_DISCARDED_BYTES, memory: c.var.memory })
  const none = { fileName: null, fields: new Map<string, string>() }
  if (mediaType === 'multipart/form-data') {
    const bytes = await read(() => getMaxJweBytes(maxContentBytes) + FORM_BYTES)
    return readMultipart(bytes, contentType)
  }
  // curl and wget call every body a form, unless they are told otherwise.
  if (mediaType === 'application/x-www-form-urlencoded') {
    const encodedLimit = Math.min(BYTES_PER_BYTE * maxContentBytes + FORM_BYTES, MAX_FORM_BYTES)
    const bytes = await read((start) => (startsLikeForm(start) ? encodedLimit : maxTextBytes))
    const body = decode(bytes)
    const form = parseUrlEncoded(body)
    if (form) return { ...none, ...form, mediaType: '' }
    if (bytes.byteLength > maxTextBytes) throw contentTooLarge()
    return { ...none, text: body, mediaType: '' }
  }
  return { ...none, text: decode(await read(() => maxTextBytes)), mediaType }
}
