import type { AppContext } from '../env.ts'
import { AppError } from '../errors.ts'
import { fromChunks } from '../platform/streaming.ts'

type Format = 'gzip' | 'deflate'

const ENCODINGS: Readonly<Record<string, Format>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
}

/** Whoever declares ASCII may have sent UTF-8, which holds it. */
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

/** Passes on chunks. A stream of the platform fails without saying what was wrong with the body. */
async function* explain(body: ReadableStream<Uint8Array>, message: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new AppError('bad_request', message, { cause })
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
  let body = raw.body
  if (body === null || (format === null && charset === null)) return
  const headers = new Headers(raw.headers)
  headers.delete('Content-Length')
  headers.delete('Content-Encoding')
  if (format !== null) {
    const unpacked = body.pipeThrough(new DecompressionStream(format))
    body = fromChunks(explain(unpacked, `The body isn't valid ${format}, which Content-Encoding says it is`))
  }
  if (charset !== null) {
    headers.set('Content-Type', contentType.replace(/;\s*charset\s*=\s*("[^"]*"|'[^']*'|[^\s;]*)/i, ''))
    const decoded = body
      .pipeThrough(new TextDecoderStream(charset, { fatal: true }))
      .pipeThrough(new TextEncoderStream())
    body = fromChunks(explain(decoded, `The body isn't valid ${charset}, which Content-Type says it is`))
  }
  c.req.raw = new Request(raw, { headers, body })
}
