import type { output } from 'zod/v4/core'
import { getMaxJweBytes } from '../documents/content.ts'
import { type AppContext, getVariable } from '../env.ts'
import { AppError, contentTooLarge, invalidBody, issueAt, unsupportedMediaType } from '../errors.ts'
import { getAnnouncedBytes, readBody } from '../http/bodies.ts'
import { encodeText } from '../shared/encodings.ts'
import type { Issue } from '../shared/error-codes.ts'
import { readLargeBody } from './large-bodies.ts'
import { parseJsonBytes } from './parse-json.ts'

/** JSON takes six bytes (`\u0000`) for a control character, which is one byte of content. */
const MAX_JSON_BYTES_PER_BYTE = 6
/** The most bytes of a body besides its content. A body of this size can't take much memory, whatever is in it. */
const MAX_OTHER_BYTES = 64 * 1024

/** A body that can't be unpacked is invalid like any other. */
async function readJson(c: AppContext, maxContentBytes: number): Promise<unknown> {
  try {
    return await readPlainJson(c, maxContentBytes)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad_request' || error.issues) throw error
    throw invalidBody(issueAt([], error.message))
  }
}

async function readPlainJson(c: AppContext, maxContentBytes: number): Promise<unknown> {
  const { raw } = c.req
  const memory = getVariable(c, 'memory')
  const announcedBytes = getAnnouncedBytes(raw)
  // Counts in the memory of the isolate, too: thousands of small bodies may be under way.
  if (announcedBytes !== null && announcedBytes <= MAX_OTHER_BYTES)
    return parseJsonBytes(await readBody(raw, { getMaxBytes: () => MAX_OTHER_BYTES, memory }))
  const maxBodyBytes = MAX_JSON_BYTES_PER_BYTE * maxContentBytes + MAX_OTHER_BYTES
  if ((announcedBytes ?? 0) > maxBodyBytes) throw contentTooLarge()
  return readLargeBody(raw, {
    maxBodyBytes,
    memory,
    // Whether the content is a JWE, which is longer than the text inside it, is known once the body has been read.
    maxContentBytes: getMaxJweBytes(maxContentBytes),
    maxOtherBytes: MAX_OTHER_BYTES,
  })
}

/** Is looked for first: a body may have other errors, too. */
function hasOversizedContent(body: unknown, maxContentBytes: number): boolean {
  const { content, files, settings } = (body ?? {}) as {
    content?: unknown
    files?: unknown
    settings?: { client_encrypted?: unknown }
  }
  if (settings?.client_encrypted === true) return false
  const contents = [content, ...(Array.isArray(files) ? files.map((file) => file?.content) : [])]
  const sizes = contents.map((text) => (typeof text === 'string' ? encodeText(text).byteLength : 0))
  return sizes.reduce((sum, size) => sum + size, 0) > maxContentBytes
}

/** Loads Zod and the schemas, which reading a document doesn't need. */
export const loadSchemas = () => import('./schemas.lazy.ts')

export type Schemas = Awaited<ReturnType<typeof loadSchemas>>

/** @throws AppError `unsupported_media_type`, `content_too_large`, or `bad_request` with what is wrong. */
export async function readJsonBody<Name extends 'createBody' | 'editBody' | 'claimBody'>(
  c: AppContext,
  name: Name,
): Promise<output<Schemas[Name]>> {
  const mediaType = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') throw unsupportedMediaType()
  const { maxContentBytes } = getVariable(c, 'config')
  const body = await readJson(c, name === 'claimBody' ? 0 : maxContentBytes)
  const { renameFormerSettings, safeParse, [name]: schema } = await loadSchemas()
  renameFormerSettings(body)
  const result = safeParse(schema, body)
  if (result.success) return result.data as output<Schemas[Name]>
  if (hasOversizedContent(body, maxContentBytes)) throw contentTooLarge()
  throw invalidBody(...(result.error.issues as readonly Issue[]))
}
