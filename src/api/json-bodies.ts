import { createMiddleware } from 'hono/factory'
import type { input, output } from 'zod/v4/core'
import { getMaxJweBytes } from '../documents/content.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { contentTooLarge, invalidBody, issueAt, unsupportedMediaType } from '../errors.ts'
import { getAnnouncedBytes, readBody } from '../http/bodies.ts'
import { checkBeforeAsking } from '../http/identity.ts'
import { detectUtf16 } from '../shared/encodings.ts'
import type { Issue } from '../shared/error-codes.ts'

export const notJson = () => invalidBody(issueAt([], 'The body is not JSON'))

export const notUtf8 = () => invalidBody(issueAt([], 'The body is not UTF-8: encode it as UTF-8'))

/** JSON starts with an ASCII character, which has a zero byte in UTF-16. A byte order mark may come first. */
const isUtf16 = (bytes: Uint8Array): boolean =>
  detectUtf16(bytes) !== null || bytes[0] === 0 || bytes[1] === 0

/** @throws AppError `bad_request`, which says more than that UTF-16 isn't JSON. */
export function refuseUtf16(bytes: Uint8Array): void {
  if (isUtf16(bytes))
    throw invalidBody(
      issueAt([], 'The body is UTF-16: encode it as UTF-8, or name its charset in Content-Type'),
    )
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** @throws AppError `bad_request` for bytes that aren't UTF-8 and text that isn't JSON. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  refuseUtf16(bytes)
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw notUtf8()
  }
  try {
    return JSON.parse(text)
  } catch {
    throw notJson()
  }
}

/** JSON takes six bytes (`\u0000`) for a control character, which is one byte of content. */
const MAX_JSON_BYTES_PER_BYTE = 6
/** The most bytes of a body besides its content. A body of this size can't take much memory, whatever is in it. */
const MAX_OTHER_BYTES = 64 * 1024

async function readJson(
  { req: { raw }, var: { memory } }: AppContext,
  maxContentBytes: number,
): Promise<unknown> {
  const announcedBytes = getAnnouncedBytes(raw)
  if (announcedBytes !== null && announcedBytes <= MAX_OTHER_BYTES)
    return parseJsonBytes(await readBody(raw, { getMaxBytes: () => MAX_OTHER_BYTES, memory }))
  const maxBodyBytes = MAX_JSON_BYTES_PER_BYTE * maxContentBytes + MAX_OTHER_BYTES
  if ((announcedBytes ?? 0) > maxBodyBytes) throw contentTooLarge()
  const { readLargeBody } = await import('./large-bodies.lazy.ts')
  return readLargeBody(raw, {
    maxBodyBytes,
    memory,
    // Whether the content is a JWE, which is longer than the text inside it, is known once the body has been read.
    maxContentBytes: getMaxJweBytes(maxContentBytes),
    maxOtherBytes: MAX_OTHER_BYTES,
  })
}

/** This error comes first, even if the body has others. */
function hasOversizedContent(body: unknown, maxContentBytes: number): boolean {
  const { content, settings } = (body ?? {}) as {
    content?: unknown
    settings?: { client_encrypted?: unknown }
  }
  if (typeof content !== 'string' || settings?.client_encrypted === true) return false
  return new TextEncoder().encode(content).byteLength > maxContentBytes
}

/** Reading a document needs neither Zod nor the schemas. */
const loadSchemas = () => import('./schemas.lazy.ts')

type Schemas = Awaited<ReturnType<typeof loadSchemas>>
type BodyName = 'createBody' | 'editBody' | 'claimBody'

/** `authorize` throws if the request isn't allowed, which is reported before anything that is wrong with the body. */
export const jsonBody = <Name extends BodyName>(
  name: Name,
  authorize: (c: AppContext) => Promise<unknown> = async () => null,
) =>
  createMiddleware<
    AppEnv,
    string,
    { in: { json: input<Schemas[Name]> }; out: { json: output<Schemas[Name]> } }
  >(async (c, next) => {
    const body = await checkBeforeAsking(
      () => readValidBody(c, name),
      () => authorize(c),
    )
    c.req.addValidatedData('json', body as object)
    await next()
  })

async function readValidBody(c: AppContext, name: BodyName): Promise<unknown> {
  const mediaType = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') throw unsupportedMediaType()
  const { maxContentBytes } = c.var.config
  const body = await readJson(c, name === 'claimBody' ? 0 : maxContentBytes)
  const { renameFormerSettings, safeParse, [name]: schema } = await loadSchemas()
  renameFormerSettings(body)
  const result = safeParse(schema, body)
  if (result.success) return result.data
  if (hasOversizedContent(body, maxContentBytes)) throw contentTooLarge()
  throw invalidBody(...(result.error.issues as readonly Issue[]))
}

interface MayUseDefaults {
  readonly infer_settings?: boolean | null | undefined
}

/** `infer_settings` may be next to the settings or inside them. */
export const usesDefaults = (
  body: MayUseDefaults & { readonly settings?: MayUseDefaults | null | undefined },
): boolean => body.infer_settings === true || body.settings?.infer_settings === true
