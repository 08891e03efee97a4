import { pipeline } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import type { AppContext } from '../env.ts'
import { AppError } from '../errors.ts'
import { withBody } from '../platform/requests.ts'
import { fromChunks } from '../platform/streaming.ts'

type Format = 'gzip' | 'deflate'

const ENCODINGS: Readonly<Record<string, Format>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
}

/** The names of ASCII. Clients that declare it may have sent UTF-8, which holds it. */
const ASCII = /^(?:us-)?ascii$/i

const unsupported = (message: string, headers?: Record<string, string>) =>
  new AppError('unsupported_media_type', message, headers && { headers })

function findFormat(encoding: string): Format | null {
  if (encoding === '' || encoding === 'identity') return null
  const format = Object.hasOwn(ENCODINGS, encoding) ? ENCODINGS[encoding] : undefined
  if (format === undefined)
    throw unsupported('Unsupported Content-Encoding: send gzip, deflate or none', {
      'Accept-Encoding': 'gzip, deflate',
    })
  return format
}

function findCharset(contentType: string): string | null {
  const [, charset] = /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType) ?? []
  if (charset === undefined || ASCII.test(charset)) return null
  try {
    const { encoding } = new TextDecoder(charset)
    return encoding === 'utf-8' ? null : encoding
  } catch {
    throw unsupported(`Unsupported charset: ${charset.slice(0, 40)}. Send UTF-8`)
  }
}

/** The memory that data takes on its way between the streams. */
const UNPACKING_BYTES = 128 * 1024

type Chunks = AsyncIterable<Uint8Array>

/** Pauses while nobody asks for more. A `DecompressionStream` doesn't: 64 KiB would become 64 MiB in memory. */
async function* unpack(body: Chunks, format: Format): AsyncGenerator<Uint8Array> {
  const unpacker = format === 'gzip' ? createGunzip() : createInflate()
  // It throws what goes wrong.
  yield* pipeline(body, unpacker, () => {})
}

async function* recode(body: Chunks, charset: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(charset, { fatal: true, ignoreBOM: false })
  const encoder = new TextEncoder()
  for await (const chunk of body) yield encoder.encode(decoder.decode(chunk, { stream: true }))
  yield encoder.encode(decoder.decode())
}

/** A failing stream doesn't say what was wrong with the body. */
async function* explain(body: Chunks, message: string, nextStep: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new AppError('bad_request', message, { nextStep, cause })
  }
}

/**
 * Puts the body in place of one that is compressed, or in an encoding other than UTF-8. Its length is known only once it
 * has been read, so a bomb ends at the limit of any other body.
 *
 * @throws AppError `unsupported_media_type`.
 */
export function unpackBody(c: AppContext): void {
  const { raw } = c.req
  const format = findFormat((raw.headers.get('Content-Encoding') ?? '').trim().toLowerCase())
  const contentType = raw.headers.get('Content-Type') ?? ''
  const charset = findCharset(contentType)
  if ((format === null && charset === null) || raw.body === null) return
  let body: Chunks = raw.body
  const headers = new Headers(raw.headers)
  headers.delete('Content-Length')
  headers.delete('Content-Encoding')
  c.var.memory.addBuffer(UNPACKING_BYTES)
  if (format !== null)
    body = explain(
      unpack(body, format),
      `The body isn't valid ${format}, which Content-Encoding says it is`,
      'Send it without that header',
    )
  if (charset !== null) {
    headers.set('Content-Type', contentType.replace(/;\s*charset\s*=\s*("[^"]*"|'[^']*'|[^\s;]*)/i, ''))
    body = explain(
      recode(body, charset),
      `The body isn't valid ${charset}, which Content-Type says it is`,
      'Send it in UTF-8',
    )
  }
  c.req.raw = withBody(raw, headers, fromChunks(body[Symbol.asyncIterator]()))
}
