import type { AppContext } from '../../env.ts'
import { requireFewPairs, requireFewParts } from './form-bounds.ts'
import { readBody } from './read-body.ts'

/**
 * Reads a form with a document's content in it, and checks that parsing it takes little memory besides the content.
 * The handlers get the form as usual.
 *
 * @throws AppError `content_too_large`, and `bad_request` for a form with too many fields.
 */
export async function limitContentForm(c: AppContext, { maxBytes }: { maxBytes: number }): Promise<void> {
  const contentType = c.req.header('Content-Type') ?? ''
  const isMultipart = /^multipart\/form-data\b/i.test(contentType)
  // Other bodies aren't forms, and nothing reads them.
  if (!isMultipart && !/^application\/x-www-form-urlencoded\b/i.test(contentType)) return
  const bytes = await readBody(c.req.raw, { getMaxBytes: () => maxBytes, memory: c.var.memory })
  if (isMultipart) requireFewParts(bytes, contentType)
  else requireFewPairs(bytes)
  // Hono parses what it finds here. A request with this body would hold a copy of it.
  const isWhole = bytes.byteLength === bytes.buffer.byteLength
  c.req.bodyCache.arrayBuffer = isWhole ? bytes.buffer : bytes.slice().buffer
}
