import { createMiddleware } from 'hono/factory'
import type { input, output } from 'zod/v4/core'
import type { AppEnv } from '../env.ts'
import { contentTooLarge, type Issue, invalidBody, issueAt, unsupportedMediaType } from '../errors.ts'
import { limitBody } from '../http/body-limit.ts'

/** JSON takes six bytes (`\u0000`) for a control character, which is one byte of content. */
const MAX_JSON_BYTES_PER_BYTE = 6
/** Room for the settings beside the content. */
const SETTINGS_BYTES = 64 * 1024
/** A body's bytes and text are in memory together for a moment, and an isolate has 128 MiB for everything. */
const MAX_BODY_BYTES = 48 * 1024 * 1024

function decodeUtf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw invalidBody(issueAt([], 'The body is not UTF-8'))
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidBody(issueAt([], 'The body is not JSON'))
  }
}

/** Returns true if the content in a body is too large. This error comes first, even if the body has others. */
function hasOversizedContent(body: unknown, maxContentBytes: number): boolean {
  const { content, settings } = (body ?? {}) as {
    content?: unknown
    settings?: { client_encrypted?: unknown }
  }
  // A JWE is longer than the text inside it, whose length is only known once the body is valid.
  if (typeof content !== 'string' || settings?.client_encrypted === true) return false
  return new TextEncoder().encode(content).byteLength > maxContentBytes
}

/** Loads Zod and the schemas for the first request with a body: reading a document needs neither. */
const loadSchemas = () => import('./schemas.ts')

type Schemas = Awaited<ReturnType<typeof loadSchemas>>
type BodyName = 'createBody' | 'editBody' | 'claimBody'

/**
 * Reads a JSON body strictly and validates it. Handlers get it from `c.req.valid('json')`.
 *
 * @throws AppError `unsupported_media_type`, `content_too_large`, and `bad_request` for bytes that aren't UTF-8, text
 * that isn't JSON, and values that the schema refuses.
 */
export const jsonBody = <Name extends BodyName>(name: Name) =>
  createMiddleware<
    AppEnv,
    string,
    { in: { json: input<Schemas[Name]> }; out: { json: output<Schemas[Name]> } }
  >(async (c, next) => {
    const mediaType = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase()
    if (mediaType !== 'application/json') throw unsupportedMediaType()
    const { maxContentBytes } = c.var.config
    const maxJsonBytes = maxContentBytes * MAX_JSON_BYTES_PER_BYTE + SETTINGS_BYTES
    await limitBody(Math.min(maxJsonBytes, MAX_BODY_BYTES))(c, async () => {})
    const body = parseJson(decodeUtf8(await c.req.raw.arrayBuffer()))
    const { renameFormerSettings, safeParse, [name]: schema } = await loadSchemas()
    renameFormerSettings(body)
    const result = safeParse(schema, body)
    if (!result.success) {
      if (hasOversizedContent(body, maxContentBytes)) throw contentTooLarge()
      throw invalidBody(...(result.error.issues as readonly Issue[]))
    }
    c.req.addValidatedData('json', result.data as object)
    await next()
  })
