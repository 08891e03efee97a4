import type { ErrorHandler } from 'hono'
import { type Creator, type Document, getGistUrl } from '../documents/model/document.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { type AppError, toAppError } from '../errors.ts'
import { documentHeaders } from '../http/conditional-requests.ts'
import { logError } from '../platform/logging.ts'
import { generateSlot, SLICE_CHARACTERS, streamSliced } from '../platform/streaming.ts'
import { SETTINGS, STORED_FLAGS, type StoredFlag } from '../shared/settings.ts'

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

interface DocumentBodyOptions {
  /** Left out of lists. */
  readonly content?: string
  readonly views: number
  readonly siteUrl: string
}

/** The Creator of the interface. */
export function creatorBody({ documentsMade, id, username, flags, icon }: Creator, siteUrl: string) {
  const address = icon ?? `/icons/${id}.svg`
  return {
    documents_made: documentsMade,
    id,
    username,
    flags,
    icon: address.startsWith('/') ? siteUrl + address : address,
  }
}

const toFlagMembers = (document: Document) =>
  Object.fromEntries(STORED_FLAGS.map((name) => [name, document[SETTINGS[name].property]])) as Readonly<
    Record<StoredFlag, boolean>
  >

/** The Document of the interface. */
function documentBody(document: Document, { content, views, siteUrl }: DocumentBodyOptions) {
  return {
    id: document.id,
    ...(content !== undefined && { content }),
    creator: document.creator && creatorBody(document.creator, siteUrl),
    gist_url: getGistUrl(document),
    views,
    timestamps: { creation: isoTime(document.createdAt), expiration: isoTime(document.expiresAt) },
    links: { formatted: `${siteUrl}/${document.id}`, raw: `${siteUrl}/r/${document.id}` },
    settings: {
      language: document.language,
      ...toFlagMembers(document),
      editors: document.editors.map((editor) => editor.username),
    },
  }
}

/** A Document of a list: without its content, with what stands for it there. */
export const listedBody = (document: Document, options: { views: number; siteUrl: string }) => ({
  ...documentBody(document, options),
  title: document.title,
  size: document.contentBytes,
})

export const success = <Data>(data: Data) => ({ success: true, data }) as const

function errorBody({ code, message, issues }: AppError) {
  return { success: false, error: { code, message, ...(issues && { errors: issues }) } } as const
}

/** What a script of any origin may see of an answer. */
const EXPOSED = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
}

interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Every answer of the API. All headers are given at once: each one that is set later costs a read as
 * much as rendering its body.
 *
 * @param body JSON, or null for an answer without a body.
 */
export const answer = (c: AppContext, body: object | null, options?: AnswerOptions): Response =>
  answerBody(c, body && JSON.stringify(body), options)

const answerBody = (
  c: AppContext,
  body: string | ReadableStream | null,
  { status = 200, headers }: AnswerOptions = {},
) =>
  new Response(body, {
    status,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...EXPOSED,
      // A document may hold anything: no browser shall take its JSON for a page or a script.
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': c.var.requestId,
      ...headers,
    },
  })

interface DocumentAnswer {
  readonly document: Document
  readonly content: string
  readonly views: number
  /** Members that this answer alone has. */
  readonly more?: object
}

const escapeJson = (slice: string): string => JSON.stringify(slice).slice(1, -1)

/** Answers a document with its content, however long that is. */
export function answerDocument(c: AppContext, { document, content, views, more }: DocumentAnswer): Response {
  const headers = documentHeaders(document, 'json')
  const body = (text: string) =>
    success({ ...documentBody(document, { content: text, views, siteUrl: c.var.siteUrl }), ...more })
  if (content.length <= SLICE_CHARACTERS) return answer(c, body(content), { headers })
  const slot = generateSlot()
  const frame = JSON.stringify(body(slot))
  const texts = [{ slot, text: content }]
  return answerBody(c, streamSliced({ frame, texts, escapeSlice: escapeJson }), { headers })
}

/** Answers whatever was thrown in the envelope; a server fault goes to the log with its cause. */
export const answerError: ErrorHandler<AppEnv> = (thrown, c) => {
  const error = toAppError(thrown)
  if (error.status >= 500) logError('request failed', c.var.requestId, error)
  return answer(c, errorBody(error), {
    status: error.status,
    headers: { ...error.headers, 'Cache-Control': 'no-store' },
  })
}
