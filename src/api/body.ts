import { zValidator } from '@hono/zod-validator'
import { createMiddleware } from 'hono/factory'
import type { $ZodType } from 'zod/v4/core'
import type { AppEnv } from '../env.ts'
import { contentTooLarge, type Issue, invalidBody, issueAt, unsupportedMediaType } from '../errors.ts'

/** A control character takes six bytes in JSON (`\u0000`) for the one it is. */
const MOST_JSON_BYTES_A_BYTE = 6
/** Room for settings beside the content. */
const SETTINGS_BYTES = 64 * 1024
/** Bytes and text of a body stand side by side for a moment, and an isolate has 128 MiB for everything. */
const MOST_BODY_BYTES = 48 * 1024 * 1024

async function readBytes(request: Request, mostBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get('Content-Length')
  if (declared !== null) {
    if (Number(declared) > mostBytes) throw contentTooLarge()
    return new Uint8Array(await request.arrayBuffer())
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength
    if (length > mostBytes) throw contentTooLarge()
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw invalidBody(issueAt([], 'The body is not UTF-8'))
  }
}

/**
 * Reads a JSON body strictly, for the validator that follows to parse.
 *
 * @throws AppError `unsupported_media_type`, `content_too_large`, and `bad_request` for bytes that
 * are not UTF-8.
 */
export const jsonBody = createMiddleware<AppEnv>(async (c, next) => {
  const mediaType = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') throw unsupportedMediaType()
  const mostJsonBytes = c.get('config').maxContentBytes * MOST_JSON_BYTES_A_BYTE + SETTINGS_BYTES
  const mostBytes = Math.min(mostJsonBytes, MOST_BODY_BYTES)
  const text = decodeUtf8(await readBytes(c.req.raw, mostBytes))
  // Hono awaits what it finds here, whatever its type says.
  c.req.bodyCache.text = Promise.resolve(text) as unknown as string
  await next()
})

/** Whether a body that is wrong in other ways has content that is too large, which is to be said first. */
function hasOversizedContent(body: unknown, maxContentBytes: number): boolean {
  const { content, settings } = (body ?? {}) as {
    content?: unknown
    settings?: { client_encrypted?: unknown }
  }
  // An envelope is longer than the text inside it, which only a body that is right tells the length of.
  if (typeof content !== 'string' || settings?.client_encrypted === true) return false
  return new TextEncoder().encode(content).byteLength > maxContentBytes
}

/** Validates what `jsonBody` has read. Throws `bad_request` with the issues of Zod, or `content_too_large`. */
export const validJson = <Schema extends $ZodType>(schema: Schema) =>
  zValidator('json', schema, (result, c) => {
    if (result.success) return
    const { config } = c.var as AppEnv['Variables']
    if (hasOversizedContent(result.data, config.maxContentBytes)) throw contentTooLarge()
    throw invalidBody(...(result.error.issues as readonly Issue[]))
  })
